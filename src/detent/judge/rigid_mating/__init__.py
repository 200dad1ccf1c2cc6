"""What a rigid mating says: forces as they are read, contacts by name, how it ends."""
