"""What counts as equal, fixed once per mechanism."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tolerance:
    """Built from the size of a mechanism; travels with each computation.

    Every other threshold is a stated multiple of one of these.
    """

    length: float  # [m] two points nearer than this are one
    angle: float  # [rad] two directions nearer than this are one

    @classmethod
    def for_size(cls, size: float) -> Tolerance:
        # Rounding in a gap is near 1e-15 of the coordinates; 1e-9 leaves six
        # digits for error gathered along a path. At 1e-3, neighbouring teeth
        # of a fine ratchet would merge into one contact.
        return cls(length=1e-9 * size, angle=1e-9)
