"""Simulations of a machine from any state, and the pattern that repeats in them."""
