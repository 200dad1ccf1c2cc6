"""A border of what goes in, sought from zero outward, or between two places of which one goes in.

Each search is a generator: it yields a place and takes what was found there, so that one may be followed
alone and many side by side, a batch of matings at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from detent.record.going_in import RegionBorder

# A border's two sides are so near: of the border, at least of the first step.
NEAR = 0.02
_ROUNDING = 1e-12

Place = TypeVar("Place")
Found = TypeVar("Found")


@dataclass(frozen=True)
class Tried:
    """What one mating came to."""

    goes_in: bool
    answer: str
    why: str
    push: float  # [N] the largest


def outward(step: float, far: float) -> Generator[float, Tried, RegionBorder]:
    """From zero, where it goes in or not, by steps that double; between two the border is bisected."""
    within = yield 0.0
    inside, outside = 0.0, step
    if not within.goes_in:
        return RegionBorder(outside=0.0, answer=within.answer, why=within.why)
    while (beyond := (yield outside)).goes_in:
        inside, within = outside, beyond
        if abs(inside) >= far * (1 - _ROUNDING):
            return RegionBorder(inside=inside, push=within.push)
        outside = math.copysign(min(2 * abs(outside), far), step)
    while abs(outside - inside) > NEAR * max(abs(outside), abs(step)):
        middle = (inside + outside) / 2
        there = yield middle
        if there.goes_in:
            inside, within = middle, there
        else:
            outside, beyond = middle, there
    return RegionBorder(
        inside=inside, push=within.push, outside=outside, answer=beyond.answer, why=beyond.why
    )


def between(
    inside: float, outside: float, near: float
) -> Generator[float, Tried, tuple[float, float, Tried | None]]:
    """Halves what lies between a place that goes in and one that does not, until they are so near.

    Both sides, and what was last found outside; nothing where they were near enough.
    """
    beyond: Tried | None = None
    while abs(outside - inside) > near:
        middle = (inside + outside) / 2
        there = yield middle
        if there.goes_in:
            inside = middle
        else:
            outside, beyond = middle, there
    return inside, outside, beyond


def side_by_side(
    searches: Sequence[Generator[Place, Found, Any]], found: Callable[[list[tuple[int, Place]]], list[Found]]
) -> list[Any]:
    """What each search returns; `found` is asked of all that go on at once: (number of the search, place)."""
    results: dict[int, Any] = {}
    wanted: list[tuple[int, Place]] = []

    def go(number: int, answer: Found | None) -> None:
        try:
            place = next(searches[number]) if answer is None else searches[number].send(answer)
        except StopIteration as done:
            results[number] = done.value
        else:
            wanted.append((number, place))

    for number in range(len(searches)):
        go(number, None)
    while wanted:
        asked = wanted[:]
        wanted.clear()
        for (number, _), answer in zip(asked, found(asked), strict=True):
            go(number, answer)
    return [results[number] for number in range(len(searches))]
