"""Pegs on springs above their holes in words: what they are, how they go in."""
