"""Inputs: what a drive holds, by row of the equations."""

from __future__ import annotations

from dataclasses import dataclass

from detent.kinematics.equations.rows import HeldCoordinate
from detent.model.machine.plane_linkage import PlaneLinkage, PlanePoint


@dataclass(frozen=True)
class Input:
    """What a plan is driven by: a joint's coordinate, or a mark's two (each its own input)."""

    name: str
    held: HeldCoordinate
    axis: int = 0  # of a mark: 0 its x, 1 its y
    is_length: bool = False  # a travel or a mark's coordinate [m]; else an angle [rad]

    def unit(self, system: PlaneLinkage) -> float:
        """What one counts in the document: a document unit [m], or a radian."""
        return system.metres_per_unit if self.is_length else 1.0

    def span(self, system: PlaneLinkage) -> float:
        """What moves the linkage about as far as its size: the size [m], or a radian."""
        return system.size if self.is_length else 1.0


def joint_input(system: PlaneLinkage, name: str, index: int) -> Input:
    """The coordinate of a joint, by its row among the pairs."""
    return Input(name, HeldCoordinate(index), is_length=system.pairs[index].kind == "prismatic")


def marker_inputs(name: str, mark: PlanePoint) -> tuple[Input, Input]:
    """The two coordinates of a mark that is led."""
    held = HeldCoordinate(mark=mark)
    return Input(name, held, 0, is_length=True), Input(name, held, 1, is_length=True)
