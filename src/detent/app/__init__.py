"""Floor 9: the command line and the public verbs; no mechanics here."""
