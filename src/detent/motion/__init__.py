"""Floor 6: predicting motion; one package or module a method."""
