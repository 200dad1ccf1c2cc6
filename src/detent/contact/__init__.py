"""Floor 5: contact rows, friction, and the modes that a set of contacts allows."""
