"""The linkages of Brunkhart 1994 (MechEdit): its performance table (Fig. 30) and its figures.

The drawings are not in the text. Counts of links and joints fix the 4-bar, the 6-bar, Stress-n
and Chain-n; for the 8-bar, the 10-bar and the Duplex the structure is ours and gives every count
of the table. Lengths are ours throughout: chosen so that each drive runs its whole range far from
a dead point, except where the figure is about one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from detent.foundation.errors import ModelError
from detent.library.drawing import Point, meet, pinned, polar
from detent.library.linkages import FULL_TURN, four_bar
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import GROUND


def six_bar(driven: str = "A") -> Mechanism:
    """Fig. 17: closed forms suffice when it is driven at A or C, not at B."""
    a, b, c = (0.0, 0.0), (5.0, 4.0), (4.0, 0.0)
    e = polar(1, 50)
    g = meet(e, 3.5, c, 3, left=True, name="six_bar")
    f = meet(e, 2.343073967, g, 2.690724, left=True, name="six_bar")
    d = meet(f, 4.5, b, 3, left=True, name="six_bar")
    drives = {
        "A": FULL_TURN,
        "B": {"from_deg": 0, "to_deg": 45, "steps": 45},
        "C": {"from_deg": 0, "to_deg": 20, "steps": 20},
    }
    if driven not in drives:
        raise ModelError.at("six_bar.driven", f"there is no ground pin {driven!r}", "drive A, B or C")
    return (
        pinned(
            f"6-bar driven at {driven}",
            {"A": a, "E": e, "G": g, "C": c, "F": f, "D": d, "B": b},
            {
                GROUND: ["A", "B", "C"],
                "I": ["A", "E"],
                "II": ["E", "F", "G"],
                "III": ["C", "G"],
                "IV": ["F", "D"],
                "V": ["B", "D"],
            },
        )
        .drive("crank", joint=driven, **drives[driven])
        .ask("move", method="kinematic")
        .build()
    )


def stress(n: int = 10) -> Mechanism:
    """Stress-n: n links, ground among them, as a chain of four-bars: crank, then coupler, rocker, ..."""
    if n < 4 or n % 2:
        raise ModelError.at("stress.n", f"a chain of four-bars has an even number of links, found {n}")
    points = {"P0": (0.0, 0.0), "T0": polar(1, 40)}
    parts = {GROUND: ["P0"], "L1": ["P0", "T0"]}
    for i in range(1, n // 2):
        pin = (4.0 * i, 0.0)
        # Lengths that differ from bay to bay, in fours that undo each other, so that a long chain
        # neither becomes a row of parallelograms nor drifts towards a dead point.
        coupler = 3.5 if i == 1 else 4 + 0.02 * (1, -1, -1, 1)[i % 4]
        rocker = 3 + 0.01 * (1, 1, -1, -1)[i % 4]
        points[f"P{i}"] = pin
        points[f"T{i}"] = meet(points[f"T{i - 1}"], coupler, pin, rocker, left=True, name="stress")
        parts[GROUND].append(f"P{i}")
        parts[f"C{i}"] = [f"T{i - 1}", f"T{i}"]
        parts[f"R{i}"] = [f"P{i}", f"T{i}"]
    return (
        pinned(f"Stress-{n}", points, parts)
        .drive("crank", joint="P0", **FULL_TURN)
        .ask("move", method="kinematic")
        .build()
    )


def chain(n: int = 4) -> Mechanism:
    """Chain-n: a driven link and n - 1 others between two ground pins, with n - 2 degrees of freedom."""
    if n < 3:
        raise ModelError.at("chain.n", f"a chain has at least three links, found {n}")
    points = {"P0": (0.0, 0.0), "P1": (0.0, 0.3)}
    for i in range(2, n + 1):
        # A zigzag with no two links parallel: no direction of the chain is singular as drawn.
        angle_deg = (-1) ** i * (48 + 11 * math.cos(2.4 * i)) + 6 * math.sin(i)
        points[f"P{i}"] = polar(1, angle_deg, points[f"P{i - 1}"])
    parts = {GROUND: ["P0", f"P{n}"], **{f"L{i}": [f"P{i - 1}", f"P{i}"] for i in range(1, n + 1)}}
    return (
        pinned(f"Chain-{n}", points, parts)
        .drive("crank", joint="P0", **FULL_TURN)
        .ask("move", method="kinematic")
        .build()
    )


EIGHT_BAR: dict[str, Point] = {
    "O": (0, 0), "A": (0.5, 0), "B": (1, 6), "C": (8, 0), "D": (3.25, 7.5), "E": (4.25, 7),
    "F": (2.75, 0), "H": (7.5, 0), "K": (2, 0), "L": (5, 0.25),
}  # fmt: skip


def eight_bar() -> Mechanism:
    """The table's 8-bar: links 5, 6, 7 and the ground-pinned 3 close a ring of four that floats."""
    return _driven_at_o(
        "8-bar",
        EIGHT_BAR,
        {
            GROUND: ["O", "C", "F"],
            "driver": ["O", "A"],
            "II": ["A", "B"],
            "III": ["C", "D", "E"],
            "IV": ["F", "H"],
            "V": ["B", "D", "K"],
            "VI": ["E", "H", "L"],
            "VII": ["K", "L"],
        },
    )


TEN_BAR: dict[str, Point] = {
    "O": (0, 0), "A": (0.5, 0), "B": (2.25, 3.25), "C": (5.25, 0), "D": (0, -1.5), "P": (5, 1.5),
    "E": (1, 0), "G": (1.75, 2), "Q": (6, 6), "H": (6.5, 0), "K": (3.25, 7.25), "M": (10.25, 0),
    "N": (8.5, 8.5),
}  # fmt: skip


def ten_bar() -> Mechanism:
    """The table's 10-bar: three floating links in a row carry two, one and two arms."""
    return _driven_at_o(
        "10-bar",
        TEN_BAR,
        {
            GROUND: ["O", "C", "E", "H", "M"],
            "driver": ["O", "A"],
            "arm_1": ["A", "B"],
            "arm_2": ["C", "D"],
            "arm_3": ["E", "G"],
            "arm_4": ["H", "K"],
            "arm_5": ["M", "N"],
            "F1": ["B", "D", "P"],
            "F2": ["P", "G", "Q"],
            "F3": ["Q", "K", "N"],
        },
    )


DUPLEX: dict[str, Point] = {
    "O": (0, 0), "A": (0.5, 0), "B": (1.25, 4.25), "C": (4, 0), "D": (-0.25, 1.25), "E": (5.5, 0),
    "F": (2, 6), "G": (3.5, 2.25), "H": (5.5, 4.75), "K": (9.75, 0), "L": (10.5, 4), "M": (4, 3.75),
    "N": (6.75, 10.75), "Q": (7.5, 10.5), "R": (6, 2.25), "S": (10.25, 0),
}  # fmt: skip


def duplex() -> Mechanism:
    """The table's Duplex: a triad, a dyad on it, and a second triad on both."""
    return _driven_at_o(
        "Duplex",
        DUPLEX,
        {
            GROUND: ["O", "C", "E", "K", "S"],
            "driver": ["O", "A"],
            "arm_1": ["A", "B"],
            "arm_2": ["C", "D", "M"],
            "arm_3": ["E", "F", "G"],
            "triangle_1": ["B", "D", "F"],
            "rod": ["G", "H"],
            "rocker": ["K", "H", "L"],
            "arm_4": ["M", "N"],
            "arm_5": ["L", "Q"],
            "arm_6": ["S", "R"],
            "triangle_2": ["N", "Q", "R"],
        },
    )


def _driven_at_o(title: str, points: Mapping[str, Point], parts: Mapping[str, Sequence[str]]) -> Mechanism:
    return (
        pinned(title, points, parts)
        .drive("crank", joint="O", **FULL_TURN)
        .ask("move", method="kinematic")
        .build()
    )


def fig13() -> Mechanism:
    """A second coupler with the same holes: nothing but its own existence is over-constrained."""
    b, c, d = (0.0, 1.0), (3.0, 3.0), (4.0, 0.0)
    return (
        pinned(
            "Over-constrained and mobile (Fig. 13)",
            {"A": (0.0, 0.0), "B": b, "C": c, "D": d, "V": (1.0, 3.5)},
            {
                GROUND: ["A", "D"],
                "crank": ["A", "B"],
                "coupler": ["B", "C"],
                "rocker": ["D", "C"],
                "vee": ["B", "V", "C"],
            },
        )
        .drive("crank", joint="A", **FULL_TURN)
        .ask("move", method="kinematic")
        .build()
    )


def fig14a() -> Mechanism:
    """A kite: when the crank's end passes over D, coupler and rocker are free to rotate about it."""
    drive = {"from_deg": 0, "to_deg": -120, "steps": 24}
    return four_bar(2, 2, 1.5, 1.5, at_deg=60, title="A kite that folds up (Fig. 14a)", drive=drive)


def fig14b() -> Mechanism:
    """A table on three parallel legs: the third leg constrains nothing, and hinders nothing."""
    tops = {"B": (1.0, 2.0), "C": (3.0, 2.0), "D": (6.0, 2.0)}
    feet = {"P": (0.0, 0.0), "Q": (2.0, 0.0), "R": (5.0, 0.0)}
    return (
        pinned(
            "A table on three parallel legs (Fig. 14b)",
            {**feet, **tops},
            {
                GROUND: ["P", "Q", "R"],
                "I": ["P", "B"],
                "II": ["B", "C", "D"],
                "III": ["Q", "C"],
                "IV": ["R", "D"],
            },
        )
        .drive("leg", joint="P", from_deg=-45, to_deg=90, steps=27)
        .ask("move", method="kinematic")
        .build()
    )


def fig15() -> Mechanism:
    """A double rocker with four break points: two ranges that do not meet, mirror images of each other."""
    drive = {"from_deg": 0, "to_deg": 40, "steps": 40}
    return four_bar(3, 2.5, 1, 2, at_deg=40, title="A double rocker (Fig. 15)", drive=drive)


def fig16() -> Mechanism:
    """A four-bar drawn at its limit point: coupler and rocker lie in line, two branches lead back."""
    return (
        pinned(
            "A four-bar at a limit point (Fig. 16)",
            {"A": (0.0, 0.0), "B": (0.0, 3.0), "C": (1.6, 1.8), "D": (4.0, 0.0)},
            {GROUND: ["A", "D"], "crank": ["A", "B"], "coupler": ["B", "C"], "rocker": ["D", "C"]},
        )
        .drive("crank", joint="A", from_deg=0, to_deg=-30, steps=30)
        .ask("move", method="kinematic")
        .build()
    )


def fig22(half_gap_deg: float = 1) -> Mechanism:
    """A four-bar that cannot close within `half_gap_deg` of the crank pointing away from D."""
    reach = math.sqrt(4**2 + 1 - 2 * 4 * math.cos(math.radians(180 - half_gap_deg)))
    drive = {"from_deg": 2, "to_deg": 362, "steps": 90}
    return four_bar(4, 1, reach - 3, 3, title="A break two samples apart (Fig. 22)", drive=drive)


# The rows of Fig. 30, in its order.
PERFORMANCE_TABLE: dict[str, Callable[[], Mechanism]] = {
    "4-bar": lambda: four_bar(title="4-bar"),
    "6-bar (a)": lambda: six_bar("A"),
    "Stress-10": lambda: stress(10),
    "Stress-20": lambda: stress(20),
    "Stress-30": lambda: stress(30),
    "Stress-40": lambda: stress(40),
    "Stress-50": lambda: stress(50),
    "6-bar (b)": lambda: six_bar("B"),
    "8-bar": eight_bar,
    "10-bar": ten_bar,
    "Duplex": duplex,
    "Chain-4": lambda: chain(4),
    "Chain-6": lambda: chain(6),
    "Chain-8": lambda: chain(8),
    "Chain-10": lambda: chain(10),
    "Chain-15": lambda: chain(15),
}
