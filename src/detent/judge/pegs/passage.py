"""The whole way of a peg into its hole: which contacts it has at which depth, by the closed forms.

Depths are along the pressed side, of its corner at the tip below the rim, negative above. The borders
between regimes are roots of linear and cubic equations; between two of them one regime holds, which a depth
in the middle decides. The peg slides down all the way; where no contacts hold it so, friction locks it, and
the way ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from detent.judge.pegs import theory
from detent.judge.pegs.theory import Peg

Regime = Literal["above", "chamfer", "free", "rim", "tip", "flat", "two points", "locked", "both", "face"]
Side = Literal[-1, 0, 1]  # towards which x the peg is pressed at its rim or tip; 0 where it touches nothing

WORDS: dict[Regime, str] = {
    "above": "nothing touches",
    "chamfer": "chamfer",
    "free": "in the hole, nothing touches",
    "rim": "one point: rim on its side",
    "tip": "one point: tip's corner on the wall",
    "flat": "side flat on the wall",
    "two points": "two points",
    "locked": "friction locks",
    "both": "stopped on both sides",
    "face": "stands on the face",
}


@dataclass(frozen=True)
class Pushes:
    """Contact forces at a depth: normal forces, and all of them together."""

    depth: float
    regime: Regime
    side: Side
    along: float = 0.0  # F_z, against the push
    across: float = 0.0  # F_x of the support towards +x, which the contacts balance
    lean: float = 0.0  # th
    right_rim: float = 0.0
    left_corner: float = 0.0
    left_rim: float = 0.0
    right_corner: float = 0.0
    travel: float = 0.0  # of the compliance centre past where the unloaded tip's middle is at the rims

    @property
    def normals(self) -> tuple[float, float, float, float]:
        return self.right_rim, self.left_corner, self.left_rim, self.right_corner


@dataclass(frozen=True)
class Stretch:
    """A regime between two depths."""

    regime: Regime
    side: Side
    begin: float
    end: float


@dataclass(frozen=True)
class Passage:
    """The way in, stretch by stretch, as far as it goes."""

    peg: Peg
    stretches: tuple[Stretch, ...]
    why: str = ""  # why it ends before the depth asked for

    @property
    def locks(self) -> bool:
        return bool(self.why)

    @property
    def end(self) -> float:
        return self.stretches[-1].end

    def first(self, *regimes: Regime) -> Stretch | None:
        """The first stretch of one of the regimes."""
        return next((each for each in self.stretches if each.regime in regimes), None)

    def at(self, depth: float) -> Pushes:
        """Forces at a depth; at a border those of the stretch that begins there."""
        for stretch in reversed(self.stretches):
            if depth >= stretch.begin:
                return pushes(self.peg, depth, stretch.regime, stretch.side)
        return pushes(self.peg, depth, "above", 0)

    def depths(self, stretch: Stretch, each: int) -> list[float]:
        """So many depths of a stretch, its ends and where its force is extreme among them."""
        wide = stretch.end - stretch.begin
        if wide <= 0:
            return [stretch.begin]
        peg = self.peg if stretch.side > 0 else self.peg.mirrored
        of = {"rim": theory.one_point_peaks, "two points": theory.two_point_peaks}.get(stretch.regime)
        peaks = [] if of is None else [peak for peak in of(peg) if stretch.begin < peak < stretch.end]
        shares = [k / (each - 1) for k in range(each)]
        if stretch.regime == "two points":  # its force is a square of 1 / l
            first, last = 1 / stretch.begin, 1 / stretch.end
            inner = [1 / (first + (last - first) * share) for share in shares[1:-1]]
        else:
            inner = [stretch.begin + wide * share for share in shares[1:-1]]
        return sorted([stretch.begin, *inner, *peaks, stretch.end])

    def rows(self, each: int) -> list[Pushes]:
        """Forces along the way, so many per stretch; both sides of every border, where they may jump."""
        return [
            pushes(self.peg, depth, stretch.regime, stretch.side)
            for stretch in self.stretches
            for depth in self.depths(stretch, each)
        ]


def _plain(length: float) -> str:
    return f"{length:.6g}"


def passage(
    peg: Peg,
    depth: float,
    *,
    width: float | None = None,
    above: float = 0.0,
    rounded: bool = False,
    said: Callable[[float], str] = _plain,
) -> Passage:
    """From `above` the rims to a depth; `width` of the chamfer along the face, without end unless given.

    Of a `rounded` edge, which has no closed form, the way begins inside. `said` tells a length, in sentences
    why the way ends.
    """
    if peg.play <= 0:
        return too_large(peg, width, above, rounded=rounded, said=said)
    over = abs(peg.error) - peg.play
    side: Side = 1 if peg.error > 0 else -1
    pressed = peg if side > 0 else peg.mirrored
    wide = math.inf if width is None else width
    if over <= 0 or (rounded and over <= wide):
        first = -above + peg.radius * abs(peg.lean)
        begin = Stretch("above", 0, first, 0.0)
        return _in_hole(peg, depth, (begin,) if first < 0 else ())
    if peg.angle is None or over > wide:
        beside = over - (wide if peg.angle is not None else 0.0)
        what = (
            "beside its chamfer"
            if peg.angle is not None and wide > 0
            else "beside the hole, which has no chamfer"
        )
        high = 0.0 if peg.angle is None else -wide * math.tan(peg.angle)
        why = f"the tip stands {{}} {what}"
        return Passage(peg, (Stretch("above", 0, -above, high),), why.format(said(beside)))
    high = -over * math.tan(peg.angle)
    first = -above - peg.radius * pressed.lean
    approach = (Stretch("above", side, first, high),) if first < high else ()
    if math.isinf(theory.chamfer_travel(pressed)):
        stretches = (*approach, Stretch("locked", side, high, high))
        return Passage(
            peg,
            stretches,
            "friction holds the peg's corner on the chamfer: pushed on, it sticks there, and the force grows",
        )
    return _in_hole(peg, depth, (*approach, Stretch("chamfer", side, high, 0.0)))


def too_large(
    peg: Peg, width: float | None, above: float, *, rounded: bool, said: Callable[[float], str]
) -> Passage:
    """The way of a peg without play, to where it stops: on the face, or with both corners on the chamfer."""
    what = f"larger than its hole by {said(-2 * peg.play)} across" if peg.play < 0 else "as wide as its hole"
    if rounded:
        why = f"the peg is {what}: it stops on the rounded edge, where no closed form tells the depth"
        return Passage(peg, (Stretch("above", 0, -above, 0.0),), why)
    wide = 0.0 if peg.angle is None else math.inf if width is None else width
    slope = 0.0 if peg.angle is None else math.tan(peg.angle)
    met: list[tuple[float, Side, float]] = []  # where the middle of the tip is as a corner meets the plate
    ways: tuple[tuple[Side, Peg], ...] = ((1, peg), (-1, peg.mirrored))
    for side, each in ways:
        over = each.error - each.play
        if over >= 0:
            high = -slope * min(over, wide)
            met.append((high + each.radius * each.lean, side, high))
    _, side, high = min(met)  # of a peg without play one corner at least is over the face
    each = peg if side > 0 else peg.mirrored
    first = -above - each.radius * each.lean
    way = (Stretch("above", side, first, high),) if first < high else ()
    over = each.error - each.play
    if over > wide or peg.angle is None:
        why = f"the peg is {what}: it stands on the face and does not enter the mouth"
        return Passage(peg, (*way, Stretch("face", side, high, high)), why)
    # The other side follows later by `reach` along the face, less what the peg tilts.
    reach = each.error - each.radius * each.lean / slope
    if reach > 0 and math.isinf(theory.chamfer_travel(each)):
        why = f"the peg is {what}, and friction holds its corner on the chamfer"
        return Passage(peg, (*way, Stretch("locked", side, high, high)), why)
    if reach > 0 and theory.chamfer_softness(each) <= 0:
        why = f"the peg is {what}: it turns over on the chamfer, and no closed form tells how far"
        return Passage(peg, (*way, Stretch("chamfer", side, high, high)), why)
    end, on_face = _other_side(each, max(reach, 0.0), wide)
    if end > high:
        way = (*way, Stretch("chamfer", side, high, end))
    stop = Stretch("both", side, end, end)
    middle = pushes(peg, end, "both", side).travel
    where = (
        "with one side on the chamfer, the other on the face" if on_face else "with both sides on the chamfer"
    )
    short = f", {said(-middle)} before the chamfer ends" if middle < 0 else ", at its end"
    return Passage(peg, (*way, stop), f"the peg is {what}: it stops {where}{'' if on_face else short}")


def _other_side(peg: Peg, reach: float, wide: float) -> tuple[float, bool]:
    """Where the corner on the right chamfer is as the left one meets its chamfer, or the face."""
    assert peg.angle is not None
    a, b = theory.on_chamfer(peg)
    slope, turning = math.tan(peg.angle), (peg.radius * a - peg.centre * b) / peg.tilt
    soft = theory.chamfer_softness(peg)
    aside = b / peg.lateral - peg.centre * turning
    force = reach / soft if reach > 0 else 0.0
    on_face = aside * force - peg.error - peg.play > wide
    if on_face:
        gone = (peg.error - peg.play - wide) * slope - 2 * peg.radius * peg.lean
        force = gone / (slope * soft + peg.radius * turning)
    return -slope * (peg.error - aside * force - peg.play), on_face


def _in_hole(peg: Peg, depth: float, before: tuple[Stretch, ...]) -> Passage:
    stretches = list(before)
    borders = [0.0, *(border for border in _borders(peg) if 0 < border < depth), depth]
    last: tuple[Regime, Side] | None = None
    for begin, end in pairwise(borders):
        if end - begin <= 1e-12 * depth and end < depth:
            continue
        held = _held(peg, (begin + end) / 2)
        if not held:
            why = "friction locks: no contact forces hold the peg while it slides in"
            return Passage(peg, (*stretches, Stretch("locked", 0, begin, begin)), why)
        now = last if last in held else held[0]
        assert now is not None
        if now == last:
            stretches[-1] = Stretch(*now, stretches[-1].begin, end)
        else:
            stretches.append(Stretch(*now, begin, end))
        last = now
    return Passage(peg, tuple(stretches))


def _borders(peg: Peg) -> list[float]:
    """Depths at which one regime may give way to another."""
    borders: set[float] = set()
    for each in (peg, peg.mirrored):
        if each.lean:
            borders.add((each.error - each.play) / each.lean)
        borders.update(theory.rim_locks(each))
        borders.update(theory.tip_loose_depths(each))
        borders.add(theory.flat_from(each))
        if (leaning := theory.one_point(each, 0.0).lean) > 0:
            borders.add(2 * each.play / leaning)
    return sorted(border for border in borders if math.isfinite(border))


def _held(peg: Peg, depth: float) -> list[tuple[Regime, Side]]:
    """The regimes in which contacts hold the peg at a depth while it slides in."""
    held: list[tuple[Regime, Side]] = []
    reaches = [s * error for s in (1, -1) for error in (peg.error, peg.error - depth * peg.lean)]
    if max(reaches) <= peg.play:
        held.append(("free", 0))
    sides: Sequence[tuple[Side, Peg]] = ((1, peg), (-1, peg.mirrored))
    for side, each in sides:
        rim, tip = theory.one_point(each, depth), theory.one_point(each, 0.0)
        if (
            theory.rim_softness(each, depth) > 0
            and rim.normal > 0
            and -2 * each.play <= depth * rim.lean <= 0
        ):
            held.append(("rim", side))
        if theory.rim_softness(each, 0.0) > 0 and tip.normal > 0 and 0 < depth * tip.lean <= 2 * each.play:
            held.append(("tip", side))
        if 0 <= theory.flat_from(each) <= depth:
            held.append(("flat", side))
        twice = theory.two_point(each, depth)
        if twice.valid:
            held.append(("two points", side))
    return held


def pushes(peg: Peg, depth: float, regime: Regime, side: Side) -> Pushes:
    """The forces of a regime at a depth."""
    if side == 0:
        return Pushes(depth, regime, side, lean=peg.lean, travel=depth - peg.radius * abs(peg.lean))
    each = peg if side > 0 else peg.mirrored
    if regime in ("above", "locked", "face"):
        return Pushes(depth, regime, side, lean=peg.lean, travel=depth + peg.radius * each.lean)
    if regime in ("chamfer", "both"):
        return replace(_on_chamfer(each, depth, side), regime=regime)
    corner = rim = tip = 0.0
    if regime == "two points":
        twice = theory.two_point(each, depth)
        rim, tip, lean = twice.rim, twice.tip, twice.lean
    elif regime == "flat":
        held = theory.flat_force(each)
        at = theory.flat_from(each)
        share = at / depth if depth > 0 else 0.0
        rim, corner, lean = share * held.normal, (1 - share) * held.normal, 0.0
    else:
        held = theory.one_point(each, depth if regime == "rim" else 0.0)
        rim, corner = (held.normal, 0.0) if regime == "rim" else (0.0, held.normal)
        lean = held.lean
    forces = (rim, tip, 0.0, corner) if side > 0 else (0.0, corner, rim, tip)
    along = peg.friction * sum(forces)
    across = side * (rim + corner - tip)
    travel = depth + peg.radius * lean  # of the middle, which is above the corner of a side that leans out
    return Pushes(depth, regime, side, along, across, side * lean, *forces, travel=travel)


def _on_chamfer(peg: Peg, depth: float, side: Side) -> Pushes:
    """Of a peg mirrored so that it is pressed to the right."""
    assert peg.angle is not None
    high = (peg.error - peg.play) * math.tan(peg.angle)
    whole = theory.chamfer_travel(peg)
    gone = whole * (1 + depth / high) if depth > -high else 0.0
    met = theory.chamfer_force(peg, gone)
    travel = gone - high + peg.radius * peg.lean
    return Pushes(depth, "chamfer", side, met.along, side * met.across, side * met.lean, travel=travel)
