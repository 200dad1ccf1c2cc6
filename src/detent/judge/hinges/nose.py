"""The nose of a hook on a beam, seen along the beam: its peak, ramp, return, and how far it must give way."""

from __future__ import annotations

import math
from dataclasses import dataclass

from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.written import beam_of
from detent.model.machine.graph import WORLD, parts_of, rigid_bodies
from detent.model.machine.placed import Placed
from detent.model.machine.pushed.compliant import pushed_part
from detent.model.machine.touching import TouchingPairs
from detent.motion.quasistatic.machine.polygons import leaves_of

Corner = tuple[float, float]
_LEVEL = 1e-9  # of the beam's length: corners as high as that are one peak
_PARALLEL = 1e-9  # sine between push and beam


@dataclass(frozen=True)
class Nose:
    """Lengths in document units, along the beam from its tip, and across it towards the counterpart."""

    tip: Corner  # in the world
    along: Corner
    own: tuple[Corner, ...]  # corners of the hook, along and across
    side: int
    front: float  # of the highest corners the farthest from the root
    rear: float
    ramp: float  # [rad] against the beam, of the face from the peak to the free end
    way_back: float  # [rad] of the one towards the root
    undercut: float  # by how much the peak stands over the counterpart's face
    even: bool  # ramp and return are one face each, from the peak to the counterpart's
    friction: float
    along_push: bool


def nose_of(mechanism: Mechanism, placed: Placed, name: str, hook: str) -> Nose | None:
    """None where nothing that it may touch is drawn."""
    points = placed.joints[name].points_in_world
    assert points is not None  # a document that places no end of its joint is refused
    tip = (float(points[0][0]), float(points[0][1]))
    rows = next(placed.joints[name].said).frame_in_world.rows
    x, y = float(rows[0][0]), float(rows[1][0])
    along = (x / math.hypot(x, y), y / math.hypot(x, y))
    rings = _rings(mechanism, placed, hook, tip, along)
    own = [corner for ring in rings for corner in ring]
    met = {
        part: [corner for ring in _rings(mechanism, placed, part, tip, along) for corner in ring]
        for part in _counterparts(mechanism, name, hook)
    }
    others = [corner for corners in met.values() for corner in corners]
    if not others:
        return None
    side = 1 if _middle(others) >= _middle(own) else -1
    level = _LEVEL * float(beam_of(mechanism, mechanism.joints[name]).length)
    top = max(side * v for _, v in own)
    peak = [u for u, v in own if side * v >= top - level]
    nearest = min(met, key=lambda part: min(side * v for _, v in met[part]))
    face = min(side * v for _, v in met[nearest])
    friction = TouchingPairs(mechanism).friction(hook, nearest)
    ramp, ramp_goes = _face(rings, side, (max(peak), top), 1, level)
    way_back, return_goes = _face(rings, side, (min(peak), top), -1, level)
    return Nose(
        tip=tip,
        along=along,
        own=tuple(own),
        side=side,
        front=max(peak),
        rear=min(peak),
        ramp=ramp,
        way_back=way_back,
        undercut=top - face,
        even=min(ramp_goes, return_goes) >= top - face - level,
        friction=float(friction or 0),
        along_push=_along_push(mechanism, along),
    )


def _counterparts(mechanism: Mechanism, name: str, hook: str) -> list[str]:
    """What a hook can meet on its way: it stands on what is held, or goes with what is pushed."""
    bodies, pairs = rigid_bodies(mechanism), TouchingPairs(mechanism)
    support, _ = parts_of(mechanism.joints[name])
    pushed = pushed_part(mechanism)
    other = pushed if bodies.together(support, WORLD) else WORLD
    return [
        part
        for part in mechanism.parts
        if other is not None
        and bodies.together(part, other)
        and mechanism.parts[part].shape is not None
        and pairs.may_touch(hook, part)
    ]


def _rings(mechanism: Mechanism, placed: Placed, part: str, tip: Corner, along: Corner) -> list[list[Corner]]:
    """Outlines of a part, its corners along and across a beam."""
    return [
        [
            (
                (float(p[0]) - tip[0]) * along[0] + (float(p[1]) - tip[1]) * along[1],
                (float(p[1]) - tip[1]) * along[0] - (float(p[0]) - tip[0]) * along[1],
            )
            for p in leaf.points
        ]
        for leaf in leaves_of(mechanism, part, placed.frame(part))[0]
    ]


def _middle(corners: list[Corner]) -> float:
    """Halfway between the lowest and the highest."""
    across = [v for _, v in corners]
    return (min(across) + max(across)) / 2


def _face(rings: list[list[Corner]], side: int, peak: Corner, way: int, level: float) -> tuple[float, float]:
    """The face that leaves the peak one way along the beam: its angle, and how far down it goes.

    A right angle, all the way down, where none does.
    """
    for ring in rings:
        for k, (u, v) in enumerate(ring):
            if abs(u - peak[0]) > level or abs(side * v - peak[1]) > level:
                continue
            for a, b in (ring[k - 1], ring[(k + 1) % len(ring)]):
                if way * (a - u) > level and side * (v - b) > level:
                    return math.atan2(side * (v - b), way * (a - u)), side * (v - b)
    return math.pi / 2, math.inf


def _along_push(mechanism: Mechanism, along: Corner) -> bool:
    """Whether the first leg goes along the beam."""
    for drive in mechanism.drives.values():
        if drive.legs and drive.marker is None and drive.legs[0].velocity is not None:
            x, y = (float(v) for v in drive.legs[0].velocity[:2])
            return abs(x * along[1] - y * along[0]) <= _PARALLEL * math.hypot(x, y)
    return False
