"""Constructive solid geometry of other programs."""
