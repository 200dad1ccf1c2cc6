"""Hooks beside the formulas of every snap-fit calculator, to first order in the nose's size.

y the undercut, l, b, t the beam, a the angle of the ramp: strain 1.5 t y / l^2, deflection force
P = b t^2 E strain / (6 l), mating force P (mu + tan a) / (1 - mu tan a). The nose shrinks, its angles stay.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import detent
from detent.mechanics import equivalent_hinge
from detent.model import Beam
from detent.motion import Quasistatic

LENGTH, HEIGHT, WIDTH, MODULUS, FRICTION = 40.0, 3.0, 8.0, 2e9, 0.2
UNDERCUT, RISE, RUN = 2.0, 3.0, 4.0  # of the nose at scale 1 [mm]


def hook(scale: float, **beam: Any) -> dict[str, Any]:
    """A nose on the tip of a beam: the peak right above the tip, a ramp down to the free end."""
    face = (RISE - UNDERCUT) * scale
    bar = {"length": LENGTH, "height": HEIGHT, "width": WIDTH, "modulus": MODULUS} | beam
    end = RUN * scale
    return {
        "format": "detent/1",
        "units": "mm",
        "parts": {
            "base": {"fixed": True},
            "hook": {"shape": {"outline": [[0, 0], [end, 0], [0, RISE * scale]]}},
            "wall": {
                "shape": {"outline": [[end, face], [end + 5, face], [end + 5, face + 5], [end, face + 5]]}
            },
        },
        "joints": {"beam": {"type": "elastic", "between": ["base", "hook"], "at": [0, 0], "beam": bar}},
        "drives": {"push": {"part": "wall", "legs": [{"velocity": [-1, 0], "distance": 1.1 * end}]}},
        "touching": {"friction": FRICTION},
    }


def classic(undercut: float) -> tuple[float, float]:
    """Strain and mating force, in mm and N/mm^2 as in a calculator."""
    strain = 1.5 * HEIGHT * undercut / LENGTH**2
    deflecting = WIDTH * HEIGHT**2 * MODULUS * 1e-6 * strain / (6 * LENGTH)
    slope = RISE / RUN
    return strain, deflecting * (FRICTION + slope) / (1 - FRICTION * slope)


def answered(plain: dict[str, Any], way: str) -> tuple[float, float]:
    """Strain and mating force of the hook as it bends, or on the hinge that stands for its beam."""
    machine = detent.loads(json.dumps(plain), format="json")
    leg = detent.mate(machine, method=Quasistatic() if way == "hinged" else None).legs[0]
    (bent,) = leg.bending
    return bent.strain, float(leg.force.peak)


@pytest.mark.parametrize("way", ["hinged", "bent"])
def test_mating_force_and_strain_are_the_classic_ones_to_first_order(way: str) -> None:
    """At a tenth of the nose the difference is a tenth, from both sides: first order, no more."""
    differences = []
    for scale in (0.2, 0.02):
        expected, found = classic(UNDERCUT * scale), answered(hook(scale), way)
        differences.append([b / a - 1 for a, b in zip(expected, found, strict=True)])
    large, small = np.abs(np.array(differences))
    assert (large < 0.06).all()
    assert (large > 1e-4).all()
    assert small / large == pytest.approx(0.1, rel=0.2)


def test_a_hinge_on_the_document_is_that_of_the_flag() -> None:
    plain = hook(0.1)
    by_flag = answered(plain, "hinged")
    plain["ask"] = {"mate": {"beams": "hinged"}}
    assert answered(plain, "bent") == by_flag


@pytest.mark.parametrize("taper", [1.0, 0.5])
@pytest.mark.parametrize("beyond", [0.0, 7e-3])
def test_the_equivalent_hinge_goes_and_turns_as_the_beam_does(taper: float, beyond: float) -> None:
    """Beside E I w'' = F (s + x), integrated step by step from the clamp."""
    beam = Beam(length=LENGTH, height=(HEIGHT, taper * HEIGHT), width=WIDTH)
    hinge = equivalent_hinge(beam, MODULUS, 1e-3, beyond)
    length = LENGTH * 1e-3
    at = (np.arange(200_000) + 0.5) / 200_000 * length  # from the clamp
    height = 1e-3 * HEIGHT * (1 + (taper - 1) * at / length)
    curvature = (length - at + beyond) / (MODULUS * WIDTH * 1e-3 * height**3 / 12)
    turns = float(curvature.mean() * length)
    goes = float((curvature * (length - at + beyond)).mean() * length)
    arm = hinge.from_tip + beyond
    assert arm / hinge.stiffness == pytest.approx(turns, rel=1e-8)
    assert arm**2 / hinge.stiffness == pytest.approx(goes, rel=1e-8)
    assert hinge.share_at(beyond) == pytest.approx(1, rel=1e-12)
    if taper == 1 and beyond == 0:
        assert hinge.from_tip == pytest.approx(2 / 3 * length)
        assert hinge.stiffness == pytest.approx(MODULUS * WIDTH * HEIGHT**3 / 12 * 1e-12 * 4 / 3 / length)


@pytest.mark.parametrize(("key", "to", "factor"), [("height", 1 / 2, 1.09), ("width", 1 / 4, 0.86)])
def test_tapered_hooks_may_bend_as_far_as_design_guides_say(key: str, to: float, factor: float) -> None:
    """Deflection at a strain over strain l^2 / t: 0.67, 1.09 and 0.86 in Bayer's design guide."""
    found = []
    for taper in (1.0, to):
        ends = {"height": HEIGHT, "width": WIDTH}
        beam = {key: [ends[key], taper * ends[key]]}
        machine = detent.loads(json.dumps(hook(0.01, **beam)), format="json")
        leg = detent.mate(machine, method=Quasistatic()).legs[0]
        (bent,) = leg.bending
        found.append(bent.deflection * HEIGHT / (bent.strain * LENGTH**2))
    assert found == pytest.approx([2 / 3, factor], rel=0.01)


def test_what_no_hinge_stands_for_is_refused_by_name() -> None:
    plain = hook(0.1)
    joint = plain["joints"]["beam"]
    del joint["beam"]
    joint |= {"stiffness": [20.0], "free": ["turn_z"]}
    machine = detent.loads(json.dumps(plain), format="json")
    with pytest.raises(detent.UnsupportedError, match="no hinge stands for a matrix"):
        detent.mate(machine, method=Quasistatic())


def test_the_largest_strain_of_a_fastener_is_where_its_force_is() -> None:
    """Even beam: the moment at the root is the force across times the way to it, but for the push."""
    scale = 0.01
    leg = detent.mate(detent.loads(json.dumps(hook(scale)), format="json"), method=Quasistatic()).legs[0]
    (bent,) = leg.bending
    section = WIDTH * HEIGHT**2 / 6 * 1e-9
    assert bent.from_root == 0
    assert bent.stress == pytest.approx(bent.force * LENGTH * 1e-3 / section, rel=1e-2)
    assert bent.deflection == pytest.approx(UNDERCUT * scale, rel=1e-2)
    assert math.isfinite(float(leg.force.peak))


def test_what_calculators_say_is_told_beside_what_was_followed() -> None:
    answer = detent.mate(detent.loads(json.dumps(hook(0.02)), format="json"))
    (told,) = answer.classic
    strain, mating = classic(0.02 * UNDERCUT)
    assert (told.strain, told.mating) == pytest.approx((strain, mating), rel=1e-9)
    assert (told.length, told.undercut) == pytest.approx((LENGTH, 0.02 * UNDERCUT))
    assert told.ramp_deg == pytest.approx(math.degrees(math.atan2(RISE, RUN)))
    assert told.retention is None  # a right angle locks with any friction
    assert told.outside == ()
    assert "by the classic formulas" in answer.words
    assert "never, friction locks" in answer.words


@pytest.mark.parametrize(("height", "says"), [(LENGTH / 4.99, True), (LENGTH / 5.01, False)])
def test_short_beams_are_out_of_the_range_of_the_formulas(height: float, says: bool) -> None:
    plain = hook(0.02, height=round(height, 6))
    plain["drives"]["push"]["legs"][0]["distance"] = 0.01
    (told,) = detent.mate(detent.loads(json.dumps(plain), format="json")).classic
    assert any("shear counts" in why for why in told.outside) is says


@pytest.mark.parametrize(("friction", "locks"), [(RUN / RISE - 1e-9, False), (RUN / RISE + 1e-9, True)])
def test_friction_locks_the_ramp_from_the_cotangent_of_its_angle(friction: float, locks: bool) -> None:
    plain = hook(0.02)
    plain["touching"]["friction"] = friction
    plain["drives"]["push"]["legs"][0]["distance"] = 0.01
    (told,) = detent.mate(detent.loads(json.dumps(plain), format="json")).classic
    assert (told.mating is None) is locks


def test_a_hook_turned_and_mirrored_is_the_same_to_the_formulas() -> None:
    """Along +y, the nose to the other side: the frame of the beam, not the world's, is what counts."""
    upright = hook(0.02)
    there = detent.mate(detent.loads(json.dumps(upright), format="json")).classic[0]
    turned = hook(0.02)
    for name in ("hook", "wall"):
        shape = turned["parts"][name]["shape"]
        shape["outline"] = [[y, x] for x, y in shape["outline"]]
    turned["joints"]["beam"]["along"] = [0, 1]
    turned["drives"]["push"]["legs"][0]["velocity"] = [0, -1]
    for way in (None, Quasistatic()):
        here = detent.mate(detent.loads(json.dumps(turned), format="json"), method=way).classic[0]
        assert here.mating == pytest.approx(there.mating, rel=1e-9)
        assert here.strain == pytest.approx(there.strain, rel=1e-9)


def test_only_what_comes_past_the_nose_counts_and_faces_that_are_not_one_are_named() -> None:
    plain = hook(0.02)
    plain["drives"]["push"]["legs"][0]["distance"] = 0.01
    there = detent.mate(detent.loads(json.dumps(plain), format="json")).classic
    floor = {"outline": [[-50, -9], [50, -9], [50, -8], [-50, -8]]}
    plain["parts"]["floor"] = {"fixed": True, "shape": floor}
    assert detent.mate(detent.loads(json.dumps(plain), format="json")).classic == there
    # The ramp breaks off before the counterpart's face: the formula has one angle for both.
    plain["parts"]["hook"]["shape"]["outline"] = [[0, 0], [0.08, 0], [0.01, 0.05], [0, 0.06]]
    (told,) = detent.mate(detent.loads(json.dumps(plain), format="json")).classic
    assert told.ramp_deg == pytest.approx(45)
    assert any("several faces" in why for why in told.outside)


def test_a_nose_beyond_the_tip_of_its_beam_is_rigid_to_the_formulas() -> None:
    """Of the arm alone bends the moment P (s + x): the peak goes ((L + x)^3 - x^3) P / 3 E I."""
    plain = detent.load("cantilever_hook").to_dict()
    plain["drives"]["push"]["legs"] = [{"velocity": [-1, 0], "distance": "0.01"}]
    (told,) = detent.mate(detent.from_dict(plain)).classic
    length, height, width, modulus, undercut, friction = 20.0, 2.0, 6.0, 1902.0, 1.1, 0.2
    bending = modulus * width * height**3 / 12
    across = [3 * bending * undercut / ((length + x) ** 3 - x**3) for x in (1.6, 1.2)]
    assert told.force == pytest.approx(across[0], rel=1e-9)
    assert told.strain == pytest.approx(across[0] * (length + 1.6) * height / 2 / bending, rel=1e-9)
    ramp, way_back = 1.6 / 2.8, 1.0
    for found, force, slope in ((told.mating, across[0], ramp), (told.retention, across[1], way_back)):
        assert found == pytest.approx(force * (friction + slope) / (1 - friction * slope), rel=1e-9)


def test_a_counterpart_that_is_cut_out_is_followed_without_the_formulas() -> None:
    plain = hook(0.02)
    plain["drives"]["push"]["legs"][0]["distance"] = 0.01
    plate = plain["parts"]["wall"]["shape"]
    x, y = plate["outline"][0]
    hole = {"outline": [[x + 2, y + 3], [x + 3, y + 3], [x + 3, y + 9], [x + 2, y + 9]]}
    plain["parts"]["wall"]["shape"] = {"difference": [plate, hole]}
    assert detent.mate(detent.loads(json.dumps(plain), format="json")).classic == ()
