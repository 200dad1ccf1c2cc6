"""What a compliant mating says: forces of each leg, whether it goes in, its scope."""
