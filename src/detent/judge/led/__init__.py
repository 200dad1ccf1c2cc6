"""A mating that a robot or a carrier leads: its answer, and which working position is better."""
