"""What a document says of an elastic joint: its directions, its matrix, the modulus of what bends."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from detent.foundation.errors import ModelError
from detent.foundation.exact import Number
from detent.model.document.joint import Beam, Direction, Joint, Plate
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.directions import DIRECTIONS
from detent.model.machine.graph import parts_of
from detent.model.machine.materials import material_of, shipped_values

NO_MODULUS = (
    "is missing, and no material of its parts has one",
    'add it [Pa], or a `material` with a `modulus` to one of the parts, as material = "POM"',
)
NO_WIDTH = (
    "is missing, and none of its parts has a thickness",
    "add it, or a `thickness` to the part that it carries",
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
    """[Pa] of a joint's beam or plate: its own, else the secant modulus of the material of one of its parts,
    else its modulus."""
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
    part = bent_part(mechanism, joint)
    material = None if part is None else material_of(mechanism, part)
    if material is None:
        return None
    modulus = material.secant_modulus if material.secant_modulus is not None else material.modulus
    return None if modulus is None else float(modulus)


def bent_part(mechanism: Mechanism, joint: Joint) -> str | None:
    """Of the two parts the one whose material bends: the carried one, else the support; None without any."""
    for name in parts_of(joint)[::-1]:
        material = material_of(mechanism, name)
        if material is not None and (material.modulus is not None or material.secant_modulus is not None):
            return name
    return None


def modulus_words(mechanism: Mechanism, joint: Joint) -> tuple[str, ...]:
    """What a modulus of a material assumes: a secant modulus, a shipped value."""
    bent, part = joint.beam or joint.plate, bent_part(mechanism, joint)
    if bent is None or bent.modulus is not None or part is None:
        return ()
    material = material_of(mechanism, part)
    assert material is not None
    if material.secant_modulus is None:
        return shipped_values(mechanism, part, ("modulus",))
    words = f"the secant modulus of {mechanism.parts[part].material}, {_mega(material.secant_modulus)}"
    if material.modulus is not None:
        more = float(material.modulus) / float(material.secant_modulus)
        words += f": small strains take up to {more:.3g} times the force (modulus {_mega(material.modulus)})"
    return (words, *shipped_values(mechanism, part, ("modulus", "secant_modulus")))


def _mega(modulus: Number) -> str:
    return f"{float(modulus) / 1e6:g} MPa"


def beam_of(mechanism: Mechanism, joint: Joint) -> Beam:
    """The beam of a joint with its width, which may be the thickness of the part that it carries."""
    assert joint.beam is not None
    width = known_width(mechanism, joint)
    assert width is not None  # a document without one is refused
    return joint.beam if joint.beam.width is not None else replace(joint.beam, width=width)


def known_width(mechanism: Mechanism, joint: Joint) -> Any:
    """Of a joint's beam: its own, else the thickness of the carried part, else of the support; or None."""
    assert joint.beam is not None
    if joint.beam.width is not None:
        return joint.beam.width
    parts = [mechanism.parts[name] for name in parts_of(joint)[::-1] if name in mechanism.parts]
    return next((part.thickness for part in parts if part.thickness is not None), None)


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
