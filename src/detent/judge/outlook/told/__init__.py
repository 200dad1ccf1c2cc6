"""What was found, as records."""
