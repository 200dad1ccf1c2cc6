"""How a pattern changes and when it ends, the state at any moment, by restarts."""
