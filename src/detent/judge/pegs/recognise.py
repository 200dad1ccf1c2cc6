"""A peg on an elastic joint above a hole, found in a document: what Whitney's theory asks for.

A carrier part is led by straight legs; an elastic joint holds the peg on it; a fixed part has the hole. In
space what counts is the plane of the way in and of the offset, across which nothing may be off by more than
its own play.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.foundation.units import metres, unit_names
from detent.geometry import solid as solids
from detent.geometry.lengthwise import CuttingPlane
from detent.geometry.solid import Solid, leaves
from detent.judge.compliant.unasked import fastener_questions
from detent.judge.pegs.exact_geometry import PegOutline
from detent.judge.pegs.outlines import NoPegError, hole_section, peg_section
from detent.judge.pegs.plane import NoPlaneError, PegPlane, RefusedError, plane_in_space
from detent.judge.pegs.springs import springs_of
from detent.judge.pegs.theory import Peg
from detent.library.robots.trapezoid import distance_in
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import parts_of
from detent.model.machine.placed import Placed, place
from detent.model.machine.solids import part_solid
from detent.model.machine.touching import TouchingPairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FRICTIONLESS = 0.0


@dataclass(frozen=True, eq=False)
class PegInHole:
    """A peg and its hole, in SI, with the plane in which they are looked at (world axes)."""

    joint: str
    carrier: str
    part: str
    hole_part: str
    drive: str
    theory: Peg  # its tip is the peg's shoulder where that is chamfered
    shape: PegOutline
    down: Floats  # unit vectors of the world: the way in, and the way that the offset is counted
    across: Floats
    centre_at: Floats  # the compliance centre as drawn, in the world [m]
    axial: float  # stiffness along the way in; infinite where rigid
    gap: float  # from the tip's middle to the rims, as drawn
    bore: float
    blind: bool
    side: float
    nose: float  # how far the tip is below the peg's shoulder
    on_peg: bool  # whose chamfer it is
    width: float | None  # of the chamfer; None: there is none
    rounded: bool
    distance: float | None  # of the first leg
    speed: float
    beside: float  # offset across the plane
    beside_play: float | None  # play there, of a block
    units: str
    left_out: tuple[str, ...] = ()  # keys of the document that the theory does not look at
    assumed: tuple[str, ...] = ()

    def said(self, length: float) -> str:
        """A length for a person, in the document's units."""
        return f"{length / metres(self.units):.6g}{unit_names(self.units).length}"

    @property
    def reach(self) -> float:
        """How deep the theory holds: as far as walls and sides go."""
        return min(self.bore, self.side)


@dataclass(frozen=True)
class NotAPeg:
    """What looks like a peg above a hole and is none for this theory: why."""

    joint: str
    at: str
    why: str
    remedy: str
    sure: bool  # whether its shapes are those of a peg and a hole, so that no other method has a word here


def follows_contacts(mechanism: Mechanism) -> bool:
    """Whether a document asks for the quasi-static method, which follows contacts as those of a hook, or for
    the rigid one, which follows them over time.
    """
    ask = None if mechanism.ask is None else mechanism.ask.mate
    return ask is not None and ask.method in ("quasistatic", "rigid")


def pegs_of(mechanism: Mechanism) -> tuple[PegInHole | NotAPeg, ...]:
    """All that look like one, in document order."""
    found: list[PegInHole | NotAPeg] = []
    for name, drive, carrier, part in _candidates(mechanism):
        if not any(_holed(mechanism, other) for other in mechanism.parts):
            continue
        try:
            found.append(_read(mechanism, name, drive, carrier, part))
        except RefusedError as refused:
            at, why, remedy = refused.args
            sure = isinstance(refused, NoPlaneError) or not at.endswith(".shape")
            found.append(NotAPeg(name, at, why, remedy, sure))
        except UnsupportedError as refused:
            told = refused.problem
            found.append(NotAPeg(name, told.at, told.problem, told.remedy, False))
    return tuple(found)


def _candidates(mechanism: Mechanism) -> Iterator[tuple[str, str, str, str]]:
    """Elastic joints between a carrier that legs lead and a part with a shape."""
    for name, joint in mechanism.joints.items():
        if joint.type != "elastic":
            continue
        parts = parts_of(joint)
        for key, drive in mechanism.drives.items():
            if drive.part not in parts or not drive.legs or drive.legs[0].velocity is None:
                continue
            carrier = drive.part
            (part,) = (each for each in parts if each != carrier)
            if mechanism.parts[part].shape is not None and not mechanism.parts[part].fixed:
                yield name, key, carrier, part


def _holed(mechanism: Mechanism, name: str) -> bool:
    """Whether it is fixed and has something taken out of it, or an outline with a notch."""
    part = mechanism.parts[name]
    if not part.fixed or part.shape is None:
        return False
    solid = part_solid(mechanism, name)
    assert solid is not None
    if any(leaf.hollow for leaf in leaves(solid)):
        return True
    return mechanism.dimension == 2 and _notched(solid)


def _notched(solid: Solid) -> bool:
    """Of a plane part: whether its outline goes in somewhere, or it is in several pieces."""
    from detent.geometry.region import section

    region = section(solid, 0.0)
    return not region.is_empty and region.area < (1 - 1e-9) * region.convex_hull.area


def _read(mechanism: Mechanism, joint: str, drive: str, carrier: str, part: str) -> PegInHole:
    placed = place(mechanism)
    scale = metres(mechanism.units)
    down, distance, speed = _way_in(mechanism, drive)
    solid = _in_world(mechanism, placed, part)
    hole_part, hole_solid = _ahead(mechanism, placed, solid, down)
    unit = unit_names(mechanism.units).length
    looked = _plane(
        mechanism,
        solid,
        hole_solid,
        down,
        (f"parts.{part}.shape", f"parts.{hole_part}.shape", unit),
    )
    across = looked.across
    plane = CuttingPlane(looked.point, across, down)
    try:
        peg = peg_section(plane.cut(solid))
    except NoPegError as error:
        raise RefusedError(
            f"parts.{part}.shape", str(error), "draw it with two parallel sides and a flat or chamfered tip"
        ) from None
    drawn_round = bool(plane.rounded)
    plane = CuttingPlane(plane.point, across, down)
    try:
        hole = hole_section(plane.cut(hole_solid), peg.shoulder)
    except NoPegError as error:
        raise RefusedError(
            f"parts.{hole_part}.shape", str(error), "take a block or a cylinder along the way in out of it"
        ) from None
    drawn_round = drawn_round or bool(plane.rounded)
    if peg.chamfer is not None and hole.chamfer is not None:
        raise RefusedError(
            f"parts.{part}.shape",
            "peg and hole are both chamfered, and the closed forms have one chamfer",
            "leave the smaller chamfer out",
        )
    lateral, tilt, axial, centre_at = springs_of(mechanism, placed, joint, down, across)
    tip = plane.point + peg.shoulder[0] * across + peg.shoulder[1] * down
    axis = peg.down[0] * across + peg.down[1] * down
    from_tip = (tip - centre_at) * scale
    centre = float(from_tip @ axis)
    beside_axis = float(np.linalg.norm(from_tip - centre * axis))
    if beside_axis > 1e-6 * abs(peg.radius * scale):
        raise RefusedError(
            f"joints.{joint}",
            f"its compliance centre is {beside_axis / scale:.6g}{unit} beside the axis of {part!r}",
            "put `at` on the peg's axis",
        )
    friction = TouchingPairs(mechanism).friction(part, hole_part)
    offset = (peg.shoulder - hole.mouth) * scale
    lean = math.atan2(float(peg.down[0]), float(peg.down[1]))
    chamfer = peg.chamfer or hole.chamfer
    hole_radius, radius = hole.radius * scale, peg.radius * scale
    theory = Peg(
        hole=hole_radius,
        clearance=(hole_radius - radius) / hole_radius,
        friction=FRICTIONLESS if friction is None else float(friction),
        angle=None if chamfer is None or drawn_round else chamfer.angle,
        centre=centre,
        lateral=lateral,
        tilt=tilt,
        error=float(offset[0]),
        lean=lean,
    )
    wide = None if chamfer is None else chamfer.width * scale
    shape = PegOutline(
        theory,
        hole_chamfer=(wide or 0.0) if hole.chamfer is not None else 0.0,
        peg_chamfer=(wide or 0.0) if peg.chamfer is not None else 0.0,
        bore=hole.depth * scale,
        side=peg.length * scale,
    )
    return PegInHole(
        joint=joint,
        carrier=carrier,
        part=part,
        hole_part=hole_part,
        drive=drive,
        theory=theory,
        shape=shape,
        down=down,
        across=across,
        centre_at=(tip - centre / scale * axis) * scale,
        axial=axial,
        gap=-float(offset[1]),
        bore=hole.depth * scale,
        blind=hole.blind,
        side=peg.length * scale,
        units=mechanism.units,
        left_out=tuple(_left_out(mechanism, joint)),
        nose=0.0 if peg.chamfer is None else peg.chamfer.height * scale,
        on_peg=peg.chamfer is not None,
        width=wide,
        rounded=drawn_round,
        distance=None if distance is None else distance * scale,
        speed=speed * scale,
        beside=looked.beside * scale,
        beside_play=None if looked.beside_play is None else looked.beside_play * scale,
        assumed=()
        if friction is not None
        else (f"no friction between {part} and {hole_part}, none being given",),
    )


def _left_out(mechanism: Mechanism, joint: str) -> Iterator[str]:
    """What the document has and these forms do not look at, by its key."""
    if mechanism.gravity is not None and any(mechanism.gravity):
        yield "gravity: the peg has no weight"
    if mechanism.joints[joint].damping is not None:
        yield f"joints.{joint}.damping: it is led slowly"
    if mechanism.touching is not None and mechanism.touching.restitution:
        yield "touching.restitution: nothing hits at speed"
    yield from fastener_questions(mechanism)


def _way_in(mechanism: Mechanism, drive: str) -> tuple[Floats, float | None, float]:
    leg = mechanism.drives[drive].legs[0]
    velocity = _vector(leg.velocity)
    speed = float(np.linalg.norm(velocity))
    if speed == 0:
        raise RefusedError(
            f"drives.{drive}.legs[0].velocity", "a leg of no velocity leads nowhere", "give its direction"
        )
    distance = None if leg.distance is None else float(leg.distance)
    if distance is None and leg.for_ is not None:
        distance = distance_in(float(leg.for_), speed, None if leg.ramp is None else float(leg.ramp))
    return velocity / speed, distance, speed


def _vector(vector: object) -> Floats:
    numbers = [float(x) for x in vector]  # type: ignore[attr-defined]
    return np.array([*numbers, 0.0][:3])


def _in_world(mechanism: Mechanism, placed: Placed, part: str) -> Solid:
    solid = part_solid(mechanism, part)
    assert solid is not None
    return solids.placed(solid, placed.frame(part))


def _ahead(mechanism: Mechanism, placed: Placed, peg: Solid, down: Floats) -> tuple[str, Solid]:
    """The fixed part with a hole that lies ahead of the peg, the nearest of several."""
    tip = float((_points(peg) @ down).max())
    best: tuple[float, str, Solid] | None = None
    for name in mechanism.parts:
        if not _holed(mechanism, name):
            continue
        solid = _in_world(mechanism, placed, name)
        low, high = (float(f(_points(solid) @ down)) for f in (np.min, np.max))
        if high <= tip:
            continue
        if best is None or low < best[0]:
            best = low, name, solid
    if best is None:
        raise RefusedError(
            "drives",
            "no fixed part with a hole is ahead of the peg on its first leg",
            "lead the peg towards its hole",
        )
    return best[1], best[2]


def _points(solid: Solid) -> Floats:
    """Points of a box around each leaf, in the world."""
    from detent.geometry.profile import extent, reach

    points = []
    for leaf in leaves(solid):
        low, high = extent(leaf)
        x0, y0, x1, y1 = reach(leaf)
        corners = [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (low, high)]
        points.append(leaf.frame.points(corners))
    return np.concatenate(points)


def _plane(mechanism: Mechanism, peg: Solid, hole: Solid, down: Floats, at: tuple[str, str, str]) -> PegPlane:
    if mechanism.dimension == 3:
        return plane_in_space(peg, hole, down, at)
    return PegPlane(np.zeros(3), np.array([-down[1], down[0], 0.0]))
