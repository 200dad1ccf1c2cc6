"""The mass of a part: as given, or from its shape and density.

SI inside: whatever the document's units, the answer is in kg, m and kg m².
"""

from __future__ import annotations

from detent.foundation.errors import ModelError
from detent.foundation.units import METRES
from detent.geometry.moments import Mass, mass
from detent.model.mechanism import Mechanism
from detent.model.solids import part_solid


def mass_from_shape(mechanism: Mechanism, name: str) -> Mass | None:
    """Mass, centre (in the part's frame) and inertia from shape and density; None without a density."""
    density = part_density(mechanism, name)
    if density is None:
        return None
    solid = part_solid(mechanism, name, scale=METRES[mechanism.units])
    if solid is None:
        remedy = "add `shape`, or give `mass` and `inertia`"
        raise ModelError.at(f"parts.{name}.density", "a density needs a shape", remedy)
    return mass(solid, density)


def part_density(mechanism: Mechanism, name: str) -> float | None:
    """The part's own density, else its material's [kg/m³]."""
    part = mechanism.parts[name]
    if part.density is not None:
        return float(part.density)
    material = mechanism.materials.get(part.material or "")
    return None if material is None or material.density is None else float(material.density)
