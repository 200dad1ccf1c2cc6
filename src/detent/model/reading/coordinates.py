"""What a joint's table may say of its coordinate: springs, dampers, friction, limits."""

from __future__ import annotations

from collections.abc import Iterator

from detent.foundation.names import with_article
from detent.model.document.joint import Joint
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
    if kind.coordinate is None:
        remedy = "put it on a revolute or a prismatic joint"
        if table.spring is not None:
            of_its_own = "; this one has `stiffness`" if table.type == "elastic" else ""
            yield "spring", f"{type_} joint has no coordinate that a spring acts on", remedy + of_its_own
        if table.damping is not None and table.type != "elastic":
            yield "damping", f"{type_} joint has no coordinate that a damper acts on", remedy


def _friction(table: Joint, kind: JointType) -> Iterator[Complaint]:
    assert table.friction is not None
    if not kind.limited:
        problem = f"{with_article(table.type)} joint does not rub here"
        yield "friction", problem, "give friction to a revolute or a prismatic joint"
    elif kind.coordinate == "angle" and table.friction.radius is None:
        yield "friction.radius", "is missing: friction of a pin acts at its radius", "add it"
    elif kind.coordinate == "length" and table.friction.radius is not None:
        yield "friction.radius", "a slide has no radius", "take it out; its coefficient is enough"
