"""Quasi-static motion of fasteners, decided exactly (Donald & Pai 1992)."""
