"""The same linkage told otherwise: other inputs, another order, mirrored, scaled."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import numpy as np

from detent.foundation import number
from detent.model.document import Drive, Marker, Mechanism, Pose


def with_inputs(mechanism: Mechanism, inputs: Sequence[float] | np.ndarray) -> Mechanism:
    """The only drive visits these coordinates [rad, or document units]."""
    ((name, drive),) = mechanism.drives.items()
    asked = Drive(joint=drive.joint, inputs=tuple(number(float(x)) for x in inputs))
    return msgspec.structs.replace(mechanism, drives={name: asked})


def shuffled(mechanism: Mechanism, seed: int) -> Mechanism:
    """Parts, markers and joints in another order; the ends of undriven joints swapped at random."""
    rng = random.Random(seed)
    driven = {drive.joint for drive in mechanism.drives.values()}

    def mix(table: dict) -> dict:
        keys = list(table)
        rng.shuffle(keys)
        return {key: table[key] for key in keys}

    parts = {
        name: msgspec.structs.replace(part, markers=mix(part.markers))
        for name, part in mix(mechanism.parts).items()
    }
    joints = {}
    for name, joint in mix(mechanism.joints).items():
        swap = name not in driven and joint.type in ("revolute", "prismatic") and rng.random() < 0.5
        joints[name] = (
            msgspec.structs.replace(joint, between=tuple(reversed(joint.between))) if swap else joint
        )
    return msgspec.structs.replace(mechanism, parts=parts, joints=joints)


def mirrored(mechanism: Mechanism) -> Mechanism:
    """The mirror image in the x axis: every y and every angle changes its sign, the drive's too."""

    def point(at):
        return (at[0], number(-at[1]))

    def minus(value):
        return None if value is None else number(-value)

    def marker(mark):
        if not isinstance(mark, Marker):
            return point(mark)
        along = None if mark.along is None else point(mark.along)
        return Marker(at=point(mark.at), along=along, turn=minus(mark.turn), turn_deg=minus(mark.turn_deg))

    parts = {}
    for name, part in mechanism.parts.items():
        pose = part.pose
        if pose is not None:
            at = None if pose.at is None else point(pose.at)
            pose = Pose(at=at, turn=minus(pose.turn), turn_deg=minus(pose.turn_deg))
        markers = {key: marker(mark) for key, mark in part.markers.items()}
        parts[name] = msgspec.structs.replace(part, pose=pose, markers=markers)
    drives = {}
    for name, drive in mechanism.drives.items():
        keys = ("from_", "to", "from_deg", "to_deg")
        turned = {key: minus(getattr(drive, key)) for key in keys}
        for key in ("inputs", "inputs_deg"):
            inputs = getattr(drive, key)
            turned[key] = None if inputs is None else tuple(minus(x) for x in inputs)
        drives[name] = msgspec.structs.replace(drive, **turned)
    return msgspec.structs.replace(mechanism, parts=parts, drives=drives)


def closure(mechanism: Mechanism, markers: dict[str, np.ndarray]) -> float:
    """How far the markers of pin-jointed rigid parts are from closing, as a share of the size.

    Each part keeps the distances and the handedness of its markers; pinned markers coincide.
    """
    worst = 0.0
    every = np.concatenate([np.asarray(points) for points in markers.values()])
    size = float(np.ptp(every, axis=0).max())
    for name, part in mechanism.parts.items():
        marks = [(key, mark) for key, mark in part.markers.items() if f"{name}.{key}" in markers]
        local = np.array(
            [[float(x) for x in (mark.at if isinstance(mark, Marker) else mark)] for _, mark in marks]
        )
        if len(marks) < 2:
            continue
        here = np.stack([np.asarray(markers[f"{name}.{key}"]) for key, _ in marks])
        arm = local[1:] - local[0]
        way = here[1:] - here[0]
        base, turned = arm[0, 0] + 1j * arm[0, 1], way[0, :, 0] + 1j * way[0, :, 1]
        turn = turned / base
        worst = max(worst, float(np.abs(np.abs(turn) - 1).max()) * abs(base) / size)
        for a, w in zip(arm[1:], way[1:], strict=True):
            wanted = turn * (a[0] + 1j * a[1])
            worst = max(worst, float(np.abs(w[:, 0] + 1j * w[:, 1] - wanted).max()) / size)
    for joint in mechanism.joints.values():
        if joint.type == "revolute":
            first, second = (np.asarray(markers[end]) for end in joint.between)
            worst = max(worst, float(np.abs(first - second).max()) / size)
    return worst
