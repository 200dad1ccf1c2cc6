"""A machine in space seen along the axis that its joints share, so that it moves across z.

Methods of the plane look along z. A machine whose pins point elsewhere, or whose parts have frames that are
tilted, is the same machine in another view: the world is turned until the shared axis is z, and each part
gets a frame with the view's axes. Coordinates of joints, contacts and masses stay what they are; places are
told in the view.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from detent.foundation.errors import DetentError
from detent.foundation.exact import Number
from detent.geometry import frame as frames
from detent.geometry.frame import AXES, Exact3, Frame
from detent.geometry.region import stackable
from detent.geometry.solid import placed as placed_solid
from detent.geometry.solid import standing
from detent.geometry.vector import cross
from detent.model.document.axes import axis_vector
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Marker, Part, Pose
from detent.model.document.shape import Move, Shape
from detent.model.machine.placed import Placed, PlacedJoint, place
from detent.model.machine.solids import part_solid

_SAME = 1e-9  # of one: directions that are parallel, or square to each other
_ZERO = Fraction(0)


def seen_along_axis(mechanism: Mechanism) -> Mechanism:
    """The document seen along the axis its joints share; itself where that is z, or where there is none."""
    if mechanism.dimension == 2 or not _is_jointed(mechanism):
        return mechanism
    try:
        placed = place(mechanism)
        axis = shared_axis(placed)
        if axis is None or (_is_up(axis) and all(_stands(placed.frame(part)) for part in mechanism.parts)):
            return mechanism
        return _turned(placed, _view(axis))
    except DetentError:
        return mechanism  # what is wrong with it is said by the method that meets it


def axis_seen_along(mechanism: Mechanism) -> Exact3 | None:
    """The axis where `seen_along_axis` looks along another one than z; else None."""
    if mechanism.dimension == 2 or not _is_jointed(mechanism):
        return None
    try:
        axis = shared_axis(place(mechanism))
    except DetentError:
        return None
    return None if axis is None or _is_up(axis) else axis


def axes_of_view(axis: Exact3) -> tuple[Exact3, Exact3]:
    """Directions of the world that are x and y of what is seen along an axis."""
    right, up, _ = _view(axis).rows
    return right, up


def _is_jointed(mechanism: Mechanism) -> bool:
    """Whether joints alone say how it moves: nothing is pushed along legs, no contacts are given."""
    pushed = any(drive.legs or drive.path for drive in mechanism.drives.values())
    odd = any(joint.type in ("infer", "elastic", "spherical") for joint in mechanism.joints.values())
    library = any(part.library is not None for part in mechanism.parts.values())
    given = bool(mechanism.contacts) or mechanism.rows is not None
    return bool(mechanism.joints) and not (pushed or odd or library or given)


def shared_axis(placed: Placed) -> Exact3 | None:
    """The axis that all pins are along and all slides across; None where there is none."""
    pins = [_axis(joint) for joint in placed.joints.values() if joint.type.keeps_plane == "axis z"]
    slides = [_axis(joint) for joint in placed.joints.values() if joint.type.keeps_plane == "axis across z"]
    if any(joint.type.in_plane == "none" for joint in placed.joints.values()):
        return None
    if pins:
        fits = all(_parallel(pins[0], pin) for pin in pins) and all(_square(pins[0], s) for s in slides)
        return pins[0] if fits else None
    choices = [axis for axis in _across(slides) if all(_square(axis, slide) for slide in slides)]
    layered = (axis for axis in choices if _lies_in_layers(placed, axis))
    return next(layered, choices[0] if choices else None)


def _axis(joint: PlacedJoint) -> Exact3:
    return joint.axis_in_world


def _across(slides: list[Exact3]) -> Iterable[Exact3]:
    """Axes that slides may be across: the world's, one square to two slides, one square to a slide and z."""
    yield from (AXES["z"], AXES["x"], AXES["y"])
    for other in (*slides[1:], AXES["z"]):
        axis = cross(slides[0], other) if slides else AXES["z"]
        if any(axis):
            yield axis


def _lies_in_layers(placed: Placed, axis: Exact3) -> bool:
    view = _view(axis)
    for part in placed.mechanism.parts:
        solid = part_solid(placed.mechanism, part)
        if solid is not None and not stackable(standing(placed_solid(solid, view @ placed.frame(part)))):
            return False
    return True


def _view(axis: Exact3) -> Frame:
    """The world seen along an axis, whichever way a joint points along it.

    Of x the view has y to the right and z up, of y it has z there and x up.
    """
    x, y, z = (abs(c) for c in axis)
    if x == 0 == y:
        return frames.IDENTITY
    largest, right = (0, "y") if x >= max(y, z) else (1, "z") if y >= z else (2, "x")
    way = 1 if axis[largest] > 0 else -1
    return frames.axes((way * axis[0], way * axis[1], way * axis[2]), AXES[right]).inverse()


def _stands(frame: Frame) -> bool:
    """Whether a part's frame is that of the plane but for a rotation: neither tilted nor turned over."""
    return frame.upright and frame.rows[2][2] > 0 and not frame.mirrored


def _turned(placed: Placed, view: Frame) -> Mechanism:
    mechanism = placed.mechanism
    bare = view.rows is frames.IDENTITY.rows
    ask = mechanism.ask
    if ask is not None and ask.move is not None and ask.move.loads:
        loads = {name: _vector(view.direct(frames.exact3(f))) for name, f in ask.move.loads.items()}
        ask = replace(ask, move=replace(ask.move, loads=loads))
    gravity = mechanism.gravity
    if gravity is not None and not bare:
        gravity = _vector(_settled(view.direct(frames.exact3(gravity))))
    return replace(
        mechanism,
        parts={name: _part(placed, name, view) for name in mechanism.parts},
        joints={name: _joint(joint, view) for name, joint in mechanism.joints.items()},
        gravity=gravity,
        ask=ask,
    )


def _part(placed: Placed, name: str, view: Frame) -> Part:
    """The part in a frame that has its origin and, as drawn, the view's axes."""
    part: Part = placed.mechanism.parts[name]
    frame = view @ placed.frame(name)
    turned = Frame(frame.rows)
    markers = {key: _marker(turned @ placed.marker(f"{name}.{key}")) for key in part.markers}
    shape = part.shape
    if shape is not None and frame.rows != frames.IDENTITY.rows:
        moves = _half_turns(turned)
        bare = shape.repeat is None  # else the moves would come before the copies
        shape = replace(shape, moves=(*shape.moves, *moves)) if bare else Shape(union=(shape,), moves=moves)
    center = None if part.center is None else _vector(turned.direct(frames.exact3(part.center)))
    principal = None if part.principal is None else _principal(part.principal, turned)
    pose = Pose(at=_vector(frame.origin))
    return replace(part, pose=pose, markers=markers, shape=shape, center=center, principal=principal)


def _marker(frame: Frame) -> Marker:
    """Its direction and what is across it, as the joint's type may need them."""
    along, across = (_settled(frame.direct(AXES[axis])) for axis in "zx")
    return Marker(at=_vector(frame.origin), along=_vector(along), across=_vector(across))


def _joint(joint: Joint, view: Frame) -> Joint:
    at = None if joint.at is None else _vector(view.apply(frames.exact3(joint.at)))
    if joint.at is None and joint.along is None:
        return joint
    return replace(joint, at=at, along=_vector(_settled(view.direct(axis_vector(joint.along)))))


def _settled(direction: Exact3) -> Exact3:
    """A direction that rounding alone keeps from being along z, or across it."""
    x, y, z = (float(c) for c in direction)
    size = max(abs(x), abs(y), abs(z))
    if max(abs(x), abs(y)) <= _SAME * size:
        return (_ZERO, _ZERO, direction[2])
    return (direction[0], direction[1], _ZERO) if abs(z) <= _SAME * size else direction


def _principal(moments: tuple[Number, ...], turned: Frame) -> Any:
    """Moments of inertia about the view's axes; products do not act on what moves across z."""
    squares = [
        sum((row[k] * row[k] * Fraction(m) for k, m in enumerate(moments)), start=_ZERO)
        for row in turned.rows
    ]
    return tuple(Number(each) for each in squares)


def _half_turns(turned: Frame) -> tuple[Move, ...]:
    """A rotation as moves, exactly: it is two half turns, about axes that are rational as its matrix is."""
    (a, b, c), (d, e, f), (g, h, i) = turned.rows
    # The quaternion of a rational matrix, of whichever length makes it rational.
    w = 1 + a + e + i
    v: Exact3 = (h - f, c - g, d - b)
    if w == 0:
        axis = next(row for row in ((a + 1, b, c), (d, e + 1, f), (g, h, i + 1)) if any(row))
        return (_half_turn(axis),)
    if not any(v):
        return ()
    first = next(each for each in (cross(v, AXES["x"]), cross(v, AXES["y"])) if any(each))
    x, y, z = cross(v, first)
    second = (w * first[0] + x, w * first[1] + y, w * first[2] + z)
    return _half_turn(first), _half_turn(second)


def _half_turn(axis: Exact3) -> Move:
    return Move(turn_deg=Number(180), about=_vector(axis))


def _vector(vector: Exact3) -> Any:
    return tuple(Number(c) for c in vector)


def _is_up(axis: Exact3) -> bool:
    return _parallel(axis, AXES["z"])


def _lengths(a: Exact3, b: Exact3) -> tuple[float, float, float]:
    """Their cosine, and the length of their cross product, over both lengths."""
    u, v = ([float(c) for c in each] for each in (a, b))
    size = (sum(c * c for c in u) * sum(c * c for c in v)) ** 0.5
    dot = sum(p * q for p, q in zip(u, v, strict=True))
    across = sum(float(c) ** 2 for c in cross(a, b)) ** 0.5
    return dot / size, across / size, size


def _parallel(a: Exact3, b: Exact3) -> bool:
    return _lengths(a, b)[1] <= _SAME


def _square(a: Exact3, b: Exact3) -> bool:
    return abs(_lengths(a, b)[0]) <= _SAME
