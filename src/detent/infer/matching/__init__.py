"""Faces of two parts on each other, round and flat, where both bound material."""
