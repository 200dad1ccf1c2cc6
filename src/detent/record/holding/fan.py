"""A whole fan of pulls out of an assembled state: which take it apart, between which directions.

Angles are in radians, counter-clockwise from x, as the document asks for them.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from detent.record.amount import Force
from detent.record.base import Value

FanOutcome = Literal["apart", "holds", "leads away"]


class FanPiece(Value, frozen=True, rename={"from_": "from"}):
    """Directions that lie side by side and come to the same.

    `proved`: for every direction of it, by enclosures of all of them at once; else it holds at directions
    that were looked at, `tried` of them. `least` is the smallest of the peak forces of pulls there that
    take it apart, of those tried, and `least_at` its direction.
    """

    from_: float
    to: float
    outcome: FanOutcome
    proved: bool
    cause: str | UnsetType = UNSET  # of a direction in it that holds
    tried: int = 0
    least: Force | UnsetType = UNSET
    least_at: float | UnsetType = UNSET


class FanBoundary(Value, frozen=True):
    """A direction at which the outcome changes: it lies between `low` and `high`.

    At both a whole prediction in exact arithmetic was made, of the directions with just these components.
    """

    angle: float
    low: float
    high: float
    before: str  # what the pull at `low` comes to
    after: str
    directions: tuple[tuple[float, float], tuple[float, float]]


class Fan(Value, frozen=True, rename={"from_": "from"}):
    """Every direction between two, not a sample of them.

    `share_apart` are the least and the largest share of the fan that takes it apart: what is not
    proved counts for neither or for both. `slivers` are directions next to which nothing is proved, each with
    how far on both sides: there several things happen at once.
    """

    from_: float
    to: float
    pieces: tuple[FanPiece, ...]
    boundaries: tuple[FanBoundary, ...]
    share_apart: tuple[float, float]
    share_proved: float
    slivers: tuple[tuple[float, float], ...] = ()
    weakest: float | UnsetType = UNSET  # the direction of those tried that takes the least force
    weakest_force: Force | UnsetType = UNSET
    steps: int = 0  # that proofs took; what was not proved when `most_steps` were taken is only tried
    most_steps: int = 0

    @property
    def holds_all(self) -> bool:
        """Whether no direction is known that takes it apart."""
        return not any(piece.outcome == "apart" for piece in self.pieces)
