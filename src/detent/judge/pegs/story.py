"""A peg of a document through its leg: the closed forms, the exact geometry beside them, and what follows.

All in SI. Depths are of the peg's shoulder below the rims, which is its tip unless that is chamfered. The
carrier's travel is what the legs lead: the peg is behind it by F_z over the stiffness along the way in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np

from detent.judge.pegs import jamming, theory
from detent.judge.pegs.exact_geometry import Equilibrium, ExactPassage, exact_passage
from detent.judge.pegs.passage import Passage, Pushes, Stretch, passage, pushes
from detent.judge.pegs.recognise import PegInHole
from detent.judge.pegs.theory import Wedging
from detent.numeric.roots import bracketed_root

_ROWS = 25  # of a stretch of one regime
_STUCK = 0.1  # of the peg's half width: how far a stuck peg is pushed on
_SAME = 1e-11  # [m] between advances of the centre: those of the rows are asked for, so that less is rounding
_EXACT_ROWS = 120  # of the way by the exact geometry
Answer = Literal["yes", "no", "nothing touched", "undecided"]


@dataclass(frozen=True, eq=False)
class PegStory:
    """A peg and its way, as deep as its leg leads it, or walls and sides go."""

    found: PegInHole

    @cached_property
    def whole(self) -> Passage:
        """The way by the closed forms, as deep as walls and sides go."""
        found = self.found
        above = max(found.gap, 0.0)
        return passage(
            found.theory, self.deepest, width=found.width, above=above, rounded=found.rounded, said=found.said
        )

    @property
    def deepest(self) -> float:
        """Of the shoulder: to the bottom of the hole, or to where walls or sides end."""
        return min(self.found.bore - (self.found.nose if self.found.blind else 0.0), self.found.side)

    @cached_property
    def rows(self) -> tuple[Pushes, ...]:
        """Forces along the way, to where the leg ends."""
        rows = self.whole.rows(_ROWS)
        last = self.ends_at
        if last is None:
            return tuple(rows)
        depth, stretch = last
        kept = [row for row in rows if row.depth < depth]
        return (*kept, self.row(stretch, depth))

    @cached_property
    def ends_at(self) -> tuple[float, Stretch] | None:
        """Depth of the shoulder where the leg is done; None where the peg's way ends before."""
        distance = self.found.distance
        if distance is None:
            return None
        for stretch in self.whole.stretches:
            for low, high in pairwise(self.whole.depths(stretch, _ROWS)):
                if self.travel(self.row(stretch, high)) >= distance:
                    if self.travel(self.row(stretch, low)) >= distance:
                        return low, stretch

                    def ahead(depth: float, on: Stretch = stretch, to: float = distance) -> float:
                        return self.travel(self.row(on, depth)) - to

                    return bracketed_root(ahead, low, high), stretch
        return None

    def row(self, stretch: Stretch, depth: float) -> Pushes:
        """The forces of a stretch at a depth of the shoulder."""
        return pushes(self.found.theory, depth, stretch.regime, stretch.side)

    def travel(self, row: Pushes) -> float:
        """Of the carrier, from where it is drawn."""
        return self.found.gap + row.travel + row.along / self.found.axial

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """Regimes as far as the leg leads."""
        last = self.ends_at
        if last is None:
            return self.whole.stretches
        depth, stretch = last
        before = [each for each in self.whole.stretches if each.begin < stretch.begin]
        return (*before, Stretch(stretch.regime, stretch.side, stretch.begin, depth))

    def first(self, *regimes: str) -> Stretch | None:
        """The first stretch of one of the regimes."""
        return next((each for each in self.stretches if each.regime in regimes), None)

    @property
    def chamfer_end(self) -> Pushes | None:
        """Where the chamfer's force is largest; None where none is crossed."""
        crossed = self.first("chamfer")
        return None if crossed is None else self.row(crossed, crossed.end)

    @property
    def usual_chamfer_force(self) -> float | None:
        """The peak by the usual form, which lacks r / tan a."""
        peg = self.found.theory
        pressed = peg if peg.error > 0 else peg.mirrored
        if self.first("chamfer") is None or not math.isfinite(theory.chamfer_travel(pressed)):
            return None
        if theory.chamfer_softness(pressed, lever=False) <= 0:
            return None
        return theory.chamfer_force(pressed, theory.chamfer_travel(pressed), lever=False).along

    @cached_property
    def two_points(self) -> tuple[float, float] | None:
        """Depths of the shoulder between which two contacts hold the peg, first to last."""
        twice = [each for each in self.whole.stretches if each.regime == "two points"]
        return (twice[0].begin, twice[-1].end) if twice else None

    @property
    def wedging(self) -> Wedging:
        """Whether two contacts begin where they may lock."""
        return theory.wedging(self.found.theory, None if self.two_points is None else self.two_points[0])

    @property
    def may_wedge(self) -> tuple[float, float] | None:
        """Depths of the shoulder between which two contacts may lock as well as slide."""
        twice, depth = self.two_points, self.wedging.depth
        if twice is None or twice[0] >= depth:
            return None
        return twice[0], min(twice[1], depth)

    @cached_property
    def path(self) -> tuple[tuple[float, float, float, float], ...]:
        """(depth, lam, F_x / F_z, M / (r F_z)) at every row with contacts in the hole."""
        peg = self.found.theory
        points = []
        for row in self.rows:
            if row.depth <= 0 or row.regime == "chamfer" or peg.friction == 0:
                continue
            load = jamming.load_at_tip(peg, row.depth, row.normals)
            if load is not None:
                points.append((row.depth, jamming.slenderness(peg, row.depth), *load))
        return tuple(points)

    @property
    def leaves(self) -> float | None:
        """The depth at which no load on the parallelogram moves the peg on: friction locks; None: it never
        does.
        """
        locked = self.first("locked")
        return None if locked is None else locked.begin

    @cached_property
    def exact(self) -> ExactPassage:
        """The same way by the exact geometry."""
        found = self.found
        first = -max(abs(found.theory.error), found.theory.radius * 0.1) * 2 - (found.width or 0.0) * 3
        low = min(first, -abs(found.theory.radius * math.sin(found.theory.lean)) * 2)
        if found.theory.angle is not None and found.width:
            low = min(low, -2 * found.width * math.tan(found.theory.angle))
        high = max((row.travel for row in self.rows), default=0.0)
        if self.leaves is not None and found.distance is not None:  # where it sticks, and the force grows
            high = max(high, min(found.distance - found.gap, high + _STUCK * found.theory.radius))
        if found.theory.play <= 0 or high <= low or self.beside:
            return ExactPassage((), (), False)
        # Half of the rows above the rims or at them, where the chamfer is.
        places = np.union1d(np.linspace(low, high, _EXACT_ROWS), [row.travel for row in self.rows])
        return exact_passage(found.shape, [float(x) for x in places[places >= low]])

    @property
    def beside(self) -> bool:
        """Whether the tip stands beside hole and chamfer."""
        return bool(self.whole.why) and self.whole.first("chamfer", "locked", "free") is None

    def exact_at(self, row: Pushes) -> Equilibrium | None:
        """The exact equilibrium at a row's advance of the centre."""
        advances = [held.advance for held in self.exact.rows]
        k = int(np.searchsorted(advances, row.travel - _SAME))
        for each in self.exact.rows[max(k - 1, 0) : k + 2]:
            if abs(each.advance - row.travel) < _SAME:
                return each
        return None

    @property
    def exact_chamfer(self) -> float | None:
        """The largest F_z on the chamfer by the exact geometry."""
        forces = [held.along for held in self.exact.rows if any("chamfer" in name for name in held.names)]
        return max(forces, default=None)

    @property
    def exact_second(self) -> float | None:
        """The depth of the shoulder at the first second contact, on the other side, by the exact geometry."""
        for change in self.exact.changes:
            sides = {name.split()[0] for name in change.after}
            if len(sides) == 2 and len({name.split()[0] for name in change.before}) == 1:
                side = 1 if change.before[0].startswith("right") else -1
                return change.depth - side * self.found.theory.radius * math.sin(change.lean)
        return None

    @property
    def answer(self) -> tuple[Answer, str]:
        """Whether it goes in, and why."""
        whole = self.whole
        if whole.why and self.ends_at is None:
            return "no", whole.why
        if self.ends_at is not None and self.ends_at[1].regime in ("above", "chamfer"):
            above = self.ends_at[1].regime == "above"
            return ("nothing touched", "the leg ends above the hole") if above else (
                "no", "the leg ends while the peg's corner is on the chamfer"
            )  # fmt: skip
        peg = self.found.theory
        if self.found.rounded and abs(peg.error) > peg.play:
            return "undecided", (
                "the crossing of a rounded edge has no closed form here; the rest is told as if it got in"
            )
        if self.may_wedge is not None and self.first("two points") is not None:
            return "undecided", (
                "it goes in as long as it slides; but two contacts begin at l/d < mu, where they may also "
                "lock (wedge), whatever pushes: which of them occurs depends on how it came there, which "
                "these forms leave out"
            )
        if self.exact.locks:
            return (
                "undecided",
                "the closed forms let it slide in, the exact geometry has no equilibrium that slides on",
            )
        friction = self.found.theory.friction > 0
        if friction and not any(row.along > 0 for row in self.rows):
            return "yes", "it goes in without touching"
        on_border = ", with the load that its contacts ask for on the border of the diagram"
        return "yes", f"it slides at every depth{on_border if friction else ''}"
