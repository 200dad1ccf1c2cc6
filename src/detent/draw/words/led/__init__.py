"""Words of a mating that a robot or a carrier leads."""
