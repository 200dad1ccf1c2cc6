"""What a robot or a carrier that leads compliant parts does: forces, motion, which position is better."""
