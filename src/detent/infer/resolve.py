"""The document with its inferred joints typed, so that every method works on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from detent.foundation.exact import Number
from detent.infer.found import InferredPair, OpenQuestion
from detent.model.document.joint import Limits
from detent.model.document.mechanism import Mechanism
from detent.model.machine.inferred import InferredJoint, mechanism_with_joints
from detent.model.machine.touching import TouchingPairs
from detent.model.reading.coordinates import on_no_coordinate


def with_found(
    mechanism: Mechanism, joints: Iterable[InferredPair], *, shapes_stop: bool = False
) -> Mechanism:
    """The document with joints that were found from shapes; those given by hand stay as they are.

    With `shapes_stop` contacts of the shapes end a slide's travel, and so it has no limits from them.
    """
    touching = TouchingPairs(mechanism)
    typed = [
        _typed(mechanism, j, stops=not (shapes_stop and touching.may_touch(*j.parts)))
        for j in joints
        if not j.given and j.type != "infer"
    ]
    return mechanism_with_joints(mechanism, typed) if typed else mechanism


def acts_on_nothing(mechanism: Mechanism, joints: Iterable[InferredPair]) -> list[OpenQuestion]:
    """Springs, dampers, friction and limits on joints that the shapes make of a type without a coordinate.

    Of a joint written with that type the reader refuses them; it does not know yet what the shapes make.
    """
    questions = []
    with_types = with_found(mechanism, joints).joints
    for name, written in mechanism.joints.items():
        if written.type != "infer":
            continue
        made = with_types[name].type
        questions += [
            OpenQuestion(
                f"joints.{name}.{key}",
                f"{problem} ({made} is what the shapes make it)",
                f"{remedy}, or write the type that is meant",
            )
            for key, problem, remedy in on_no_coordinate(with_types[name])
        ]
    return questions


def _typed(mechanism: Mechanism, joint: InferredPair, *, stops: bool) -> InferredJoint:
    kind = joint.acts_as or joint.type
    flat = mechanism.dimension == 2
    at: tuple[Any, ...] = () if joint.point is None else joint.point[:2] if flat else joint.point
    along: tuple[Any, ...] = () if joint.direction is None else joint.direction
    if flat:
        along = () if kind in ("revolute", "fixed") else along[:2]
    if kind in ("gear", "fixed") and not at:
        along = ()
    limits = None
    if stops and kind == "prismatic" and (joint.low is not None or joint.high is not None):
        limits = Limits(min=joint.low, max=joint.high)
    return InferredJoint(
        joint.name,
        kind,
        joint.parts,
        tuple(Number(c) for c in at),
        tuple(Number(c) for c in along),
        joint.why,
        limits,
        None if joint.ratio is None else Number(joint.ratio),
    )
