"""Where geared wheels turn, and where their teeth meet: on one carrier, about axes that lie apart."""

from __future__ import annotations

import cmath
from typing import TYPE_CHECKING

from detent.mechanics.tree import in_section
from detent.model.machine.plane_linkage import PlanePoint

if TYPE_CHECKING:
    from detent.mechanics.tree import Tree
    from detent.model.machine.plane_linkage import PlaneJoint, PlaneLinkage

# Of the size: axes nearer than this are one.
_ONE_AXIS = 1e-6
_FRAME = -1  # the body of all fixed parts


def axle_of(tree: Tree, part: int, carrier: int) -> complex | None:
    """Where a geared part turns on its carrier, in the part's frame; None where no pin joins them."""
    place = _axle_as_drawn(tree.linkage, part, carrier)
    return None if place is None else _inside(tree, part, place)


def axles_of_teeth(tree: Tree, gear: PlaneJoint) -> tuple[complex, complex] | None:
    """The axles of both wheels, each in its part's frame, where their pitch circles meet in one place.

    None where no part carries both, where they turn about one axis, and where both turn alike (a belt).
    """
    linkage, a, b = tree.linkage, gear.a.part, gear.b.part
    first, second = (_axle_as_drawn(linkage, part, gear.carrier) for part in (a, b))
    if first is None or second is None or gear.ratio == 1.0:
        return None
    if abs(second - first) <= _ONE_AXIS * linkage.size:
        return None
    return _inside(tree, a, first), _inside(tree, b, second)


def gears_as_torques(tree: Tree) -> tuple[str, ...]:
    """Gears whose teeth have no one place to push at: in reactions they are torques alone."""
    gears = [pair for pair in tree.linkage.pairs if pair.kind == "gear"]
    return tuple(gear.name for gear in gears if axles_of_teeth(tree, gear) is None)


def _rigid_bodies(linkage: PlaneLinkage) -> list[int]:
    """By part: one number for all that are one rigid body with it; fixed parts are the frame."""
    body = [_FRAME if fixed else part for part, fixed in enumerate(linkage.fixed)]
    for pair in linkage.pairs:
        if pair.kind == "fixed":
            one, other = sorted((body[pair.a.part], body[pair.b.part]))
            body = [one if of == other else of for of in body]
    return body


def _axle_as_drawn(linkage: PlaneLinkage, part: int, carrier: int) -> complex | None:
    """Pins on one axis join as one does: a sun on the frame's pin, which holds the arm of its planets too."""
    body = _rigid_bodies(linkage)
    wanted = body[carrier] if carrier >= 0 else _FRAME
    pins = [
        [(body[end.part], _as_drawn(linkage, end)) for end in (pair.a, pair.b)]
        for pair in linkage.pairs
        if pair.kind == "revolute"
    ]
    for own in [end for pin in pins for end in pin if end[0] == body[part]]:
        reached = [own]
        for of, at in reached:  # which grows: every pin about this axis
            for pin in pins:
                if any(one == of and abs(place - at) <= _ONE_AXIS * linkage.size for one, place in pin):
                    reached += [end for end in pin if end not in reached]
        if any(of == wanted for of, _ in reached if of != own[0]):
            return own[1]
    return None


def _as_drawn(linkage: PlaneLinkage, point: PlanePoint) -> complex:
    origin, turn = linkage.drawn[point.part]
    return origin + cmath.rect(1.0, turn) * point.at


def _inside(tree: Tree, part: int, place: complex) -> complex:
    """A place as drawn in the frame of a part's section."""
    origin, turn = tree.linkage.drawn[part]
    inside = PlanePoint(part, (place - origin) * cmath.rect(1.0, -turn), 0.0)
    return in_section(tree.linkage, tree.system, inside)
