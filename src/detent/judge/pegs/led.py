"""A peg as its carrier leads it: slowly, through the spring along the way in, with jumps where the force
falls too steeply.

Where F_z falls by more than the spring along the way in gives back, the peg jumps on to the next depth at
which both agree again. Rows before and after a jump stand at one travel.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from detent.judge.pegs.passage import Pushes, Stretch
from detent.judge.pegs.story import PegStory
from detent.numeric.roots import bracketed_root

_ROWS = 25  # of a stretch
_SAME = 1e-12  # of the travel: less is rounding


@dataclass(frozen=True)
class LedRow:
    """A row, where the carrier is, and whether the peg has just jumped."""

    pushes: Pushes
    travel: float
    jumped: bool = False


def led_rows(story: PegStory) -> tuple[LedRow, ...]:
    """The peg's way as the first leg leads it, to the leg's end or its own."""
    distance = story.found.distance
    rows: list[LedRow] = []
    jumping = False
    for stretch in story.whole.stretches:
        depths = story.whole.depths(stretch, _ROWS)
        before: float | None = None
        for depth in depths:
            row = story.row(stretch, depth)
            travel = story.travel(row)
            top = rows[-1].travel if rows else travel
            if travel < top - _SAME * abs(top):
                jumping, before = True, depth
                continue
            if jumping:
                landed = depth if before is None else _where(story, stretch, top, before, depth)
                rows.append(LedRow(story.row(stretch, landed), top, jumped=True))
                jumping = False
            if distance is not None and travel >= distance:
                low = rows[-1].pushes.depth if rows and before is not None else stretch.begin
                at = _where(story, stretch, distance, max(low, stretch.begin), depth)
                rows.append(LedRow(story.row(stretch, at), distance))
                return tuple(rows)
            rows.append(LedRow(row, travel))
            before = depth
    return tuple(rows)


def _where(story: PegStory, stretch: Stretch, travel: float, low: float, high: float) -> float:
    """The depth in a stretch at which the carrier is at a travel."""

    def over(depth: float) -> float:
        return story.travel(story.row(stretch, depth)) - travel

    if over(low) >= 0:
        return low
    return bracketed_root(over, low, high) if over(high) > 0 else high


def changes(rows: tuple[LedRow, ...]) -> list[tuple[LedRow, LedRow]]:
    """Neighbouring rows with different contacts."""
    return [
        (one, other)
        for one, other in pairwise(rows)
        if (one.pushes.regime, one.pushes.side) != (other.pushes.regime, other.pushes.side)
    ]
