"""Floor 3: the model as frozen data, and what can be said of it without moving it."""
