"""What a joint's table may say of its coordinate: springs, dampers, friction, limits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from detent.foundation.names import with_article
from detent.model.document.joint import Joint, Spring
from detent.model.document.joint_types import JOINT_TYPES, JointType
from detent.model.reading.start_references import Complaint


def on_no_coordinate(table: Joint) -> Iterator[Complaint]:
    """What acts on a coordinate, as a spring: on what a type lacks it would do nothing, silently."""
    kind = JOINT_TYPES[table.type]
    if not kind.known:  # the shapes may still find one
        return
    type_ = with_article(table.type)
    if table.limits is not None and not kind.limited:
        yield "limits", f"{type_} joint has no limits", "limit a revolute or a prismatic joint"
    if table.friction is not None:
        yield from _friction(table, kind)
    if table.spring is not None:
        yield from _spring(table.spring, kind)
    if kind.coordinate is None:
        remedy = "put it on a revolute or a prismatic joint"
        if table.spring is not None:
            of_its_own = "; this one has `stiffness`" if table.type == "elastic" else ""
            yield "spring", f"{type_} joint has no coordinate that a spring acts on", remedy + of_its_own
        if table.damping is not None and table.type != "elastic":
            yield "damping", f"{type_} joint has no coordinate that a damper acts on", remedy


def _spring(spring: Spring, kind: JointType) -> Iterator[Complaint]:
    """A stiffness, or a table of torques that grow with the angle."""
    if spring.torque is None:
        if spring.stiffness is None:
            yield (
                "spring.stiffness",
                "is missing",
                "add it; or a table `torque` of angles from rest and torques",
            )
        return
    if spring.stiffness is not None:
        yield "spring.torque", "stands beside `stiffness`, and either says all", "keep one of the two"
    elif kind.coordinate != "angle":
        yield "spring.torque", "is over an angle, and this joint slides", "give `stiffness`"
    elif len(spring.torque) < 2:
        yield "spring.torque", "has fewer than two rows", "give rows of an angle from rest and a torque"
    else:
        for k, (one, other) in enumerate(pairwise(spring.torque), 1):
            for what, before, after in zip(("angle", "torque"), one, other, strict=True):
                if after <= before:
                    words = f"the {what} does not grow from {float(before):.6g} to {float(after):.6g}"
                    remedy = "a pawl's spring grows with the angle, row by row: sort the rows"
                    yield f"spring.torque.{k}", words, remedy
                    return
        if [0, 0] not in [list(row) for row in spring.torque]:
            yield (
                "spring.torque",
                "has no row 0, 0: at rest there is no torque",
                "add it, and count angles from rest",
            )


def _friction(table: Joint, kind: JointType) -> Iterator[Complaint]:
    assert table.friction is not None
    if not kind.limited:
        problem = f"{with_article(table.type)} joint does not rub here"
        yield "friction", problem, "give friction to a revolute or a prismatic joint"
    elif kind.coordinate == "angle" and table.friction.radius is None:
        yield "friction.radius", "is missing: friction of a pin acts at its radius", "add it"
    elif kind.coordinate == "length" and table.friction.radius is not None:
        yield "friction.radius", "a slide has no radius", "take it out; its coefficient is enough"
