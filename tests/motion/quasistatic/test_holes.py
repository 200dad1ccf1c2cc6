"""Holes with solid all around them, as of pins: a mating is that of the same parts without them."""

from __future__ import annotations

from typing import Any

import pytest

import detent
from detent.foundation import UnsupportedError

HOOK = [[-1, 0], [1, 0], [1, -12], [2.6, -12.8], [1, -16], [-1, -16]]
CASE = [[1.8, -22], [8, -22], [8, -19], [1.8, -19]]


def circle(x: float, y: float, radius: float) -> dict[str, Any]:
    return {"circle": radius, "moves": [{"move": [x, y]}]}


def machine(hook: list[Any] | None = None, case: list[Any] | None = None, **parts: Any) -> dict[str, Any]:
    """A hook on a hinge above its middle, pushed past a case; with what is cut out of either."""

    def cut(outline: Any, holes: list[Any] | None) -> dict[str, Any]:
        return {"difference": [{"outline": outline}, *holes]} if holes else {"outline": outline}

    return {
        "units": "mm",
        "parts": {
            "plug": {},
            "hook": {"shape": cut(HOOK, hook)},
            "case": {"fixed": True, "shape": cut(CASE, case)},
            **parts,
        },
        "joints": {
            "h": {
                "type": "revolute",
                "between": ["plug", "hook"],
                "at": [0, -1],
                "spring": {"stiffness": 0.05},
            }
        },
        "drives": {"push": {"part": "plug", "legs": [{"velocity": [0, -5], "distance": 11}]}},
        "touching": {"friction": 0.15},
    }


def mated(data: dict[str, Any], *, exact: bool = True) -> Any:
    return detent.mate(detent.from_dict(data), method=detent.Quasistatic(exact=exact))


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    ("hook", "case"),
    [
        ([circle(0, -1, 0.6)], None),  # of the pin itself
        ([circle(0, -1, 0.6), {"outline": [[-0.5, -9], [0.5, -9], [0, -4]]}], [circle(5, -20.5, 1)]),
    ],
)
def test_a_mating_with_holes_is_the_one_without(hook, case, exact):
    whole, holed = mated(machine(), exact=exact), mated(machine(hook, case), exact=exact)
    assert holed.legs[0].events
    for mine, other in zip(holed.legs, whole.legs, strict=True):
        assert mine.force.peak == other.force.peak
        assert [(e.time, e.kind, e.before, e.after) for e in mine.events] == [
            (e.time, e.kind, e.before, e.after) for e in other.events
        ]
    filled = [note for note in holed.notes if "filled, as nothing outside" in note]
    assert len(filled) == 1 + (case is not None)
    assert holed.insertion == whole.insertion


@pytest.mark.parametrize(
    "hole",
    [
        circle(0, -1, 1),  # it touches both sides
        circle(0.5, -1, 0.6),  # it cuts one
        {"outline": [[-0.5, -9], [3, -9], [0, -4]]},
        circle(5, 5, 1),  # it lies outside
    ],
)
def test_what_cuts_the_outline_is_refused_by_name(hole):
    with pytest.raises(UnsupportedError, match=r"parts\.hook\.shape: .* not a difference"):
        mated(machine([hole]))


def test_what_lies_in_a_hole_is_not_lost():
    """A fixed pin drawn in the hook's hole would be hit: such a start is refused, not passed over."""
    pin = {"fixed": True, "shape": {"outline": [[-0.2, -8.2], [0.2, -8.2], [0.2, -7.8], [-0.2, -7.8]]}}
    with pytest.raises(detent.ModelError, match="overlap"):
        mated(machine([circle(0, -8, 0.6)], pin=pin))
