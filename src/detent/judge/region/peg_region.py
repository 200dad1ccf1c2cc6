"""Which offsets and tilts of its hole a rigid peg goes in at: borders from the drawing outward, and maps.

A map is a grid of two misalignments at once; on each line of it between a mating that goes in and one that
does not the border is bisected. All of one round of matings are one batch.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from detent.foundation.errors import ModelError
from detent.foundation.progress import doing, reached
from detent.foundation.units import unit_names
from detent.judge.region.many import MisalignedMatings, ends_of
from detent.judge.region.outward import NEAR, Tried, between, outward, side_by_side
from detent.judge.region.peg_runs import UNDECIDED, PegEnd
from detent.judge.rigid_mating.profile import MatingProfile
from detent.library.mating.force_law import Floats
from detent.model.document.mechanism import Mechanism
from detent.record.compliant_mating import GoesIn
from detent.record.going_in import (
    IN,
    AloneGoesIn,
    MapBorder,
    Misaligned,
    RegionBorder,
    RegionThatGoesIn,
    ToleranceMap,
)
from detent.record.scope import Scope

LINES = 13  # of a map's grid each way, unless asked otherwise
MOST_LINES = 101
TOO_HARD = "too much push"
# From the drawing outward: first steps and how far is looked, of the held part's size and in degrees.
_FIRST_OFFSET, _FAR_OFFSET = 1 / 1024, 1 / 4
_FIRST_TILT, _FAR_TILT = 1 / 64, 16.0
_BESIDE = 0.15  # of the width that goes in: how much farther maps reach
_COARSE = 9  # lines of the grid on which a peg that does not go in as drawn is looked for
_COARSE_OFFSET, _COARSE_TILT = 1 / 8, 1.0  # how far it reaches
_HALVINGS = 4  # of a grid's step

Key = tuple[float, ...]  # three of an offset, three of a tilt [deg]


@dataclass(frozen=True, eq=False)
class _Tries:
    """Matings by offset [document units] and tilt [deg], each once."""

    designs: MisalignedMatings
    most_push: float
    known: dict[Key, PegEnd] = field(default_factory=dict)

    def ends(self, keys: Sequence[Key]) -> list[PegEnd]:
        new = [key for key in dict.fromkeys(keys) if key not in self.known]
        if new:
            table = np.array(new)
            reached(len(self.known), detail=f"{len(new)} at once")
            ends = ends_of(self.designs.elsewhere(table[:, :3], np.radians(table[:, 3:])))
            self.known.update(zip(new, ends, strict=True))
        return [self.known[key] for key in keys]

    def tried(self, keys: Sequence[Key]) -> list[Tried]:
        return [self.judged(end) for end in self.ends(keys)]

    def judged(self, end: PegEnd) -> Tried:
        if end.outcome == IN and end.push > self.most_push:
            why = f"it takes a push of {end.push:.6g} N, more than {self.most_push:.6g} N"
            return Tried(False, TOO_HARD, why, end.push)
        return Tried(end.outcome == IN, end.outcome, end.why, end.push)


def region_of_peg(
    mechanism: Mechanism, lines: int = LINES, *, most_push: float = math.inf
) -> RegionThatGoesIn:
    """Borders of each offset and tilt alone; maps of both offsets, of a tilt with the offset in its plane.

    `most_push` [N] is what the drive can give.
    """
    if not 2 <= lines <= MOST_LINES:
        problem, remedy = f"{lines} lines each way are no map", f"give a number from 2 to {MOST_LINES}"
        raise ModelError.at("--region", problem, remedy)
    if not most_push > 0:
        raise ModelError.at("--most-push", f"{most_push:g} N moves nothing", "give a push above zero")
    designs = MisalignedMatings.read(mechanism, np.zeros((1, 3)))
    tries = _Tries(designs, most_push)
    search = _Search(tries)
    with doing("mating"):
        (drawn,) = tries.tried([(0.0,) * 6])
        alone = search.alone() if drawn.goes_in else ()
        maps = tuple(search.map(x, y, alone, lines) for x, y in search.planes)
    notes = () if alone else ("it does not go in as drawn: borders are looked for in the maps alone",)
    if not any(IN in row for told in maps for row in told.answers):
        notes = (*notes, "no misalignment of the maps was seen to go in; between their places may be some")
    why = drawn.why or f"as drawn, with {drawn.push:.4g} N at most"
    answer = "yes" if drawn.goes_in else "undecided" if drawn.answer == UNDECIDED else "no"
    return RegionThatGoesIn(
        as_drawn=GoesIn(answer=answer, why=why if drawn.goes_in else f"{drawn.answer}: {why}"),  # type: ignore[arg-type]
        misaligned=designs.hole.parts,
        about=_three(designs.hole.about),
        alone=alone,
        maps=maps,
        most_push=None if math.isinf(most_push) else most_push,
        matings=len(tries.known),
        scope=_scope(designs),
        notes=notes,
        units=mechanism.units,
    )


class _Search:
    """Axes of the task, and what is looked for along them."""

    def __init__(self, tries: _Tries) -> None:
        self.tries = tries
        machine = tries.designs.prepared[0]
        axes = MatingProfile(machine).axes
        self.along, self.first, self.second = (_clean(axes[:, k]) for k in range(3))
        self.size = machine.size / tries.designs.hole.plan.metres
        one, other = (Misaligned(kind="offset", along=_three(axis)) for axis in (self.first, self.second))
        tilt = Misaligned(kind="tilt", along=_three(self.second))
        self.planes = (one, other), (tilt, one)

    def alone(self) -> tuple[AloneGoesIn, ...]:
        """Each offset and tilt by itself, both ways, side by side."""
        every = [Misaligned(kind="offset", along=_three(axis)) for axis in (self.first, self.second)]
        every += [
            Misaligned(kind="tilt", along=_three(axis)) for axis in (self.first, self.second, self.along)
        ]
        searches = []
        for each in every:
            step, far = (_FIRST_TILT, _FAR_TILT) if each.kind == "tilt" else (
                self.size * _FIRST_OFFSET, self.size * _FAR_OFFSET,
            )  # fmt: skip
            searches += [outward(-step, far), outward(step, far)]
        found: list[RegionBorder] = side_by_side(
            searches,
            lambda asked: self.tries.tried([_key((every[number // 2], place)) for number, place in asked]),
        )
        return tuple(
            AloneGoesIn(kind=each.kind, along=each.along, low=found[2 * k], high=found[2 * k + 1])
            for k, each in enumerate(every)
        )

    def map(self, x: Misaligned, y: Misaligned, alone: tuple[AloneGoesIn, ...], lines: int) -> ToleranceMap:
        """Over what goes in by itself and a little more; of a drawing that does not, where a
        coarse grid does.
        """
        found = {(each.kind, each.along): each for each in alone}
        spans = [_span(found[each.kind, each.along]) for each in (x, y)] if alone else self._seen(x, y)
        xs, ys = ([float(v) + 0.0 for v in np.linspace(low, high, lines)] for low, high in spans)
        places = [[_key((x, a), (y, b)) for a in xs] for b in ys]
        tried = self.tries.tried([key for row in places for key in row])
        rows = [tried[k * lines : (k + 1) * lines] for k in range(lines)]
        return ToleranceMap(
            x=x,
            y=y,
            xs=tuple(xs),
            ys=tuple(ys),
            answers=tuple(tuple(one.answer for one in row) for row in rows),
            pushes=tuple(tuple(None if math.isnan(one.push) else one.push for one in row) for row in rows),
            borders=self._borders(x, y, xs, ys, rows),
        )

    def _seen(self, x: Misaligned, y: Misaligned) -> list[tuple[float, float]]:
        """The box of what goes in on a coarse grid, and a step more; all of the grid where nothing does."""
        axes = []
        for each in (x, y):
            far = _COARSE_TILT if each.kind == "tilt" else self.size * _COARSE_OFFSET
            axes.append(np.linspace(-far, far, _COARSE))
        keys = [(a, b) for b in axes[1] for a in axes[0]]
        tried = self.tries.tried([_key((x, a), (y, b)) for a, b in keys])
        inside = np.array([place for place, one in zip(keys, tried, strict=True) if one.goes_in])
        if not len(inside):
            return [(float(axis[0]), float(axis[-1])) for axis in axes]
        steps = [float(axis[1] - axis[0]) for axis in axes]
        return [
            (float(inside[:, k].min()) - steps[k], float(inside[:, k].max()) + steps[k]) for k in range(2)
        ]

    def _borders(
        self, x: Misaligned, y: Misaligned, xs: list[float], ys: list[float], rows: list[list[Tried]]
    ) -> tuple[MapBorder, ...]:
        """On every line of the grid, between neighbours of which one goes in."""
        cut: list[tuple[int, float, tuple[float, float, Tried]]] = []  # which way, at, between
        searches: list[Generator[float, Tried, Any]] = []

        def line(way: int, at: float, values: list[float], along: list[Tried]) -> None:
            for k in range(len(values) - 1):
                one, other = along[k], along[k + 1]
                if one.goes_in == other.goes_in:
                    continue
                inside, outside = (values[k], values[k + 1]) if one.goes_in else (values[k + 1], values[k])
                cut.append((way, at, (inside, outside, other if one.goes_in else one)))
                searches.append(between(inside, outside, 1.5 * abs(outside - inside) / 2**_HALVINGS))

        for row, at in zip(rows, ys, strict=True):
            line(0, at, xs, row)
        for k, at in enumerate(xs):
            line(1, at, ys, [row[k] for row in rows])

        def placed(number: int, value: float) -> tuple[float, float]:
            way, at, _ = cut[number]
            return (value, at) if way == 0 else (at, value)

        def keyed(number: int, value: float) -> Key:
            a, b = placed(number, value)
            return _key((x, a), (y, b))

        found = side_by_side(searches, lambda asked: self.tries.tried([keyed(*each) for each in asked]))
        return tuple(
            MapBorder(
                inside=placed(k, inside), outside=placed(k, outside), answer=(beyond or cut[k][2][2]).answer
            )
            for k, (inside, outside, beyond) in enumerate(found)
        )


def _span(alone: AloneGoesIn) -> tuple[float, float]:
    """From border to border, and a little more."""
    assert alone.low is not None
    assert alone.high is not None
    low, high = (
        float(b.outside if b.outside is not None else b.inside or 0.0) for b in (alone.low, alone.high)
    )
    return low - _BESIDE * (high - low), high + _BESIDE * (high - low)


def _key(*parts: tuple[Misaligned, float]) -> Key:
    key = np.zeros(6)
    for each, value in parts:
        first = 3 if each.kind == "tilt" else 0
        key[first : first + 3] += value * np.array(each.along)
    return tuple((np.round(key, 15) + 0.0).tolist())


def _clean(vector: Floats) -> Floats:
    """Without rounding's rest."""
    return np.where(np.abs(vector) < 1e-12, 0.0, vector)


def _three(vector: Any) -> tuple[float, float, float]:
    x, y, z = (float(c) + 0.0 for c in vector)
    return x, y, z


def _scope(designs: MisalignedMatings) -> Scope:
    machine = designs.prepared[0]
    unit = unit_names(designs.hole.plan.mechanism.units).length
    first = _FIRST_OFFSET * machine.size / designs.hole.plan.metres
    return Scope(
        certainty="sampled",
        covers="each misalignment that was mated, by steps as `mate` takes them. Borders are refined: of one "
        f"misalignment alone to {100 * NEAR:g} % of it, or of {first:.3g}{unit} and {_FIRST_TILT:g} deg; in "
        f"maps to 1/{2**_HALVINGS} of the grid's step. Nothing is proved: between what was tried a gap "
        "within a border, or another place beyond it, may be missed",
        left_out=(
            "more than two misalignments at once, and other pairs than those of the maps",
            "further legs: the first alone is judged, whose direction stays as drawn",
            *machine.leader.left_out,
        ),
        assumed=machine.assumed,
    )
