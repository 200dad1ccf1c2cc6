"""Known machines and parts as data: factories that return a Mechanism, with stated defaults."""
