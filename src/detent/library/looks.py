"""What library parts look like, and the markers they bring, for pictures.

An O-ring is a torus in its groove. A PUMA 560 is a column, two arms and a wrist
between the origins of its link frames at the working point, a carrier is a block; the
thicknesses are ours, for the eye. Lengths are in the document's units, `set` is in them too.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from detent.foundation.units import METRES
from detent.geometry import frame as frames
from detent.geometry import solid as solids
from detent.geometry.frame import Exact3, Frame
from detent.model.document.mechanism import Mechanism

if TYPE_CHECKING:
    from detent.library.robots.serial_arm import Floats

GRAIN = 10**9  # a drawn frame's numbers are rounded to this part of a metre


def solid_of(mechanism: Mechanism, name: str) -> solids.Solid | None:
    """The solid of a library part in its own frame; None for one that has no looks."""
    maker = LIBRARY_SOLIDS.get(mechanism.parts[name].library or "")
    return None if maker is None else solids.numbered(maker(mechanism, name))


def brought(mechanism: Mechanism) -> dict[str, Frame]:
    """Frames of the markers that library parts bring, by part.marker, relative to their part."""
    if not any(part.library is not None for part in mechanism.parts.values()):
        return {}
    from detent.library.working_point import markers_brought

    unit = 1 / METRES[mechanism.units]
    return {marker: _frame(matrix, unit) for marker, matrix in markers_brought(mechanism).items()}


def _oring(mechanism: Mechanism, name: str) -> solids.Solid:
    """Stretched over its groove: the middle of the tube lies half a section outside it."""
    from detent.library.working_point import settings_of

    settings = settings_of(mechanism, name)
    section = Fraction(settings.section)
    on_groove = settings.groove_radius is not None
    radius = Fraction(settings.groove_radius) if on_groove else Fraction(settings.inner_diameter) / 2
    return solids.Leaf(solids.Torus(radius + section / 2, section / 2))


def _puma(mechanism: Mechanism, name: str) -> solids.Solid:
    from detent.library.puma560 import SHOULDER, link_frames
    from detent.library.working_point import settings_of, working_point

    unit = 1 / METRES[mechanism.units]
    matrices = link_frames(working_point(mechanism, name, settings_of(mechanism, name)).angles)
    at = [_exact(matrix[:3, 3], unit) for matrix in matrices]
    side = _exact(matrices[2][:3, 2], Fraction(1))  # along the axes of shoulder and elbow
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
    flange = _frame(matrices[-1], unit)
    plate = solids.Cylinder(Fraction("0.03") * unit, Fraction("0.06") * unit)
    return solids.combined("union", [*round_parts, solids.Leaf(plate, flange)])


def _of_file(mechanism: Mechanism, name: str) -> solids.Solid:
    """Rods between the joints of an arm of a file; thicknesses are ours."""
    from detent.library.working_point import arm_of_file, settings_of

    unit = 1 / METRES[mechanism.units]
    arm, point = arm_of_file(name, settings_of(mechanism, name))
    at = [_exact(matrix[:3, 3], unit) for matrix in arm.frames(point.own_angles)]
    apart = [max(abs(float(p - q)) for p, q in zip(*ends, strict=True)) for ends in pairwise(at)]
    reach = sum(apart)
    thick = f"{0.03 * reach / float(unit):.4f}"
    rods = [_rod(at[k], at[k + 1], thick, unit) for k, length in enumerate(apart) if length > 0.02 * reach]
    ball = Fraction(thick) * unit * Fraction(6, 5)
    joints = [solids.Leaf(solids.Sphere(ball), frames.shift(place)) for place in dict.fromkeys(at)]
    return solids.combined("union", [*rods, *joints])


def _carrier(mechanism: Mechanism, name: str) -> solids.Solid:
    """A block of 60 mm around the flange, for the eye."""
    side = Fraction(60, 1000) / METRES[mechanism.units]
    return solids.Leaf(solids.Block((side, side, side)), frames.shift((-side / 2, -side / 2, -side)))


LIBRARY_SOLIDS: dict[str, Callable[[Mechanism, str], solids.Solid]] = {
    "oring": _oring,
    "puma560": _puma,
    "urdf": _of_file,
    "carrier": _carrier,
}


def _rod(start: Exact3, end: Exact3, radius: str, unit: Fraction) -> solids.Leaf:
    """A round rod between two points."""
    direction = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    length = Fraction(sum(float(c) ** 2 for c in direction) ** 0.5).limit_denominator(GRAIN)
    across = frames.AXES["x"] if abs(direction[0]) < abs(direction[2]) else frames.AXES["z"]
    placed = frames.shift(start) @ frames.axes(direction, across)
    return solids.Leaf(solids.Cylinder(Fraction(radius) * unit, length), placed)


def _frame(matrix: Floats, unit: Fraction) -> Frame:
    rows = tuple(_exact(row, Fraction(1)) for row in matrix[:3, :3])
    return Frame((rows[0], rows[1], rows[2]), _exact(matrix[:3, 3], unit))


def _exact(vector: Any, unit: Fraction) -> Exact3:
    x, y, z = (unit * Fraction(round(float(c) * GRAIN), GRAIN) for c in vector)
    return x, y, z


def _plus(point: Exact3, direction: Exact3, length: Fraction) -> Exact3:
    x, y, z = (p + length * w for p, w in zip(point, direction, strict=True))
    return x, y, z
