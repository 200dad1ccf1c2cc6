"""How far beside its place, and how far turned, the counterpart of what gives way may stand and still go in.

Lengths are in document units, angles in degrees. Everything is counted from the document as drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Literal

from detent.foundation.units import unit_names
from detent.record.base import Value
from detent.record.compliant_mating import GoesIn
from detent.record.led.mating import Three
from detent.record.run import Predicted
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular, with_unit

if TYPE_CHECKING:
    from detent.record.table import ColumnArray


IN = "in"  # of a map's answers


class RegionBorder(Value, frozen=True, omit_defaults=True):
    """One border: `inside` is the last that was seen to go in, `outside` the nearest that was seen not to.

    `outside` is null where all that was tried goes in, `inside` then being the farthest. Where it does
    not go in at zero, that is `outside`, and `inside` null.
    """

    inside: float | None = None
    push: float | None = None  # the largest, at `inside` [N]
    outside: float | None = None
    answer: str = ""  # of the mating at `outside`
    why: str = ""


class AloneGoesIn(Value, frozen=True, omit_defaults=True):
    """One misalignment by itself, all others zero; null where it is not looked at, which `why_not` says."""

    kind: Literal["offset", "tilt"]
    along: Three  # of an offset; the axis of a tilt, counter-clockwise about it
    low: RegionBorder | None = None
    high: RegionBorder | None = None
    why_not: str = ""


class TiltedOffsets(Value, frozen=True, omit_defaults=True):
    """Offsets that go in at one tilt."""

    tilt: float
    low: RegionBorder
    high: RegionBorder


class Misaligned(Value, frozen=True):
    """One way of standing beside: an offset along a direction, or a tilt about it."""

    kind: Literal["offset", "tilt"]
    along: Three


class MapBorder(Value, frozen=True):
    """Between two misalignments (x, y) of a map, on one line of its grid: one goes in, the other does not."""

    inside: tuple[float, float]
    outside: tuple[float, float]
    answer: str  # of the mating at `outside`

    @property
    def middle(self) -> tuple[float, float]:
        return (self.inside[0] + self.outside[0]) / 2, (self.inside[1] + self.outside[1]) / 2


class ToleranceMap(Value, frozen=True):
    """Two misalignments at once on a grid, with the borders on its lines, all others zero."""

    x: Misaligned
    y: Misaligned
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    answers: tuple[tuple[str, ...], ...]  # [y][x]: `in`, or what stops it
    pushes: tuple[tuple[float | None, ...], ...]  # [N] the largest of each; null where it was not run
    borders: tuple[MapBorder, ...]

    def pieces(self) -> list[list[tuple[float, float]]]:
        """Polygons that go in, cell by cell, straight between the borders that were found."""
        on: dict[tuple[int, int, int], tuple[float, float]] = {}
        for border in self.borders:
            level = border.inside[1] == border.outside[1]
            near = bisect_right(self.xs, border.middle[0]) - 1, bisect_right(self.ys, border.middle[1]) - 1
            on[(near[0], self.ys.index(border.inside[1]), 0) if level
               else (self.xs.index(border.inside[0]), near[1], 1)] = border.middle  # fmt: skip
        found = []
        for i in range(len(self.xs) - 1):
            for j in range(len(self.ys) - 1):
                corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
                edges = [(i, j, 0), (i + 1, j, 1), (i, j + 1, 0), (i, j, 1)]
                within = [self.answers[b][a] == IN for a, b in corners]
                at = [(self.xs[a], self.ys[b]) for a, b in corners]
                if within in ([True, False] * 2, [False, True] * 2):  # two corners apart
                    found += [
                        [on[edges[k - 1]], at[k], on[edges[k]]] for k in range(4) if within[k]
                    ]  # fmt: skip
                    continue
                ring = []
                for k in range(4):
                    ring += [at[k]] if within[k] else []
                    ring += [on[edges[k]]] if edges[k] in on else []
                found += [ring] if ring else []
        return found

    @property
    def area(self) -> float:
        """Of what goes in, in units of x times units of y: by its pieces, so between borders a guess."""
        total = 0.0
        for ring in self.pieces():
            for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
                total += (x0 * y1 - x1 * y0) / 2
        return total


class RegionThatGoesIn(Tabular, Predicted, frozen=True):
    """Which offsets and tilts of the counterpart go in."""

    as_drawn: GoesIn
    misaligned: tuple[str, ...]  # the parts that stand beside or turned
    about: Three  # the point that tilts go about
    alone: tuple[AloneGoesIn, ...] = ()
    together: tuple[TiltedOffsets, ...] = ()  # offsets along `across`, at tilts about `axis`
    across: Three | None = None
    axis: Three | None = None
    maps: tuple[ToleranceMap, ...] = ()  # of pegs
    most_push: float | None = None  # [N] more of it counts as not going in
    matings: int = 0
    scope: Scope = UNTOLD
    notes: tuple[str, ...] = ()
    units: str = "m"

    def columns(self) -> dict[str, ColumnArray]:
        """A row per tilt: the offsets between which it goes in, and where it was seen not to.

        Where no tilts were looked at, the first offset alone. Of maps, a row per misalignment of their grids
        and per side of their borders.
        """
        import numpy as np

        from detent.record.frozen import read_only

        if self.maps:
            return self._of_maps()
        length = unit_names(self.units).length.strip()
        rows = self.together or tuple(
            TiltedOffsets(tilt=0.0, low=each.low, high=each.high)
            for each in self.alone[:1]
            if each.low is not None and each.high is not None
        )
        columns: dict[str, list[float | None]] = {
            "tilt [deg]": [row.tilt for row in rows],
            with_unit("from", length): [row.low.inside for row in rows],
            with_unit("to", length): [row.high.inside for row in rows],
            with_unit("below_not", length): [row.low.outside for row in rows],
            with_unit("above_not", length): [row.high.outside for row in rows],
        }
        return {
            name: read_only(np.array([np.nan if x is None else x for x in values], float))
            for name, values in columns.items()
        }

    def _of_maps(self) -> dict[str, ColumnArray]:
        import numpy as np

        from detent.record.frozen import read_only

        names: list[str] = []
        rows: list[dict[str, object]] = []
        length = unit_names(self.units).length.strip()

        def put(
            number: int, told: ToleranceMap, place: tuple[float, float], answer: str, push: object
        ) -> None:
            row: dict[str, object] = {"map": number, "answer": answer, "push [N]": push}
            for axis, value in zip((told.x, told.y), place, strict=True):
                along = ", ".join(f"{x:.4g}" for x in axis.along)
                name = with_unit(f"{axis.kind} ({along})", "deg" if axis.kind == "tilt" else length)
                if name not in names:
                    names.append(name)
                row[name] = value
            rows.append(row)

        for number, told in enumerate(self.maps, 1):
            for j, y in enumerate(told.ys):
                for i, x in enumerate(told.xs):
                    put(number, told, (x, y), told.answers[j][i], told.pushes[j][i])
            for border in told.borders:
                put(number, told, border.inside, IN, None)
                put(number, told, border.outside, border.answer, None)
        columns: dict[str, ColumnArray] = {"map": read_only(np.array([row["map"] for row in rows]))}
        for name in names:  # what a map does not vary is zero
            columns[name] = read_only(np.array([row.get(name, 0.0) for row in rows], float))
        columns["answer"] = read_only(np.array([row["answer"] for row in rows]))
        pushes = [np.nan if row["push [N]"] is None else row["push [N]"] for row in rows]
        return columns | {"push [N]": read_only(np.array(pushes, float))}

    def _line(self) -> str:
        looked = f"{len(self.maps)} maps" if self.maps else f"{len(self.together)} tilts"
        return f"{self.as_drawn.answer} as drawn; {looked}, {self.matings} matings"
