"""What a document says of an elastic joint: its directions, its matrix, the modulus of what bends."""

from __future__ import annotations

from typing import Any

from detent.foundation.errors import ModelError
from detent.model.document.joint import Direction, Joint, Plate
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.directions import DIRECTIONS
from detent.model.machine.graph import parts_of

NO_MODULUS = (
    "is missing, and no material of its parts has one",
    "add it [Pa], or a `material` with a `modulus` to one of the parts",
)


def free_directions(joint: Joint, dimension: int) -> tuple[Direction, ...]:
    """Where a joint with a matrix gives way: as it says, else everywhere."""
    return DIRECTIONS[dimension] if joint.free is None else joint.free


def stiffness_rows(joint: Joint, dimension: int) -> list[list[Any]]:
    """The matrix of its free directions, as written: numbers are its diagonal, others are taken out."""
    rows: Any = joint.stiffness
    if not any(isinstance(row, tuple) for row in rows):
        rows = [[row if i == j else 0 for j in range(len(rows))] for i, row in enumerate(rows)]
    free, every = free_directions(joint, dimension), DIRECTIONS[dimension]
    if len(rows) == len(every):  # written in all directions
        places = [every.index(direction) for direction in free]
        rows = [[rows[i][j] for j in places] for i in places]
    return [list(row) for row in rows]


def modulus_of(mechanism: Mechanism, name: str) -> float:
    """[Pa] of a joint's beam or plate: its own, else of the material of one of its parts."""
    found = known_modulus(mechanism, mechanism.joints[name])
    if found is None:
        key = "beam" if mechanism.joints[name].beam is not None else "plate"
        raise ModelError.at(f"joints.{name}.{key}.modulus", *NO_MODULUS)
    return found


def known_modulus(mechanism: Mechanism, joint: Joint) -> float | None:
    """The same; None where nothing says it."""
    bent = joint.beam or joint.plate
    if bent is None:
        return None
    if bent.modulus is not None:
        return float(bent.modulus)
    for name in parts_of(joint)[::-1]:
        part = mechanism.parts.get(name)
        material = None if part is None else mechanism.materials.get(part.material or "")
        if material is not None and material.modulus is not None:
            return float(material.modulus)
    return None


def knots_with_ends(plate: Plate) -> list[list[float]]:
    """The knots along x and along y with both ends, which may be left out of the document."""
    assert plate.knots is not None
    return [
        sorted({0.0, *(float(knot) for knot in knots), float(side)})
        for knots, side in zip(plate.knots, plate.sides, strict=True)
    ]


def functions_along(plate: Plate, axis: int) -> int:
    """How many shape functions its own knots leave along x (0) or y (1)."""
    intervals = len(knots_with_ends(plate)[axis]) - 1
    clamped = sum(f"{'xy'[axis]}={end}" in plate.clamped for end in (0, 1))
    return intervals + 3 - 2 * clamped - (2 - clamped)
