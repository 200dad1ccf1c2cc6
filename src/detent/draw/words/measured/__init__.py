"""Measured beside calculated, in words."""
