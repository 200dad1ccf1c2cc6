"""Parts as nodes, joints as edges: what is joined to what, and Gruebler's count.

All fixed parts are one node, the ground. A joint takes away as many degrees of freedom as
its type says; Gruebler's count is what remains of the parts' own. It assumes
that every joint constrains independently, so the true mobility may be larger.
"""

from __future__ import annotations

from dataclasses import dataclass

from detent.foundation.names import listed
from detent.model.document.joint import Joint
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.document.mechanism import Mechanism
from detent.numeric.union_find import Groups

GROUND = "ground"  # the name of the fixed part, where nobody names one
WORLD = ""  # what all fixed parts are one body with; no part has this name


@dataclass(frozen=True)
class GrueblerCount:
    """Gruebler's count with its terms, so that it can be shown as a sum."""

    freedoms_each: int  # 3 in the plane, 6 in space
    moving: int  # parts that are not fixed
    taken: tuple[tuple[str, int], ...]  # joint, degrees of freedom it takes
    unknown: tuple[str, ...]  # joints still to be inferred

    @property
    def mobility(self) -> int | None:
        """None while a joint is still to be inferred."""
        if self.unknown:
            return None
        return self.freedoms_each * self.moving - sum(n for _, n in self.taken)


def part_of(end: str) -> str:
    """The part of a joint's end: `crank` of `crank.A`."""
    return end.partition(".")[0]


def parts_of(joint: Joint) -> tuple[str, str]:
    return part_of(joint.between[0]), part_of(joint.between[1])


def joined_parts(mechanism: Mechanism) -> set[str]:
    """Parts that joints hold; a gear couples rotations, and holds no part."""
    holding = (joint for joint in mechanism.joints.values() if not JOINT_TYPES[joint.type].couples)
    return {part for joint in holding for part in parts_of(joint)}


def rigid_bodies(mechanism: Mechanism) -> Groups[str]:
    """Which parts are one rigid body, by fixed joints; fixed parts are one with WORLD."""
    bodies = Groups((WORLD, *mechanism.parts))
    for name, part in mechanism.parts.items():
        if part.fixed:
            bodies.join(WORLD, name)
    for joint in mechanism.joints.values():
        if joint.type == "fixed":
            bodies.join(*parts_of(joint))
    return bodies


def gruebler(mechanism: Mechanism) -> GrueblerCount:
    """Gruebler's count of a mechanism; a library part counts as one body."""
    moving = [name for name, part in mechanism.parts.items() if not part.fixed]
    taken: list[tuple[str, int]] = []
    unknown: list[str] = []
    for name, joint in mechanism.joints.items():
        constrained = JOINT_TYPES[joint.type].constraints(mechanism.dimension)
        if _between_fixed(mechanism, joint):
            continue
        if constrained is None:
            unknown.append(name)
        else:
            taken.append((name, constrained))
    return GrueblerCount(3 if mechanism.dimension == 2 else 6, len(moving), tuple(taken), tuple(unknown))


def groups(mechanism: Mechanism) -> list[tuple[str, ...]]:
    """Moving parts that joints connect without passing through the ground, in document order."""
    moving = Groups(name for name, part in mechanism.parts.items() if not part.fixed)
    for joint in mechanism.joints.values():
        if not any(mechanism.parts[name].fixed for name in parts_of(joint)):
            moving.join(*parts_of(joint))
    return [tuple(names) for names in moving.lists()]


def keep_direction(mechanism: Mechanism) -> frozenset[str]:
    """Parts that never rotate: slides and welds join them to what is fixed."""
    rigid = Groups(mechanism.parts)
    for joint in mechanism.joints.values():
        if joint.type in ("prismatic", "fixed"):
            rigid.join(*parts_of(joint))
    fixed = {rigid.head(name) for name, part in mechanism.parts.items() if part.fixed}
    return frozenset(name for name in mechanism.parts if rigid.head(name) in fixed)


def floating_groups(mechanism: Mechanism) -> list[tuple[str, ...]]:
    """Groups of joined parts that no joint leads from to anything fixed."""
    held = {
        part
        for joint in mechanism.joints.values()
        if any(mechanism.parts[name].fixed for name in parts_of(joint))
        for part in parts_of(joint)
    }
    return [names for names in groups(mechanism) if not held.intersection(names)]


def loose_parts(mechanism: Mechanism) -> list[str]:
    """What hangs on nothing fixed, in words; nothing of a machine whose parts touch instead of being joined.

    A joint that is to be inferred holds something, though it is not known what.
    """
    joined = {part for joint in mechanism.joints.values() for part in parts_of(joint)}
    driven = any(drive.joint is not None for drive in mechanism.drives.values())
    if not mechanism.joints or not (driven or all(part.shape is None for part in mechanism.parts.values())):
        return []
    if not any(part.fixed for part in mechanism.parts.values()):
        return ["nothing is fixed: the machine as a whole is free to move; give one part `fixed = true`"]
    said = []
    for names in floating_groups(mechanism):
        if any(_driven_alone(mechanism, name) for name in names):
            continue
        one = len(names) == 1 and names[0] not in joined
        verb = "is" if len(names) == 1 else "are"
        said.append(f"{listed(names)} {verb} joined to {'nothing' if one else 'nothing that is fixed'}")
    return said


def _driven_alone(mechanism: Mechanism, part: str) -> bool:
    drives = mechanism.drives.values()
    return any(part in (drive.part, part_of(drive.marker or "")) for drive in drives)


def _between_fixed(mechanism: Mechanism, joint: Joint) -> bool:
    return all(mechanism.parts[name].fixed for name in parts_of(joint))
