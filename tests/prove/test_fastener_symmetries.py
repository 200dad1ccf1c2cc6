"""What must not change a fastener's story: moving it, how its polygons are written, where its spring rests.

Whole plans of several pawls with friction; in exact arithmetic every time and angle
is the same number, in the float filter the same to rounding.
"""

from __future__ import annotations

import copy
import math
import os
import random
from fractions import Fraction
from typing import Any

import pytest

from detent.model.reading import mechanism
from detent.motion.quasistatic import DecidedRuns
from detent.motion.quasistatic.exact import LegRun
from detent.motion.quasistatic.machine import fastener
from tests.motion.pieces import pieces
from tests.motion.quasistatic.test_mechanics import fractions, moved, written
from tests.prove.fasteners import Document, document, random_machine

FULL = os.environ.get("DETENT_PROVE") == "full"
COUNT = 1000 if FULL else 12
FIRST_SEED = 52_000
# Rational rotations: a quarter turn, half a turn, and some that are neither.
TURNS = [(0, 1), (-1, 0), (Fraction(3, 5), Fraction(4, 5)), (Fraction(-5, 13), Fraction(12, 13))]

Event = tuple[str, float, float, tuple[str, ...], tuple[str, ...]]


def told(made: Document, *, exact: bool = True) -> list[list[list[Event]]]:
    """Events of each pawl on each leg, the leg's end last."""
    return [_leg(leg) for leg in DecidedRuns(fastener(mechanism(made)), exact=exact).plan.legs]


def _leg(leg: LegRun) -> list[list[Event]]:
    told: list[list[Event]] = []
    for story in leg.pawl_runs:
        events: list[Event] = [
            (h.kind, leg.instant(h.place.t), h.place.angle(), h.before, h.after) for h in story.events
        ]
        assert story.end is not None
        told.append([*events, (leg.cause, leg.instant(leg.end), story.end.angle(), (), ())])
    return told


def difference(
    one: list[list[list[Event]]],
    other: list[list[list[Event]]],
    *,
    side: int = 1,
    named: bool = True,
    slack: float = 1e-12,
) -> str | None:
    """The first thing that differs; None where two stories are one."""
    if [[len(p) for p in leg] for leg in one] != [[len(p) for p in leg] for leg in other]:
        return f"{one}\n{other}"
    for a, b in zip(_flat(one), _flat(other), strict=True):
        near = all(
            math.isclose(x, y, rel_tol=slack, abs_tol=slack) for x, y in ((a[1], b[1]), (side * a[2], b[2]))
        )
        if a[0] != b[0] or not near or (named and a[3:] != b[3:]):
            return f"{a} and {b}"
    return None


def _flat(told: list[list[list[Event]]]) -> list[Event]:
    return [event for leg in told for pawl in leg for event in pawl]


def turned(p: Any, turn: Any) -> list[str]:
    (x, y), (c, s) = fractions(p), turn
    return written(c * x - s * y, s * x + c * y)


def every_outline(made: Document, change: Any) -> Document:
    """The outlines of all shapes, each replaced by a list of outlines."""
    made = copy.deepcopy(made)
    for part in made["parts"].values():
        if "shape" in part:
            outlines = part["shape"].get("union", [part["shape"]])
            part["shape"] = {"union": [p for o in outlines for p in change(o["outline"])]}
    return made


def collinear(outline: Any, rng: random.Random) -> list[Any]:
    """Vertices put on its edges, and one of them twice."""
    points = [fractions(p) for p in outline]
    found = []
    for p, q in zip(points, points[1:] + points[:1], strict=True):
        found.append(p)
        for share in sorted(rng.sample(range(1, 7), rng.randint(0, 2))):
            found.append((p[0] + (q[0] - p[0]) * share / 7, p[1] + (q[1] - p[1]) * share / 7))
    found.insert(1, found[0])
    return [{"outline": [written(*p) for p in found]}]


def changed(made: Document, rng: random.Random) -> dict[str, tuple[Document, dict[str, Any]]]:
    """The same fastener written in other ways, each with what its story then has of its own."""
    turn, size = rng.choice(TURNS), Fraction(rng.randint(1, 20), rng.randint(1, 7))
    away = Fraction(rng.randint(-99, 99), 7), Fraction(rng.randint(-99, 99), 11)

    def shifted(p: Any) -> list[str]:
        x, y = fractions(p)
        return written(x + away[0], y + away[1])

    def scaled(p: Any) -> list[str]:
        return written(*(c * size for c in fractions(p)))

    def mirrored(p: Any) -> list[str]:
        x, y = fractions(p)
        return written(-x, y)

    def cut(outline: Any) -> list[Any]:
        return pieces(outline, rng)

    return {
        "turned": (moved(made, lambda p: turned(p, turn), lambda v: turned(v, turn)), {}),
        "mirrored": (moved(made, mirrored, mirrored), {"side": -1}),
        "shifted": (moved(made, shifted, lambda v: v), {}),
        "scaled": (moved(made, scaled, scaled), {}),
        "with collinear vertices": (every_outline(made, lambda o: collinear(o, rng)), {"named": False}),
        "in convex pieces": (every_outline(made, cut), {"named": False}),
    }


def test_a_fastener_has_one_story_however_it_is_placed_and_written() -> None:
    legs = events = 0
    for seed in range(FIRST_SEED, FIRST_SEED + COUNT):
        made = random_machine(seed)
        whole = told(made)
        legs += len(whole)
        events += len(_flat(whole))
        for what, (other, own) in changed(made, random.Random(seed)).items():
            found = difference(whole, told(other), **own)
            assert found is None, f"seed {seed}, {what}: {found}"
    print(f"{COUNT} fasteners in six other ways: {legs} legs, {events} events each")


def test_the_float_filter_has_one_story_however_a_fastener_is_placed() -> None:
    for seed in range(FIRST_SEED, FIRST_SEED + COUNT):
        made = random_machine(seed)
        whole = told(made, exact=False)
        for what, (other, own) in changed(made, random.Random(seed)).items():
            found = difference(whole, told(other, exact=False), slack=1e-9, **own)
            assert found is None, f"seed {seed}, {what}: {found}"


def dragged(seed: int, wound_deg: int) -> Document:
    """A bar that its spring presses onto a hilly floor, wound so far from where it is drawn."""
    rng = random.Random(seed)
    tip = [rng.randint(8, 14), rng.randint(3, 9)]
    bar = [[0, 0], tip, [tip[0] - rng.randint(1, 3), tip[1] + rng.randint(1, 2)]]
    hills = [[x, -rng.randint(5, 8)] for x in range(-20, 81, 5)]
    floor = [[-20, -40], [80, -40], *hills[::-1]]
    leg = {"velocity": [rng.choice((1, "3/2")), 0], "for": 30}
    made = document(bar, [floor], rng.choice(("0", "1/20", "1/4")), [leg, {"back": True}])
    made["joints"]["hinge"]["spring"]["rest_deg"] = -wound_deg
    return made


@pytest.mark.parametrize("first", [61_000])
def test_half_turns_and_whole_turns_of_the_spring_are_no_special_angles(first: int) -> None:
    """Pressed on the floor, the bar goes one way wherever its spring would rest beyond."""
    passed = 0
    for seed in range(first, first + (COUNT if FULL else 6)):
        base = told(dragged(seed, 150))
        for wound in (210, 240, 270, 300, 450, 630):
            other = told(dragged(seed, wound))
            more = math.radians(wound - 150)
            level = [
                [[(kind, t, angle - more, a, b) for kind, t, angle, a, b in pawl] for pawl in leg]
                for leg in other
            ]
            found = difference(base, level, slack=1e-9)
            assert found is None, f"seed {seed}, wound {wound}: {found}"
            angles = [event[2] for event in _flat(other)]
            passed += any(min(angles) < half * math.pi < max(angles) for half in range(1, 4))
    print(f"{passed} paths go through a multiple of half a turn")
    assert passed > 0
