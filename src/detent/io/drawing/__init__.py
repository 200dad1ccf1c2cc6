"""Drawings and solids of other programs."""
