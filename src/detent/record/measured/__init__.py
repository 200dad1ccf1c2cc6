"""What was measured beside what is calculated: curves laid over answers, values fitted to them."""
