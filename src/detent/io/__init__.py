"""Floor 7: the native file, its schema and migrations; one module per foreign format."""
