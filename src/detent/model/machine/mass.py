"""The mass of a part: as given, or from its shape and density.

SI inside: whatever the document's units, the answer is in kg, m and kg m².
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from detent.foundation.errors import ModelError
from detent.foundation.names import few
from detent.foundation.units import METRES, metres, unit_names
from detent.geometry.moments import Mass, mass
from detent.geometry.solid import leaves
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import parts_of
from detent.model.machine.materials import material_of
from detent.model.machine.placed import PlacedJoint, place
from detent.model.machine.solids import part_solid

_MOST_NAMED = 8  # parts in one sentence


def part_mass(mechanism: Mechanism, name: str) -> Mass:
    """Mass, centre (in the part's frame) and inertia: as given, or from shape and density.

    A part with `inertia` alone rotates about a fixed axis, that of its one joint to a fixed part, and has no
    mass to speak of elsewhere; on a slide the number is its mass. With a `mass`, `inertia` is about an axis
    through `center`: square to the plane, in space along the part's one joint to a fixed part.
    """
    part, at, flat = mechanism.parts[name], f"parts.{name}", mechanism.dimension == 2
    if part.mass is None:
        of_shape = mass_from_shape(mechanism, name)
        if of_shape is not None:
            return of_shape
        axis = None if part.inertia is None else _only_axis(mechanism, name)
        if part.inertia is not None and axis is not None and axis.type.name == "prismatic":
            return Mass(float(part.inertia), (0.0, 0.0, 0.0), _diagonal(0.0, 0.0, 0.0))
        if part.inertia is not None and axis is not None and not flat:
            return Mass(0.0, (0.0, 0.0, 0.0), _about(axis, name, float(part.inertia)))
        if part.inertia is None:
            about = "inertia" if flat or _only_axis(mechanism, name) is not None else "principal"
            remedy = f"give `mass`, `center` and `{about}`, or a `density`"
            if _only_axis(mechanism, name) is not None and not any(mechanism.gravity or ()):
                remedy = "give `inertia` alone (about its pin; on a slide the mass), or a `density`"
            raise ModelError.at(f"{at}.mass", "is missing, and accelerations need it", remedy)
        if axis is None:
            problem = (
                "is missing: `inertia` alone is about a pin, or the mass on a slide, "
                "that is the only joint to a fixed part, and this part has no such joint"
            )
            raise ModelError.at(f"{at}.mass", problem, "add `mass` and `center`, or a `density`")
        return Mass(0.0, (0.0, 0.0, 0.0), _diagonal(0.0, 0.0, float(part.inertia)))
    kilograms, centre = part_weight(mechanism, name)
    if flat and part.inertia is not None:
        return Mass(kilograms, centre, _diagonal(0.0, 0.0, float(part.inertia)))
    if not flat and part.principal is not None:
        a, b, c = (float(moment) for moment in part.principal)
        return Mass(kilograms, centre, _diagonal(a, b, c))
    axis = _only_axis(mechanism, name)
    if axis is not None and axis.type.name == "prismatic":  # it cannot turn
        return Mass(kilograms, centre, _diagonal(0.0, 0.0, 0.0))
    if axis is not None and part.inertia is not None:
        return Mass(kilograms, centre, _about(axis, name, float(part.inertia)))
    if flat or (axis is not None and part.principal is None):
        remedy = "add `inertia`, about an axis through `center`, or give a `density` instead of `mass`"
        raise ModelError.at(f"{at}.inertia", "is missing, and accelerations need it", remedy)
    remedy = "add `principal`, its moments about x, y and z through `center`, or give a `density` instead"
    raise ModelError.at(f"{at}.principal", "is missing, and accelerations need it", remedy)


def part_weight(mechanism: Mechanism, name: str) -> tuple[float, tuple[float, float, float]]:
    """Mass and centre (in the part's frame): what gravity pulls at, also where no inertia is given."""
    part = mechanism.parts[name]
    if part.mass is None:
        whole = part_mass(mechanism, name)
        return whole.mass, whole.centre
    if part.center is None:
        problem = "is missing: the place of the mass, in the part's frame"
        raise ModelError.at(f"parts.{name}.center", problem, "add `center`, or a `density` instead of `mass`")
    scale = metres(mechanism.units)
    x, y, z = [*(scale * float(c) for c in part.center), 0.0][:3]
    return float(part.mass), (x, y, z)


def _only_axis(mechanism: Mechanism, name: str) -> PlacedJoint | None:
    """The one joint of a part to a fixed part, a pin or a slide; None where it has none, or several."""
    joints = [
        joint
        for joint in place(mechanism).joints.values()
        if name in parts_of(joint.joint)
        and any(mechanism.parts[part].fixed for part in parts_of(joint.joint))
        and not joint.type.couples
    ]
    if len(joints) != 1 or joints[0].type.name not in ("revolute", "prismatic", "cylindrical"):
        return None
    return joints[0]


def _about(joint: PlacedJoint, name: str, inertia: float) -> tuple[tuple[float, float, float], ...]:
    """The inertia of a part about a joint's axis alone, along the part's own axes."""
    axis = joint.placed.frame(name).inverse().direct(joint.axis_in_world)
    square = sum(c * c for c in axis)
    a, b, c = ([inertia * float(p * q / square) for q in axis] for p in axis)
    return (a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2])


def _diagonal(a: float, b: float, c: float) -> tuple[tuple[float, float, float], ...]:
    return (a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c)


def mass_from_shape(mechanism: Mechanism, name: str) -> Mass | None:
    """Mass, centre (in the part's frame) and inertia from shape and density; None without a density."""
    density = part_density(mechanism, name)
    if density is None:
        return None
    solid = part_solid(mechanism, name, scale=METRES[mechanism.units])
    if solid is None:
        remedy = "add `shape`, or give `mass` and `inertia`"
        raise ModelError.at(f"parts.{name}.density", "a density needs a shape", remedy)
    of_shape = mass(solid, density)
    if of_shape is None:
        problem = "encloses nothing, so that its density gives no mass"
        raise ModelError.at(f"parts.{name}.shape", problem, "mend the shape, or give `mass` and `inertia`")
    thickness = mechanism.parts[name].thickness
    return (
        of_shape if thickness is None else _as_thick_as(of_shape, float(thickness) * METRES[mechanism.units])
    )


def _as_thick_as(slab: Mass, thickness: float) -> Mass:
    """A flat shape's mass, which is that of a slab one metre thick, as a slab of a thickness [m]."""
    kilograms = thickness * slab.mass
    grows = (kilograms * thickness**2 - kilograms) / 12  # across the plane: m (h^2 - 1) / 12
    rows = [[thickness * entry for entry in row] for row in slab.inertia]
    rows[0][0] += grows
    rows[1][1] += grows
    x, y, z = slab.centre
    a, b, c = ((row[0], row[1], row[2]) for row in rows)
    return replace(slab, mass=kilograms, centre=(x, y, thickness * z), inertia=(a, b, c))


def assumed_thickness(mechanism: Mechanism, names: Iterable[str]) -> tuple[str, ...]:
    """Which of these parts have the mass of a flat shape, and how thick it counts; empty where none has."""
    flat = [name for name in names if _is_flat_with_density(mechanism, name)]
    if not flat:
        return ()
    one, unit = ("1 m", " in m") if unit_names(mechanism.units).length else ("one unit", "")
    remedy = f"give `mass`, or multiply the density by the thickness{unit}"
    if mechanism.dimension == 2:
        remedy = "give their `thickness`, or `mass`"
    return (f"{few(flat, _MOST_NAMED)} {one} thick, as flat shapes with a density count ({remedy})",)


def thickness_of_moving(mechanism: Mechanism) -> tuple[str, ...]:
    """The same of all parts that are not fixed."""
    return assumed_thickness(mechanism, [name for name, part in mechanism.parts.items() if not part.fixed])


def _is_flat_with_density(mechanism: Mechanism, name: str) -> bool:
    part = mechanism.parts[name]
    if part.mass is not None or part.thickness is not None or part_density(mechanism, name) is None:
        return False
    solid = part_solid(mechanism, name)
    return solid is not None and all(leaf.flat for leaf in leaves(solid))


def part_density(mechanism: Mechanism, name: str) -> float | None:
    """The part's own density, else its material's [kg/m³]."""
    part = mechanism.parts[name]
    if part.density is not None:
        return float(part.density)
    material = material_of(mechanism, name)
    return None if material is None or material.density is None else float(material.density)
