"""Classic linkages, as factories: lengths in, a drawn and closed Mechanism with a drive out.

Angles `at_deg` place the driven crank as drawn, counter-clockwise from +x. The drive counts
from the drawing: 0 is the pose as drawn. Lengths are in any consistent set of units.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from detent.foundation.errors import ModelError
from detent.library.drawing import meet, on_bar, pinned, polar
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import GROUND

FULL_TURN = {"from_deg": 0, "to_deg": 360, "steps": 36}
# Theo Jansen's proportions of the walking leg.
JANSEN = {
    "a": 38.0, "b": 41.5, "c": 39.3, "d": 40.1, "e": 55.8, "f": 39.4, "g": 36.7,
    "h": 65.7, "i": 49.0, "j": 50.0, "k": 61.9, "l": 7.8, "m": 15.0,
}  # fmt: skip


def four_bar(
    ground: float = 4,
    crank: float = 1,
    coupler: float = 3.5,
    rocker: float = 3,
    *,
    at_deg: float = 40,
    crossed: bool = False,
    tracer: tuple[float, float] | None = None,
    title: str = "Four-bar",
    drive: Mapping[str, float] = FULL_TURN,
) -> Mechanism:
    """Crank AB, coupler BC, rocker DC, ground AD; `tracer` is a coupler point (along BC, left of it)."""
    a, d = (0.0, 0.0), (float(ground), 0.0)
    b = polar(crank, at_deg)
    c = meet(b, coupler, d, rocker, left=not crossed, name="four_bar")
    points = {"A": a, "B": b, "C": c, "D": d}
    parts = {GROUND: ["A", "D"], "crank": ["A", "B"], "coupler": ["B", "C"], "rocker": ["D", "C"]}
    if tracer is not None:
        points["T"] = on_bar(b, c, *tracer)
        parts["coupler"].append("T")
    return (
        pinned(title, points, parts)
        .drive("crank", joint="A", **drive)
        .ask("move", method="kinematic")
        .build()
    )


def hoeken(crank: float = 1) -> Mechanism:
    """Hoeken's four-bar: its tracer runs nearly straight for half of the rotation."""
    return four_bar(
        2 * crank,
        crank,
        2.5 * crank,
        2.5 * crank,
        tracer=(5 * crank, 0),
        title="Hoeken's straight-line linkage",
    )


def slider_crank(crank: float = 1, rod: float = 3, *, offset: float = 0, at_deg: float = 40) -> Mechanism:
    """Crank AB, rod BS, and a piston along x at the height `offset`."""
    b = polar(crank, at_deg)
    square = rod**2 - (b[1] - offset) ** 2
    if square < 0:
        raise ModelError.at(
            "slider_crank", "the rod does not reach the slide", "make it longer, or the offset smaller"
        )
    s = (b[0] + math.sqrt(square), float(offset))
    rail = (float(crank), float(offset))
    builder = pinned(
        "Slider-crank",
        {"A": (0.0, 0.0), "B": b, "S": s},
        {GROUND: ["A"], "crank": ["A", "B"], "rod": ["B", "S"], "piston": ["S"]},
        lines={"ground.G": (rail, 0), "piston.Q": (s, 0)},
    )
    builder.joint("slide", "prismatic", "ground.G", "piston.Q")
    return builder.drive("crank", joint="A", **FULL_TURN).ask("move", method="kinematic").build()


def quick_return(
    crank: float = 1, height: float = 2, arm: float = 5, rod: float = 2, *, at_deg: float = 20
) -> Mechanism:
    """A shaper: the crank pin's block slides in an arm that swings below it and pushes a ram."""
    o, a = (0.0, 0.0), (0.0, float(height))
    b = polar(crank, at_deg, a)
    turn_deg = math.degrees(math.atan2(b[1], b[0]))
    c = polar(arm, turn_deg)
    # The ram runs at the mean height of the arm's end, so that the rod swings evenly about it.
    lean = crank / height
    level = arm * (1 + math.sqrt(1 - lean**2)) / 2
    d = (c[0] - math.sqrt(rod**2 - (c[1] - level) ** 2), level)
    builder = pinned(
        "Quick-return shaper",
        {"O": o, "A": a, "B": b, "C": c, "D": d},
        {
            GROUND: ["O", "A"],
            "crank": ["A", "B"],
            "block": ["B"],
            "arm": ["O", "C"],
            "rod": ["C", "D"],
            "ram": ["D"],
        },
        lines={
            "block.S": (b, turn_deg),
            "arm.T": (o, turn_deg),
            "ground.G": ((0.0, level), 0),
            "ram.Q": (d, 0),
        },
    )
    builder.joint("slot", "prismatic", "arm.T", "block.S").joint("slide", "prismatic", "ground.G", "ram.Q")
    return builder.drive("crank", joint="A", **FULL_TURN).ask("move", method="kinematic").build()


def scotch_yoke(crank: float = 1, *, at_deg: float = 40) -> Mechanism:
    """The crank pin's block slides upright in a yoke that slides along x: a pure cosine."""
    b = polar(crank, at_deg)
    builder = pinned(
        "Scotch yoke",
        {"A": (0.0, 0.0), "B": b},
        {GROUND: ["A"], "crank": ["A", "B"], "block": ["B"], "yoke": []},
        lines={
            "block.S": (b, 90),
            "yoke.T": ((b[0], 0.0), 90),
            "yoke.Q": ((b[0] + 2 * crank, 0.0), 0),
            "ground.G": ((2.0 * crank, 0.0), 0),
        },
    )
    builder.joint("slot", "prismatic", "yoke.T", "block.S").joint("slide", "prismatic", "ground.G", "yoke.Q")
    return builder.drive("crank", joint="A", **FULL_TURN).ask("move", method="kinematic").build()


def jansen_leg(lengths: Mapping[str, float] | None = None, *, at_deg: float = 90) -> Mechanism:
    """One leg of Theo Jansen's walking machine; the foot is the marker `foot.F`.

    `lengths` replace some of his, by their letters: {"m": 14, "j": 52}.
    """
    n = {**JANSEN, **(lengths or {})}
    for name in n:
        if name not in JANSEN:
            raise ModelError.at(
                f"jansen_leg.{name}", "there is no such length", f"name one of {', '.join(JANSEN)}"
            )
    o, p = (0.0, 0.0), (-n["a"], -n["l"])
    x = polar(n["m"], at_deg)
    u = meet(x, n["j"], p, n["b"], left=False, name="jansen_leg")
    v = meet(p, n["d"], u, n["e"], left=True, name="jansen_leg")
    w = meet(x, n["k"], p, n["c"], left=True, name="jansen_leg")
    y = meet(v, n["f"], w, n["g"], left=False, name="jansen_leg")
    foot = meet(y, n["h"], w, n["i"], left=False, name="jansen_leg")
    return (
        pinned(
            "Jansen's walking leg",
            {"O": o, "P": p, "X": x, "U": u, "V": v, "W": w, "Y": y, "F": foot},
            {
                GROUND: ["O", "P"],
                "crank": ["O", "X"],
                "upper_rod": ["X", "U"],
                "shoulder": ["P", "U", "V"],
                "lower_rod": ["X", "W"],
                "rocker": ["P", "W"],
                "link": ["V", "Y"],
                "foot": ["W", "Y", "F"],
            },
        )
        .drive("crank", joint="O", **FULL_TURN)
        .ask("move", method="kinematic")
        .build()
    )


def watt(
    ground: float = 6,
    crank: float = 2,
    coupler: float = 5.5,
    rocker: float = 4.5,
    *,
    arm: tuple[float, float] = (1.8, -2.7),
    second_ground: tuple[float, float] = (12.5, 0),
    rod: float = 5,
    output: float = 4,
    at_deg: float = 40,
) -> Mechanism:
    """Watt's six-bar (kind II): a four-bar ABCD whose rocker drives a second one, DEFG.

    `arm` is the rocker's point E (along DC, left of it); `second_ground` is the pin G.
    """
    a, d, g = (0.0, 0.0), (float(ground), 0.0), (float(second_ground[0]), float(second_ground[1]))
    b = polar(crank, at_deg)
    c = meet(b, coupler, d, rocker, left=True, name="watt")
    e = on_bar(d, c, *arm)
    f = meet(e, rod, g, output, left=True, name="watt")
    points = {"A": a, "B": b, "C": c, "D": d, "E": e, "F": f, "G": g}
    return _six_bar("Watt's six-bar", points, coupler=["B", "C"], rocker=["D", "C", "E"])


def stephenson(
    ground: float = 6,
    crank: float = 2,
    coupler: float = 5.5,
    rocker: float = 4.5,
    *,
    tracer: tuple[float, float] = (2.75, 3.3),
    second_ground: tuple[float, float] = (-3, 6),
    rod: float = 5,
    output: float = 5,
    at_deg: float = 40,
) -> Mechanism:
    """Stephenson's six-bar (kind III): a four-bar ABCD whose coupler point E drives an output FG.

    `tracer` is E (along BC, left of it); `second_ground` is the pin G.
    """
    a, d, g = (0.0, 0.0), (float(ground), 0.0), (float(second_ground[0]), float(second_ground[1]))
    b = polar(crank, at_deg)
    c = meet(b, coupler, d, rocker, left=True, name="stephenson")
    e = on_bar(b, c, *tracer)
    f = meet(e, rod, g, output, left=True, name="stephenson")
    points = {"A": a, "B": b, "C": c, "D": d, "E": e, "F": f, "G": g}
    return _six_bar("Stephenson's six-bar", points, coupler=["B", "C", "E"], rocker=["D", "C"])


def _six_bar(
    title: str, points: dict[str, tuple[float, float]], *, coupler: list[str], rocker: list[str]
) -> Mechanism:
    """A four-bar ABCD, driven at A, and a rod EF to an output FG; E is on the coupler or on the rocker."""
    links = {
        GROUND: ["A", "D", "G"],
        "crank": ["A", "B"],
        "coupler": coupler,
        "rocker": rocker,
        "rod": ["E", "F"],
        "output": ["G", "F"],
    }
    return (
        pinned(title, points, links)
        .drive("crank", joint="A", **FULL_TURN)
        .ask("move", method="kinematic")
        .build()
    )


def peaucellier(arm: float = 5, side: float = 2, crank: float = 2, *, guided: bool = False) -> Mechanism:
    """Peaucellier's cell: the inversion of a circle through O is a straight line, exactly.

    O is the centre of inversion, with OA * OC = arm² - side²; A runs on a circle through O, so C on the
    line x = (arm² - side²) / (2 crank). `guided` adds that line as a slot, which constrains nothing that is
    not constrained already.
    """
    o, q = (0.0, 0.0), (float(crank), 0.0)
    a = polar(crank, 20, q)
    power = arm**2 - side**2
    reach = math.hypot(*a)
    c = (a[0] * power / reach**2, a[1] * power / reach**2)
    b = meet(o, arm, a, side, left=True, name="peaucellier")
    d = meet(o, arm, a, side, left=False, name="peaucellier")
    line = (power / (2 * crank), 0.0)
    builder = pinned(
        "Peaucellier's straight-line cell",
        {"O": o, "Q": q, "A": a, "B": b, "C": c, "D": d},
        {
            GROUND: ["O", "Q"],
            "crank": ["Q", "A"],
            "arm_b": ["O", "B"],
            "arm_d": ["O", "D"],
            "ab": ["A", "B"],
            "ad": ["A", "D"],
            "bc": ["B", "C"],
            "dc": ["D", "C"],
        },
        lines={"ground.L": (line, 90)} if guided else {},
    )
    if guided:
        builder.joint("slot", "in_line", "ground.L", "bc.C")
    drive = {"from_deg": -60, "to_deg": 20, "steps": 40}
    return builder.drive("crank", joint="Q", **drive).ask("move", method="kinematic").build()


def pantograph(arm: float = 4, ratio: float = 0.5) -> Mechanism:
    """O fixed, the guided point T, the pen P: O, T, P stay in line and OT = ratio * OP. Two drives."""
    if not 0 < ratio < 1:
        raise ModelError.at(
            "pantograph.ratio", f"must lie between 0 and 1, found {ratio:g}", "choose such a one"
        )
    o = (0.0, 0.0)
    b = polar(arm, 70)
    p = polar(arm, -40, b)
    a = on_bar(o, b, ratio * arm)
    c = on_bar(b, p, ratio * arm)
    t = (ratio * p[0], ratio * p[1])
    return (
        pinned(
            "Pantograph",
            {"O": o, "A": a, "B": b, "C": c, "T": t, "P": p},
            {
                GROUND: ["O"],
                "first": ["O", "A", "B"],
                "second": ["B", "C", "P"],
                "at": ["A", "T"],
                "ct": ["C", "T"],
            },
        )
        .drive("swing", joint="O", from_deg=-20, to_deg=20, steps=20)
        .drive("bend", joint="B", from_deg=20, to_deg=-20, steps=20)
        .ask("move", method="kinematic")
        .build()
    )


def five_bar(
    ground: float = 4, crank: float = 1, coupler: float = 3, *, first_deg: float = 110, second_deg: float = 60
) -> Mechanism:
    """Two cranks, each with its own drive, hold the point C by two couplers."""
    a, e = (0.0, 0.0), (float(ground), 0.0)
    b, d = polar(crank, first_deg), polar(crank, second_deg, e)
    c = meet(b, coupler, d, coupler, left=True, name="five_bar")
    return (
        pinned(
            "Five-bar with two drives",
            {"A": a, "B": b, "C": c, "D": d, "E": e},
            {
                GROUND: ["A", "E"],
                "left": ["A", "B"],
                "left_coupler": ["B", "C"],
                "right_coupler": ["D", "C"],
                "right": ["E", "D"],
            },
        )
        .drive("left", joint="A", from_deg=0, to_deg=360, steps=36)
        .drive("right", joint="E", from_deg=0, to_deg=-720, steps=36)
        .ask("move", method="kinematic")
        .build()
    )
