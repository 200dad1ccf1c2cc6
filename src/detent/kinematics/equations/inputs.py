"""Inputs: what a drive holds, by row of the equations."""

from __future__ import annotations

from dataclasses import dataclass

from detent.kinematics.equations.rows import HeldCoordinate


@dataclass(frozen=True)
class Input:
    """What a plan is driven by: a joint's coordinate, or a mark's two (each its own input)."""

    name: str
    held: HeldCoordinate
    axis: int = 0  # of a mark: 0 its x, 1 its y
