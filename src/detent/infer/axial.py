"""Freedoms that the machine does not use: travel along an axis on which no force acts, loops that hold it.

Gelsey 1995, Algorithm 5, read geometrically, leaves the published escapement three cylindrical pairs: nothing
blocks a wheel's way along its pin. In a machine of layers every contact pushes across that axis; without
gravity, spring or drive along it nothing ever moves a part there, and the freedom is dropped, and said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from detent.foundation.names import listed
from detent.geometry.frame import Exact3, axis_words
from detent.geometry.region import stackable
from detent.geometry.solid import standing
from detent.infer.faces import unit
from detent.infer.found import Dropped, InferredPair
from detent.infer.solids import MachineSolids
from detent.model.document.mechanism import Mechanism
from detent.numeric.union_find import Groups

_PARALLEL = 1e-6


def drop_axial(
    machine: MachineSolids, joints: Sequence[InferredPair]
) -> tuple[list[InferredPair], list[Dropped]]:
    """Cylindrical joints as revolute where nothing acts along their axis."""
    kept, dropped = [], []
    for joint in joints:
        if joint.type != "cylindrical" or joint.given or joint.acts_as or joint.direction is None:
            kept.append(joint)
            continue
        blocked, slanting = _acts_along(machine, joint, joints, joint.direction)
        if blocked:
            kept.append(replace(joint, why=f"{joint.why}; {blocked}"))
            continue
        axis = axis_words(joint.direction)
        layers = (
            f"all joints of its loop move across it ({slanting}: what other faces may push is not looked at)"
            if slanting
            else "the parts lie in layers across it"
        )
        why = f"no force acts along {axis}: {layers}, and no gravity, spring or drive does"
        kept.append(replace(joint, type="revolute", why=f"{joint.why}; its travel along {axis} is dropped"))
        dropped.append(Dropped(joint.name, f"travel of {joint.parts[1]} along {axis}", why))
    return kept, dropped


def _acts_along(
    machine: MachineSolids, joint: InferredPair, joints: Sequence[InferredPair], axis: Exact3
) -> tuple[str, str]:
    """What may act along the axis, in words, empty where nothing does; parts that do not lie in layers."""
    mechanism = machine.mechanism
    along = unit(axis)
    if mechanism.gravity is not None:
        gravity = np.zeros(3)
        gravity[: len(mechanism.gravity)] = [float(g) for g in mechanism.gravity]
        if abs(gravity @ along) > 1e-9 * max(float(np.linalg.norm(gravity)), 1e-30):
            return "gravity acts along it", ""
    if _driven_along(mechanism, joint.parts, along):
        return "a drive acts along it", ""
    odd = [name for name in around(machine, joint.parts) if not layered_along(machine, name, axis)]
    if odd and not _moves_across(joint, joints, axis, odd, machine):
        return f"{odd[0]} does not lie in layers across it and may push along it", ""
    return "", listed(odd)


def _moves_across(
    joint: InferredPair, joints: Sequence[InferredPair], axis: Exact3, odd: list[str], machine: MachineSolids
) -> bool:
    """Whether it is in a loop of joints that turn about or slide across the axis, with the odd parts."""
    across = [j for j in joints if _compatible(j, axis)]
    groups = Groups(["", *{part for j in joints for part in j.parts}, *odd])
    for part in machine.mechanism.parts:
        if machine.mechanism.parts[part].fixed and (part in odd or any(part in j.parts for j in joints)):
            groups.join("", part)
    loops = 0
    for other in across:
        if groups.head(other.parts[0]) == groups.head(other.parts[1]):
            loops += 1
        groups.join(*other.parts)
    return loops > 0 and all(groups.head(name) == groups.head(joint.parts[1]) for name in odd)


def _compatible(joint: InferredPair, axis: Exact3) -> bool:
    if joint.type == "fixed":
        return True
    if joint.direction is None or joint.type not in ("revolute", "cylindrical", "prismatic"):
        return False
    cosine = abs(float(unit(joint.direction) @ unit(axis)))
    along, across = cosine > 1 - _PARALLEL, cosine < _PARALLEL
    return {"revolute": along, "prismatic": across}.get(joint.type, along or across)


def around(machine: MachineSolids, parts: tuple[str, str]) -> list[str]:
    """The two parts, and all that reach into a ball around the moving one."""
    movers = [
        machine.parts[name] for name in parts if name in machine.parts and not machine.parts[name].fixed
    ]
    names = [name for name in parts if name in machine.parts]
    for mover in movers:
        low, high = mover.box
        reach = float(np.linalg.norm(high - low))
        for other in machine.parts.values():
            apart = np.maximum(other.box[0] - high, low - other.box[1]).max()
            if other.name not in names and apart <= reach:
                names.append(other.name)
    return names


def layered_along(machine: MachineSolids, name: str, axis: Exact3) -> bool:
    """Whether a part is a stack of prisms along an axis."""
    return stackable(standing(machine.parts[name].seen_along(axis)))


def _driven_along(mechanism: Mechanism, parts: tuple[str, str], along: Any) -> bool:
    for drive in mechanism.drives.values():
        target = drive.part or (drive.marker or "").partition(".")[0]
        for leg in drive.legs or ():
            if target in parts and leg.velocity is not None:
                v = np.zeros(3)
                v[: len(leg.velocity)] = [float(c) for c in leg.velocity]
                if abs(v @ along) > 1e-9 * np.linalg.norm(v):
                    return True
    return False


def hold_by_loops(joints: Sequence[InferredPair], fixed: set[str]) -> list[InferredPair]:
    """Cylindrical joints that the rest of the machine keeps from turning, or from sliding.

    Where other joints let two parts move in one plane only, a cylindrical pair across that plane's normal
    acts as a slide, and one along the normal as a pin.
    """
    held = []
    for joint in joints:
        if joint.type != "cylindrical" or joint.acts_as or joint.direction is None:
            held.append(joint)
            continue
        normals = [j.direction for j in joints if j.type == "revolute" and j.direction is not None]
        for normal in normals:
            if not _joined_in_plane(joint, joints, normal, fixed):
                continue
            cosine = abs(float(unit(joint.direction) @ unit(normal)))
            if cosine < _PARALLEL:
                joint = replace(
                    joint, acts_as="prismatic", why=f"{joint.why}; {_loop(normal)} keeps it from turning"
                )
                break
            if cosine > 1 - _PARALLEL:
                joint = replace(
                    joint, acts_as="revolute", why=f"{joint.why}; {_loop(normal)} keeps it from sliding"
                )
                break
        held.append(joint)
    return held


def _loop(normal: Exact3) -> str:
    return f"the loop of joints across {axis_words(normal)}"


def _joined_in_plane(
    joint: InferredPair, joints: Sequence[InferredPair], normal: Exact3, fixed: set[str]
) -> bool:
    """Whether other joints join its two parts, each of which moves across the normal only."""
    groups = Groups(["", *{part for j in joints for part in j.parts}])
    for name in fixed:
        if any(name in j.parts for j in joints):
            groups.join("", name)
    for other in joints:
        if other.name != joint.name and _stays_across(other, normal):
            groups.join(*other.parts)
    return groups.head(joint.parts[0]) == groups.head(joint.parts[1])


def _stays_across(joint: InferredPair, normal: Exact3) -> bool:
    if joint.type == "fixed":
        return True
    if joint.direction is None:
        return False
    cosine = abs(float(unit(joint.direction) @ unit(normal)))
    if joint.type == "revolute":
        return cosine > 1 - _PARALLEL
    return joint.type == "prismatic" and cosine < _PARALLEL
