"""Fasteners as a designer draws them: hooks, detents, forks, ratchets, paddles; small rational numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

Document = dict[str, Any]
OUT_AND_IN = [{"velocity": [0, -1], "for": 50}, {"back": True}]


def fastener_of(shape: Any, obstacles: Any, friction: Any, legs: Any, **joint: Any) -> Document:
    return {
        "format": "detent/1",
        "units": "1",
        "parts": {
            "root": {},
            "p": {"shape": shape if isinstance(shape, dict) else {"outline": shape}},
            "receiver": {"fixed": True, "shape": {"union": [{"outline": o} for o in obstacles]}},
        },
        "joints": {
            "hinge": {"type": "revolute", "between": ["root", "p"], "at": [0, 0], "spring": {"stiffness": 1}}
            | joint
        },
        "drives": {"push": {"part": "root", "legs": legs}},
        "touching": {"friction": friction},
    }


def hook(lead: int, back: int, friction: Any, *, thick: int = 60, **joint: Any) -> Document:
    """An arm of 40 with a nose of 4: a lead-in face below, a holding face above; a lip in its way."""
    arm = [[-1, 0], [-1, -40 - lead], [1, -40 - lead], [5, -40], [1, -40 + back], [1, 0]]
    lip = [[3, -60 - thick], [40, -60 - thick], [40, -60], [3, -60]]
    return fastener_of(arm, [lip], friction, OUT_AND_IN, **joint)


def buckle(friction: Any, stiffness: tuple[Any, Any]) -> Document:
    """Two arms of different springs in one housing, as of a side-release buckle."""
    design = hook(8, 4, friction, thick=10)
    arm = design["parts"]["p"]["shape"]["outline"]
    design["parts"]["q"] = {"shape": {"outline": [[-x - 30, y] for x, y in arm]}}
    design["parts"]["receiver"]["shape"]["union"].append(
        {"outline": [[-33, -60], [-33, -70], [-70, -70], [-70, -60]]}
    )
    design["joints"]["second"] = design["joints"]["hinge"] | {
        "between": ["root", "q"],
        "at": [-30, 0],
        "spring": {"stiffness": stiffness[1]},
    }
    design["joints"]["hinge"]["spring"] = {"stiffness": stiffness[0]}
    return design


def ball() -> list[list[str]]:
    """A detent ball as a polygon with its vertices on a circle of radius 3, below and beside its hinge."""
    corners = [(0, -5), (3, -4), (4, -3), (5, 0), (4, 3), (0, 5), (-4, 3), (-5, 0), (-4, -3), (-3, -4)]
    return [[str(Fraction(3, 5) * x + 10), str(Fraction(3, 5) * y - 20)] for x, y in corners]


GROOVES = [
    *([-40, -60], [60, -60], [60, -24], [50, -24], [45, -21], [40, -24]),
    *([30, -24], [25, -21], [20, -24], [-40, -24]),
]
FORK = [[-6, -20], [-4, -20], [-4, -8], [4, -8], [4, -20], [6, -20], [6, -4], [-6, -4]]
CLICK = [[0, 1], [20, -3], [21, -6], [18, -5], [0, -1]]
TEETH = [[[a, -30], [a + 8, -30], [a + 8, -9], [a + 7, -4], [a, -9]] for a in (24, 32, 40, 48)]
WEDGE = [[0, 0], [6, -8], [6, -7]]
FLOOR = [[-60, -60], [60, -60], [60, -9], [-60, -9]]


def along(x: Any, y: Any, duration: int) -> list[Document]:
    return [{"velocity": [x, y], "for": duration}, {"back": True}]


DESIGNS: dict[str, Document] = {
    "hook, no friction": hook(8, 2, 0, thick=10),
    "hook, held by friction": hook(8, 2, "7/10", thick=10),
    "hook, comes apart": hook(8, 4, "1/2", thick=10),
    "hook in a long slot": hook(8, 2, "1/5"),
    "hook, blunt, sticks going in": hook(2, 8, "3/2"),
    "hook, square back": hook(8, 0, 0, thick=10),
    "hook, undercut back": hook(8, -1, 0, thick=10),
    "hook, stiff in a thin lip": hook(6, 3, "1/10", thick=2, spring={"stiffness": 7}),
    "ball over grooves": fastener_of(ball(), [GROOVES], "1/10", along(1, 0, 45)),
    "ball, smooth": fastener_of(ball(), [GROOVES], 0, along("9/10", "1/10", 45)),
    "ball, pushed down too": fastener_of(ball(), [GROOVES], "1/10", along(1, "-1/50", 45)),
    "fork over a post": fastener_of(
        FORK, [[[1, -60], [3, -60], [3, -26], [1, -25]]], "1/20", along(0, -1, 30)
    ),
    "fork, post beside": fastener_of(
        FORK, [[[3, -60], [5, -60], [5, -26], [4, -23]]], "1/20", along(0, -1, 30)
    ),
    "fork, rough post": fastener_of(
        FORK, [[[3, -60], [5, -60], [5, -26], [4, -23]]], "3/2", along(0, -1, 30)
    ),
    "click over teeth": fastener_of(CLICK, TEETH, "1/10", along(1, 0, 40)),
    "click over teeth, backwards": fastener_of(CLICK, TEETH, "2/5", along(1, "-1/100", 40)),
    "wedge on a floor, oblique": fastener_of(WEDGE, [FLOOR], "1/10", along("3/5", "-4/5", 6)),
    "wedge on a floor, dragged": fastener_of(WEDGE, [FLOOR], "1/2", along(-1, -1, 6)),
    "wedge, steep": fastener_of(
        WEDGE, [[[-60, -60], [60, -60], [60, -14], [-60, -2]]], "1/4", along(0, -1, 9)
    ),
    "catch": fastener_of(
        [[-2, 0], [-2, -30], [6, -30], [6, -28], [2, -28], [2, 0]],
        [[[4, -60], [30, -60], [30, -50], [8, -50], [4, -56]]],
        "1/10",
        along(0, -1, 45),
    ),
    "paddle past a post": fastener_of(
        [[-1, 1], [-1, -20], [1, -20], [1, 1]],
        [[[9, -30], [11, -30], [11, -15], [9, -15]]],
        0,
        along(1, 0, 50),
    ),
    "paddle against a ledge": fastener_of(
        [[0, 0], [-1, -9], [1, -9]], [[[4, -7], [6, -8], [60, -1], [60, 6], [4, 6]]], 0, along(1, 0, 9)
    ),
}
