"""Floor 0: errors, exact numbers, tolerance, units, names, places on disk."""
