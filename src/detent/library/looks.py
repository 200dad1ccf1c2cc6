"""What library parts look like, and the markers they bring, for pictures.

An O-ring is a torus in its groove. A PUMA 560 is a column, two arms and a wrist
between the origins of its link frames at the working point; the thicknesses are
ours, for the eye. Lengths are in the document's units, `set` is in them too; a
robot's are metres.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from detent.foundation.errors import ModelError
from detent.foundation.units import METRES
from detent.geometry import frame as frames
from detent.geometry import solid as solids
from detent.geometry.frame import Exact3, Frame
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Part

if TYPE_CHECKING:
    from detent.library.puma560 import Matrix

GRAIN = 10**9  # a drawn frame's numbers are rounded to this part of a metre


def solid_of(mechanism: Mechanism, name: str) -> solids.Solid | None:
    """The solid of a library part in its own frame; None for one that has no looks."""
    part = mechanism.parts[name]
    maker = LIBRARY_SOLIDS.get(part.library or "")
    settings = _Settings(name, part)
    return None if maker is None else solids.numbered(maker(settings, 1 / METRES[mechanism.units]))


def brought(mechanism: Mechanism) -> dict[str, Frame]:
    """Frames of the markers that library parts bring, by part.marker, relative to their part."""
    markers = {}
    for name, part in mechanism.parts.items():
        if part.library == "puma560":
            flange = _puma_frames(_Settings(name, part))[-1]
            markers[f"{name}.flange"] = _frame(flange, 1 / METRES[mechanism.units])
    return markers


@dataclass(frozen=True)
class _Settings:
    """What a document sets of a library part, read as the numbers that it should be."""

    name: str
    part: Part

    def length(self, key: str) -> Fraction:
        """A length that has to be there."""
        value: Any = self.part.set.get(key)
        if not _is_number(value) or not value > 0:
            raise self._refused(key, f"{key} is not a length", "give a number above 0")
        return Fraction(value)

    def angles(self, key: str, default: Sequence[float]) -> list[float]:
        """As many angles as the default has, in degrees."""
        value: Any = self.part.set.get(key, default)
        if (
            not isinstance(value, list | tuple)
            or len(value) != len(default)
            or not all(map(_is_number, value))
        ):
            remedy = "give one angle in degrees per joint, from the base to the flange"
            raise self._refused(key, f"{key} is not a list of {len(default)} angles", remedy)
        return [float(angle) for angle in value]

    def _refused(self, key: str, problem: str, remedy: str) -> ModelError:
        place = f"parts.{self.name}.set"
        return ModelError.at(f"{place}.{key}" if key in self.part.set else place, problem, remedy)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Fraction) and not isinstance(value, bool)


def _oring(settings: _Settings, unit: Fraction) -> solids.Solid:
    """Stretched over its groove: the middle of the tube lies half a section outside it."""
    section = settings.length("section")
    on_groove = settings.part.set.get("groove_radius") is not None
    radius = settings.length("groove_radius") if on_groove else settings.length("inner_diameter") / 2
    return solids.Leaf(solids.Torus(radius + section / 2, section / 2))


def _puma(settings: _Settings, unit: Fraction) -> solids.Solid:
    from detent.library.puma560 import SHOULDER

    at = [_exact(matrix[:3, 3], unit) for matrix in _puma_frames(settings)]
    side = _exact(_puma_frames(settings)[2][:3, 2], Fraction(1))  # along the axes of shoulder and elbow
    reach = Fraction(15, 100) * unit
    floor, shoulder, elbow, wrist = at[0], at[1], at[2], at[4]
    shoulder_out, elbow_out = (_plus(p, side, reach) for p in (shoulder, elbow))
    round_parts = [
        _rod(floor, (floor[0], floor[1], Fraction(SHOULDER) * unit), "0.085", unit),
        _rod(floor, (floor[0], floor[1], Fraction(2, 100) * unit), "0.16", unit),
        _rod(_plus(shoulder, side, -reach / 2), _plus(shoulder_out, side, reach / 3), "0.09", unit),
        _rod(shoulder_out, elbow_out, "0.07", unit),
        _rod(_plus(elbow, side, reach / 3), _plus(elbow_out, side, reach / 3), "0.075", unit),
        _rod(at[3], wrist, "0.05", unit),
        solids.Leaf(solids.Sphere(Fraction("0.05") * unit), frames.shift(wrist)),
    ]
    flange = _frame(_puma_frames(settings)[-1], unit)
    plate = solids.Cylinder(Fraction("0.03") * unit, Fraction("0.06") * unit)
    return solids.combined("union", [*round_parts, solids.Leaf(plate, flange)])


LIBRARY_SOLIDS: dict[str, Callable[[_Settings, Fraction], solids.Solid]] = {"oring": _oring, "puma560": _puma}


def _puma_frames(settings: _Settings) -> list[Matrix]:
    from detent.library.puma560 import READY, link_frames

    return link_frames([math.radians(angle) for angle in settings.angles("working_point_deg", READY)])


def _rod(start: Exact3, end: Exact3, radius: str, unit: Fraction) -> solids.Leaf:
    """A round rod between two points."""
    direction = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    length = Fraction(sum(float(c) ** 2 for c in direction) ** 0.5).limit_denominator(GRAIN)
    across = frames.AXES["x"] if abs(direction[0]) < abs(direction[2]) else frames.AXES["z"]
    placed = frames.shift(start) @ frames.axes(direction, across)
    return solids.Leaf(solids.Cylinder(Fraction(radius) * unit, length), placed)


def _frame(matrix: Matrix, unit: Fraction) -> Frame:
    rows = tuple(_exact(row, Fraction(1)) for row in matrix[:3, :3])
    return Frame((rows[0], rows[1], rows[2]), _exact(matrix[:3, 3], unit))


def _exact(vector: Any, unit: Fraction) -> Exact3:
    x, y, z = (unit * Fraction(round(float(c) * GRAIN), GRAIN) for c in vector)
    return x, y, z


def _plus(point: Exact3, direction: Exact3, length: Fraction) -> Exact3:
    x, y, z = (p + length * w for p, w in zip(point, direction, strict=True))
    return x, y, z
