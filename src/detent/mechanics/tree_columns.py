"""Columns of the bodies of a plane machine at a state."""

from __future__ import annotations

# Pose (x, y, cosine, sine), angle, velocity, velocity products.
X, Y, COSINE, SINE, TURN, SPEED_X, SPEED_Y, SPIN, PRODUCT_X, PRODUCT_Y = range(10)
