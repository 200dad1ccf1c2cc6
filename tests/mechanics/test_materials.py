"""What parts are made of: shipped materials, thickness of flat parts, secant moduli."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import detent
from detent.foundation import ModelError
from detent.model import SHIPPED
from detent.model.machine import part_mass

BEAM = {"length": 40, "height": [5, 2.7], "width": 20}


def hook(beam: dict[str, Any] = BEAM, part: dict[str, Any] | None = None, **tables: Any) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(detent.load("snap_hook").to_dict()))
    plain["joints"]["beam"]["beam"] = beam
    plain["parts"]["hook"] |= part or {}
    return plain | tables


def stiffness(plain: dict[str, Any]) -> Any:
    return np.array(detent.explain(detent.from_dict(plain)).elastic["beam"]["stiffness"])


def problems(plain: dict[str, Any]) -> str:
    with pytest.raises(ModelError) as refused:
        detent.from_dict(plain)
    return str(refused.value)


def test_a_thickness_is_the_width_of_a_beam_and_a_material_its_modulus() -> None:
    given = stiffness(hook({**BEAM, "modulus": 2e9}))
    bare = {key: BEAM[key] for key in ("length", "height")}
    material = {"own": {"modulus": 2e9}}
    meant = stiffness(hook(bare, {"thickness": 20, "material": "own"}, materials=material))
    assert meant == pytest.approx(given, rel=1e-12)
    # A secant modulus is the one of the working strain: the beam takes it, and says so.
    material["own"]["secant_modulus"] = 1e9
    plain = hook(bare, {"thickness": 20, "material": "own"}, materials=material)
    assert stiffness(plain) == pytest.approx(given / 2, rel=1e-12)
    (said,) = detent.explain(detent.from_dict(plain)).elastic["beam"]["scope"].assumed
    assert "the secant modulus of own, 1000 MPa" in said
    assert "up to 2 times the force" in said


@pytest.mark.parametrize("name", list(SHIPPED))
def test_a_shipped_material_has_the_secant_modulus_of_its_working_strain(name: str) -> None:
    shipped = SHIPPED[name]
    by_name = hook(part={"material": name})
    assert stiffness(by_name) == pytest.approx(
        stiffness(hook({**BEAM, "modulus": float(shipped.secant_modulus or 0)})), rel=1e-12
    )
    # A modulus at a larger strain is smaller; what may be repeated is less than what is allowed once.
    assert float(shipped.secant_modulus or 0) < float(shipped.modulus or 0)
    assert float(shipped.strain_repeated or 0) < float(shipped.strain_once or 0)


def test_the_strain_of_a_hook_is_told_beside_its_table_and_the_rest_beside_the_shipped_one() -> None:
    own = hook(part={"material": "own"}, materials={"own": {"library": "PBT", "strain_once": 0.011}})
    own["drives"]["push"]["legs"] = [{"velocity": [-1, 0], "distance": 5}]
    mating = detent.mate(detent.from_dict(own))
    (bent,) = mating.legs[0].bending
    assert bent.strain_once == 0.011
    assert bent.strain_repeated == float(SHIPPED["PBT"].strain_repeated or 0)
    assert bent.safety_once == pytest.approx(0.011 / bent.strain)
    assert bent.force_once == pytest.approx(bent.force * 0.011 / bent.strain)
    assumed = " ".join(mating.scope.assumed)
    assert "strain_repeated of PBT" in assumed
    assert "strain_once of PBT" not in assumed  # which is the table's own


def test_a_material_without_a_modulus_or_by_a_wrong_name_is_refused_with_what_to_write() -> None:
    said = problems(hook(part={"material": "own"}, materials={"own": {"density": 1000}}))
    assert "joints.beam.beam.modulus: is missing" in said
    assert 'material = "POM"' in said
    assert "did you mean 'POM'" in problems(hook(part={"material": "POMM"}))
    wrong = problems(hook(part={"material": "own"}, materials={"own": {"library": "PA6"}}))
    assert "materials.own.library" in wrong
    assert "did you mean 'PA66'" in wrong


def test_a_thickness_is_of_flat_shapes_in_the_plane() -> None:
    outline = [[0, 0], [20, 0], [20, 10], [4, 10]]
    prism = {"shape": {"prism": {"outline": outline, "height": 3}}, "thickness": 3}
    assert "is of flat shapes" in problems({"units": "mm", "parts": {"plate": prism}})
    flat = {"shape": {"outline": outline}, "thickness": 3}
    assert "use a `prism`" in problems({"units": "mm", "dimension": 3, "parts": {"plate": flat}})


def test_the_mass_and_moments_of_a_thick_flat_part_are_those_of_the_prism() -> None:
    outline = [[0, 0], [20, 0], [20, 10], [4, 10]]
    flat = {"shape": {"outline": outline}, "density": 1400, "thickness": 3}
    prism = {"shape": {"prism": {"outline": outline, "height": 3}}, "density": 1400}
    a, b = (
        part_mass(detent.from_dict({"units": "mm", "parts": {"plate": part}}), "plate")
        for part in (flat, prism)
    )
    assert a.mass == pytest.approx(b.mass, rel=1e-12)
    assert a.mass == pytest.approx(1400 * 0.003 * 180e-6, rel=1e-12)
    assert np.array(a.centre) == pytest.approx(np.array(b.centre), rel=1e-12)
    assert np.array(a.inertia) == pytest.approx(np.array(b.inertia), rel=1e-9, abs=1e-18)
