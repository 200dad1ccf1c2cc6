"""What a document's drives mean over time: joints turned at a speed, or pushed with a torque or a force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from detent.foundation.errors import UnsupportedError
from detent.mechanics.tree_kernels import TORQUE
from detent.model.document.base import angle_of

if TYPE_CHECKING:
    from detent.mechanics.tree import Tree
    from detent.model.document.drive import Drive


@dataclass(frozen=True)
class DrivenJoints:
    """Coordinates of a tree by number: their speed [rad/s, m/s], or what pushes them [N m, N]."""

    speeds: dict[int, float]
    torques: dict[int, float]
    names: dict[int, str]  # of the drives


def driven_joints(tree: Tree, drives: Mapping[str, Drive]) -> DrivenJoints:
    """The drives of a run; UnsupportedError names one that says nothing over time."""
    speeds, torques, names = {}, {}, {}
    for name, drive in drives.items():
        at = f"drives.{name}"
        if drive.joint is None:
            raise UnsupportedError(
                "drives a part or a marker, and a run over time drives joints",
                "drive a joint, with `speed`",
                at,
            )
        if drive.joint not in tree.names:
            raise UnsupportedError(
                f"drives {drive.joint}, which closes a loop of parts or follows other joints",
                f"drive one of {', '.join(tree.names)}",
                f"{at}.joint",
            )
        k = tree.names.index(drive.joint)
        slides = tree.system.joint(drive.joint).type.coordinate == "length"
        speed = angle_of(drive.speed, drive.speed_deg)
        names[k] = name
        if drive.torque is not None:
            torques[k] = float(drive.torque)
        elif speed is not None:
            speeds[k] = speed * (tree.system.metres_per_unit if slides else 1.0)
        else:
            raise UnsupportedError(
                "gives positions, and a run needs to know how fast",
                "add `speed` (per second), or `torque`",
                at,
            )
    return DrivenJoints(speeds, torques, names)


def pushed(tree: Tree, driven: DrivenJoints) -> Tree:
    """The tree with the torques and forces of its drives."""
    joints = tree.machine.joints.copy()
    for coordinate, torque in driven.torques.items():
        joints[coordinate, TORQUE] = torque
    return replace(tree, machine=tree.machine._replace(joints=joints))
