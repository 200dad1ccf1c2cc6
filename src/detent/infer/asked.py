"""What a verb asks for: the same machine with its joints typed; at no cost where none is left to be found."""

from __future__ import annotations

from detent.foundation.errors import ModelError, Problem
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import joined_parts


def resolved(mechanism: Mechanism, *, add: bool = True, shapes_stop: bool = False) -> Mechanism:
    """The document with its joints of type `infer` typed from the shapes, and gears with their ratios.

    With `add`, joints are found too in a document of shapes that has none, and for parts that nothing
    joins; not where parts are pushed along legs, or contacts are given, and so touch as they are. What
    cannot be found stays as it is: a method then refuses it by name; a spring on what is found without a
    coordinate is refused here. With `shapes_stop` a slide has no
    limits where shapes that may touch end its travel: for methods that stop at contact.
    """
    if not (_open(mechanism) or (add and _lacks_joints(mechanism))):
        return mechanism
    from detent.infer.inference import found_joints, may_add
    from detent.infer.resolve import acts_on_nothing, with_found
    from detent.infer.solids import machine_solids

    joints, _, _ = found_joints(machine_solids(mechanism), compare=False, add=add and may_add(mechanism))
    if wrong := acts_on_nothing(mechanism, joints):
        raise ModelError(*(Problem(each.at, each.problem, each.remedy) for each in wrong))
    return with_found(mechanism, joints, shapes_stop=shapes_stop)


def _open(mechanism: Mechanism) -> bool:
    """Whether the document leaves the type of a joint, or the ratio of a gear, to the shapes."""
    return any(
        joint.type == "infer" or (joint.type == "gear" and joint.ratio is None)
        for joint in mechanism.joints.values()
    )


def _lacks_joints(mechanism: Mechanism) -> bool:
    joined = joined_parts(mechanism)
    shaped = [name for name, part in mechanism.parts.items() if part.shape is not None]
    loose = [name for name in shaped if not mechanism.parts[name].fixed and name not in joined]
    return bool(loose) and len(shaped) > 1
