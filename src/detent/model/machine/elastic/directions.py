"""The directions of an elastic joint: of its second end past its first, on the first end's axes."""

from __future__ import annotations

from detent.model.document.joint import Direction

# In the order of a matrix: translations, then rotations.
DIRECTIONS: dict[int, tuple[Direction, ...]] = {
    2: ("x", "y", "turn_z"),
    3: ("x", "y", "z", "turn_x", "turn_y", "turn_z"),
}


def turns(direction: str) -> bool:
    """Whether it is a rotation."""
    return direction.startswith("turn_")


def direction_words(direction: str) -> str:
    """`along y`, `about z`."""
    return f"about {direction[-1]}" if turns(direction) else f"along {direction}"
