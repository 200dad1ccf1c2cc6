"""Closed forms of a peg in its hole against figures of an independent solver, and the exact geometry."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from detent.judge.pegs import exact_geometry, jamming, passage, theory

REFERENCE = json.loads((Path(__file__).parents[2] / "data" / "whitney.json").read_text())["sets"]
NEAR = 1e-9


def peg_of(name: str, share: float = 1.0) -> theory.Peg:
    """A set of the reference, its errors and clearance made smaller by a share."""
    p = REFERENCE[name]["parameters"]
    return theory.Peg(
        hole=p["R"],
        clearance=p["c"] * share,
        friction=p["mu"],
        angle=math.radians(p["alpha_deg"]),
        centre=p["L_g"],
        lateral=p["K_x"],
        tilt=p["K_th"],
        error=p["eps0"] * share,
        lean=p["th0"] * share,
    )


def near(value: float) -> Any:
    return pytest.approx(value, rel=NEAR, abs=NEAR)


@pytest.mark.parametrize("name", REFERENCE)
def test_every_entry_of_the_reference(name: str) -> None:
    peg, told = peg_of(name), REFERENCE[name]
    assert peg.radius == near(told["r"])
    travel = theory.chamfer_travel(peg)
    assert travel == near(told["chamfer_travel"])
    for key, lever in (("chamfer_end", True), ("chamfer_end_literature_form", False)):
        pressed = theory.chamfer_force(peg, travel, lever=lever)
        entry = told[key]
        assert (pressed.along, pressed.across, pressed.lean) == near_all(
            entry["F_z"], entry["F_x"], entry["theta"]
        )
    for key, entry in told["one_point"].items():
        pressed = theory.one_point(peg, float(key.removeprefix("l=")))
        assert (pressed.normal, pressed.along, pressed.lean) == near_all(
            entry["f"], entry["F_z"], entry["theta"]
        )
    begins, ends = theory.two_point_depths(peg)
    assert (begins, ends) == near_all(*told["l2"])
    assert theory.estimated_two_point(peg) == near(told["l2_estimate"])
    assert theory.flat_from(peg) == near(told["flat_from"])
    flat = theory.flat_force(peg)
    assert (flat.along, flat.lean) == near_all(told["line_contact"]["F_z"], told["line_contact"]["theta"])
    wedge, entry = theory.wedging(peg, begins), told["wedging"]
    assert wedge.greatest_lean == near(entry["theta_max"])
    assert wedge.share == near(entry["l_over_d_at_l2"])
    assert wedge.possible is entry["wedges"]
    assert theory.tilt_per_error(peg) == near(entry["s"])
    assert theory.wedging_index(peg) == near(entry["first_order_index"])
    for key, entry in told["two_point"].items():
        twice = theory.two_point(peg, _share(key) * told["l2"][0])
        numbers = twice.rim, twice.tip, twice.along, twice.lean
        assert numbers == near_all(*(entry[each] for each in ("f1", "f2", "F_z", "theta")))
        if abs(twice.tip) > NEAR:  # at the begin of two contacts the tip's force is zero but for rounding
            assert twice.valid is bool(entry["valid"])
    for key, entry in told["jamming"].items():
        lam = jamming.slenderness(peg, _share(key) * told["l2"][0])
        assert lam == near(entry["lam"])
        assert np.allclose(jamming.vertices(peg.friction, lam), entry["vertices"], rtol=NEAR, atol=0)


def near_all(*values: float) -> Any:
    return pytest.approx(values, rel=NEAR, abs=NEAR)


def _share(key: str) -> float:
    return float(key.removeprefix("l=").removesuffix(" l2"))


@pytest.mark.parametrize("name", REFERENCE)
@pytest.mark.parametrize("on_peg", [False, True])
def test_the_exact_geometry_comes_tenfold_nearer(name: str, on_peg: bool) -> None:
    """With errors and clearance a tenth, the closed forms differ by a tenth from it, in every regime."""
    off = [deviations(name, share, on_peg) for share in (0.1, 0.01)]
    assert off[0].keys() == off[1].keys()
    assert {"chamfer", "rim", "two points"} <= {regime for regime, _ in off[0]}
    for regime, share in off[0]:
        far, close = off[0][regime, share], off[1][regime, share]
        assert close < 1e-10 or far / close == pytest.approx(10, rel=0.05), (regime, share)
        assert far < 0.02


def deviations(name: str, share: float, on_peg: bool) -> dict[tuple[str, float], float]:
    """By regime and place in it, how far F_z by the exact geometry is from the closed form."""
    peg = peg_of(name, share)
    way = passage.passage(peg, 9.5 * peg.hole, above=10 * abs(peg.error))
    wide = 3 * abs(peg.error)
    shape = exact_geometry.PegOutline(
        peg, peg_chamfer=wide if on_peg else 0, hole_chamfer=0 if on_peg else wide
    )
    places = [
        (stretch, place, way.at(stretch.begin + place * (stretch.end - stretch.begin)))
        for stretch in way.stretches
        if stretch.regime != "above"
        for place in (0.3, 0.7)
    ]
    advances = [-10 * abs(peg.error), *(row.travel for _, _, row in places)]
    exact = exact_geometry.exact_passage(shape, advances)
    assert len(exact.rows) == len(advances)
    numbered = zip(places, exact.rows[1:], strict=True)
    found: dict[tuple[str, float], float] = {}
    for (stretch, place, row), held in numbered:
        found.setdefault((stretch.regime, place), abs(held.along / row.along - 1))
    return found


def test_the_usual_form_lacks_the_lever() -> None:
    """With r / tan a the chamfer's force is that of the exact geometry; the usual form stays off."""
    peg = peg_of("soft_gripper", 0.01)
    way = passage.passage(peg, 1.0, above=10 * peg.error)
    crossed = way.first("chamfer")
    assert crossed is not None
    row = way.at(crossed.begin / 2)
    shape = exact_geometry.PegOutline(peg, hole_chamfer=3 * peg.error)
    held = exact_geometry.exact_passage(shape, [-10 * peg.error, row.travel]).rows[-1]
    usual = theory.chamfer_force(peg, theory.chamfer_travel(peg) / 2, lever=False).along
    assert row.along == pytest.approx(held.along, rel=1e-4)
    assert abs(usual / held.along - 1) > 0.03


@pytest.mark.parametrize("seed", range(12))
def test_regimes_are_those_of_the_exact_geometry(seed: int) -> None:
    """Random pegs with small errors touch where the exact geometry, which assumes no contact, has them."""
    random = np.random.default_rng(seed)
    peg = theory.Peg(
        hole=1.0,
        clearance=1e-6,
        friction=float(random.uniform(0.02, 0.4)),
        angle=float(random.uniform(0.8, 1.3)),
        centre=float(random.uniform(-3, 6)),
        lateral=1.0,
        tilt=float(random.uniform(5, 60)),
        error=float(random.uniform(-2e-5, 2e-5)),
        lean=float(random.choice([0.0, *random.uniform(-1e-5, 1e-5, 2)])),
    )
    way = passage.passage(peg, 6.0, above=1e-3)
    rows = [way.at((each.begin + each.end) / 2) for each in way.stretches if each.regime != "above"]
    shape = exact_geometry.PegOutline(peg, hole_chamfer=1e-3)
    exact = exact_geometry.exact_passage(shape, [-1e-3, *(row.travel for row in rows)])
    assert len(exact.rows) == len(rows) + 1
    for row, held in zip(rows, exact.rows[1:], strict=True):
        pressed, other = ("right", "left") if row.side > 0 else ("left", "right")
        expected = {
            "chamfer": {f"{pressed} chamfer"},
            "free": set(),
            "rim": {f"{pressed} rim"},
            "tip": {f"{pressed} corner"},
            "flat": {f"{pressed} rim", f"{pressed} corner"},
            "two points": {f"{pressed} rim", f"{other} corner"},
        }[row.regime]
        assert set(held.names) == expected
        assert row.along == pytest.approx(held.along, rel=1e-3, abs=1e-10)
        assert row.across == pytest.approx(held.across, rel=1e-3, abs=1e-10)


@pytest.mark.parametrize("name", REFERENCE)
def test_loads_lie_on_the_border_of_the_diagram(name: str) -> None:
    peg = peg_of(name)
    for row in passage.passage(peg, 9.5 * peg.hole).rows(9):
        if row.depth <= 0 or row.regime == "chamfer" or not any(row.normals):
            continue
        lam = jamming.slenderness(peg, row.depth)
        load = jamming.load_at_tip(peg, row.depth, row.normals)
        assert load is not None
        assert jamming.slides(peg.friction, lam, load, slack=1e-9)
        outside = load[0] * 1.001, load[1] * 1.001
        assert not jamming.slides(peg.friction, lam, outside, slack=1e-9)


@pytest.mark.parametrize("name", REFERENCE)
def test_extremes_are_none_between_samples(name: str) -> None:
    """The largest F_z of two contacts is at its closed form, not at a sample."""
    peg = peg_of(name)
    begins, ends = theory.two_point_depths(peg)
    depths = np.linspace(begins, ends, 20001)
    forces = [theory.two_point(peg, float(depth)).along for depth in depths]
    (peak,) = theory.two_point_peaks(peg)
    assert theory.two_point(peg, peak).along >= max(forces)
    assert peak == pytest.approx(depths[int(np.argmax(forces))], abs=2 * (ends - begins) / 20000)


def test_mirrored_pegs_have_mirrored_forces() -> None:
    peg = peg_of("rcc_near_tip")
    ways = [passage.passage(each, 95.0, above=5.0).rows(5) for each in (peg, peg.mirrored)]
    for one, other in zip(*ways, strict=True):
        assert (one.regime, one.depth, one.along, one.lean) == (
            other.regime,
            other.depth,
            other.along,
            -other.lean,
        )
        assert one.across == -other.across
        assert (one.right_rim, one.left_corner) == (other.left_rim, other.right_corner)


@pytest.mark.parametrize(("nudge", "locks"), [(-1e-6, False), (1e-6, True)])
def test_a_chamfer_locks_at_its_own_angle_of_friction(nudge: float, locks: bool) -> None:
    """A peg that only moves sideways is stuck on a chamfer as steep as friction."""
    peg = theory.Peg(1.0, 1e-3, math.tan(0.6) + nudge, 0.6, 0.0, 1.0, 1e12, 0.01, 0.0)
    assert math.isinf(theory.chamfer_travel(peg)) is locks
    assert passage.passage(peg, 1.0).locks is locks


@pytest.mark.parametrize(("nudge", "locks"), [(1e-6, False), (-1e-6, True)])
def test_one_contact_locks_where_the_support_tilts_too_easily(nudge: float, locks: bool) -> None:
    """K_th = K_x (mu r / 2)^2 is where one contact's force first has no bound, near l = L_g - mu r / 2."""
    peg = theory.Peg(1.0, 1e-4, 0.3, 1.0, 3.0, 1.0, 1.0, 0.01, 0.0)
    tilt = (peg.friction * peg.radius / 2) ** 2 * (1 + nudge)
    soft = theory.Peg(1.0, 1e-4, 0.3, None, 3.0, 1.0, tilt, 0.01, 0.0)
    assert bool(theory.rim_locks(soft)) is locks
