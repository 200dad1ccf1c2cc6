"""Pushes that begin somewhere in a region, in about a direction (Donald & Pai 1992, appendix B)."""
