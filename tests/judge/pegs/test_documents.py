"""Pegs of documents: recognised, answered by Whitney's theory, refused with a reason."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import detent
from tests.judge.pegs.documents import in_space, planar

DATA = Path(__file__).parents[2] / "data"
REFERENCE = json.loads((DATA / "whitney.json").read_text())["sets"]


@pytest.mark.parametrize("name", REFERENCE)
def test_documents_give_the_figures_of_the_reference(name: str) -> None:
    told = REFERENCE[name]
    p = told["parameters"]
    machine = planar(p, distance=2.2 * told["l2"][0] + 10)
    peg = detent.explain(machine).pegs["peg"]
    assert (peg["c"], peg["eps0"], peg["th0"]) == pytest.approx(
        (p["c"], p["eps0"], p["th0"]), rel=1e-9, abs=1e-15
    )
    assert peg["compliance_centre"] == pytest.approx(p["L_g"], rel=1e-9)
    assert peg["peak_chamfer"] == pytest.approx(told["chamfer_end"]["F_z"], rel=1e-9)
    assert peg["peak_chamfer_usual_form"] == pytest.approx(
        told["chamfer_end_literature_form"]["F_z"], rel=1e-9
    )
    assert peg["two_points"]["begin"] == pytest.approx(told["l2"][0], rel=1e-9)
    assert peg["two_points"]["estimate"] == pytest.approx(told["l2_estimate"], rel=1e-9)
    assert peg["wedging"]["possible"] is told["wedging"]["wedges"]
    assert peg["jamming"]["lam"][0] == pytest.approx(told["jamming"]["l=1 l2"]["lam"], rel=1e-9)
    assert np.allclose(peg["jamming"]["vertices"][0], told["jamming"]["l=1 l2"]["vertices"], rtol=1e-9)
    (leg,) = detent.mate(machine).legs
    assert leg.force.peak_chamfer == pytest.approx(-told["chamfer_end"]["F_z"], rel=1e-9)
    assert leg.second_contact.depth == pytest.approx(told["l2"][0], rel=1e-9)
    assert leg.second_contact.wedging is told["wedging"]["wedges"]


@pytest.mark.parametrize("round_hole", [True, False])
def test_a_peg_in_space_is_the_one_in_its_plane(round_hole: bool) -> None:
    """A round or a rectangular peg has the forces of the plane set, its chamfer at 45 degrees."""
    p = {**REFERENCE["soft_gripper"]["parameters"], "alpha_deg": 45.0, "L_g": 49.0}
    flat = detent.mate(planar(p, distance=30)).legs[0]
    deep = detent.mate(in_space(round_hole=round_hole)).legs[0]
    assert deep.force.peak_chamfer == pytest.approx(flat.force.peak_chamfer, rel=1e-9)
    # Depths count from the lowest point, which the chamfer puts 1 mm below the shoulder.
    assert deep.second_contact.depth - 1 == pytest.approx(flat.second_contact.depth, rel=1e-9)


def test_a_round_peg_is_looked_at_in_the_plane_of_its_offset() -> None:
    along = detent.mate(in_space(round_hole=True, off=(0.5, 0.0))).legs[0].force
    aslant = detent.mate(in_space(round_hole=True, off=(0.3, -0.4))).legs[0].force
    assert aslant.peak_chamfer == pytest.approx(along.peak_chamfer, rel=1e-9)
    across, _, up = along.plateau
    assert aslant.plateau == pytest.approx((0.6 * across, -0.8 * across, up), rel=1e-9)


def test_plateaus_of_a_simulation() -> None:
    """Two independent simulations of the carrier with a stiff tilt have -17.0993 and -113.995 N inside."""
    (leg,) = detent.mate("peg_on_carrier").legs
    assert leg.force.plateau == pytest.approx((-17.0993, -113.9949, 0), rel=1e-4, abs=1e-9)
    assert leg.force.peak_chamfer == pytest.approx(-154.23, rel=1e-4)
    # Where the force falls by 137 N over 30 N/mm of support, the peg jumps 4.6 mm.
    (snap,) = [event for event in leg.events if event.kind == "snap"]
    (k,) = [k for k, event in enumerate(leg.events) if event is snap]
    assert leg.contact_sequence[k] == ("chamfer",)
    series = detent.mate("peg_on_carrier").columns()
    jump = np.flatnonzero(np.diff(series["travel [mm]"]) == 0)
    fallen = -np.diff(series["push [N]"])[jump]
    assert np.diff(series["depth [mm]"])[jump] == pytest.approx(fallen / 30, rel=1e-6)


def test_a_tilting_carrier_beside_its_simulation() -> None:
    """At 31.84 mm a simulation of exact geometry has (-11.9416, -76.3342) N; closed forms are 4 % off."""
    machine = detent.load("peg_on_carrier").to_dict()
    machine["parts"]["peg"]["shape"]["moves"] = [{"move": [-124, -22.7, -18.6]}]
    machine["joints"]["grip"]["at"] = [-204, 0, 4]
    machine["joints"]["grip"]["stiffness"] = [30000, 30000, 30000, 2000, 2000, 2000]
    peg = detent.explain(detent.from_dict(machine)).pegs["peg"]
    rows = np.array(peg["exact_geometry"]["rows"])
    depth, push, across, tilt = rows.T
    middle = (
        depth - 22.6 * np.abs(np.sin(tilt)) + 4 * (1 - np.cos(tilt))
    )  # of the tip, as the simulation counts
    inside = middle > 10
    at = 31.842
    assert np.interp(at, middle[inside], push[inside]) == pytest.approx(11.9416, rel=2e-3)
    assert np.interp(at, middle[inside], across[inside]) == pytest.approx(76.3342, rel=2e-3)
    flat = np.array([[np.nan if x is None else x for x in row] for row in peg["force"]["rows"]])
    closed = np.interp(at, flat[flat[:, 0] > 10, 0], flat[flat[:, 0] > 10, 2])
    assert 0.03 < abs(closed / 11.9416 - 1) < 0.06


def test_a_coupled_stiffness_has_its_centre_elsewhere() -> None:
    """A spring 30 mm above the joint's point, written at that point, is the same support (remote centre)."""
    p = REFERENCE["soft_gripper"]["parameters"]
    machine = planar(p, distance=30)
    data = machine.to_dict()
    k_x, k_th, away = 6000.0, 30.0, 0.03
    at = data["joints"]["grip"]["at"]
    data["joints"]["grip"]["at"] = [at[0], float(at[1]) - 30]  # 30 mm nearer to the tip
    # Past that point, turning by phi moves the centre by -away phi along x: K_x (x - away phi) there.
    data["joints"]["grip"]["stiffness"] = [
        [k_x, 0, -away * k_x],
        [0, 1e9, 0],
        [-away * k_x, 0, k_th + away**2 * k_x],
    ]
    peg = detent.explain(detent.from_dict(data)).pegs["peg"]
    assert peg["compliance_centre"] == pytest.approx(p["L_g"], rel=1e-9)
    assert (peg["K_x"], peg["K_th"]) == pytest.approx((k_x, k_th), rel=1e-9)


def test_a_rounded_edge_has_no_closed_form_but_all_else_has() -> None:
    data = in_space(round_hole=True).to_dict()
    chamfered = detent.explain(detent.from_dict(data)).pegs["peg"]
    data["parts"]["peg"]["shape"]["edges"] = [{"face": "-z", "round": 1}]
    machine = detent.from_dict(data)
    with pytest.raises(detent.UnsupportedError, match="its edge is rounded"):
        detent.mate(machine)
    peg = detent.explain(machine).pegs["peg"]
    assert (peg["goes_in"]["answer"], peg["peak_chamfer"]) == ("undecided", None)
    assert peg["two_points"] == chamfered["two_points"]


def test_the_order_of_a_joint_does_not_matter() -> None:
    data = in_space(round_hole=True).to_dict()
    force = detent.mate(detent.from_dict(data)).legs[0].force
    data["joints"]["grip"]["between"] = ["peg", "carrier"]
    assert detent.mate(detent.from_dict(data)).legs[0].force == force


def test_a_block_off_in_two_directions_is_no_plane_question() -> None:
    with pytest.raises(
        detent.UnsupportedError, match=r"off in two directions.*0\.3 mm across it, where its play is 0\.01"
    ):
        detent.mate(in_space(round_hole=False, off=(0.5, 0.3)))
    beside = detent.mate(in_space(round_hole=False, off=(0.5, 0.005)))
    assert beside.insertion.answer == "yes"
    assert any("free across the plane" in each for each in beside.scope.assumed)


def test_a_leg_that_gives_its_time_and_a_ramp_goes_as_far_as_its_trapezoid() -> None:
    """10 mm/s for 3 s, a second up and a second down: 20 mm."""
    leg = {"velocity": [0, -10], "for": 3, "ramp": 10}
    ramped = detent.mate(_moved(drives__insert__legs=[leg])).legs[0]
    plain = detent.mate(_moved(drives__insert__legs=[{"velocity": [0, -10], "distance": 20}])).legs[0]
    assert (ramped.end.cause, ramped.end.time) == ("done", pytest.approx(3))
    assert ramped.end.travel == pytest.approx(20)
    assert ramped.force.peak == pytest.approx(plain.force.peak)


def test_what_is_left_out_has_its_key() -> None:
    machine = _moved(
        gravity=[0, -9.81], joints__gripper__damping=3, touching__restitution=0.2, ask__mate__until=3
    )
    left_out = " ".join(detent.mate(machine).scope.left_out)
    for key in ("gravity", "joints.gripper.damping", "touching.restitution", "ask.mate.until"):
        assert key in left_out


def _outline(wide: float, x: float) -> list[list[float]]:
    return [[x - wide / 2, 5], [x + wide / 2, 5], [x + wide / 2, 75], [x - wide / 2, 75]]


def _moved(**paths: Any) -> detent.Mechanism:
    machine = detent.load("whitney_peg")
    for path, value in paths.items():
        machine = machine.with_(path.replace("__", "."), value)
    return machine


REFUSED = {
    "no spring across": (_moved(joints__gripper__stiffness=[0, 1e6, 30]), "no spring holds the peg sideways"),
    "no spring in tilt": (
        _moved(joints__gripper__stiffness=[6000, 1e6, 0]),
        "no spring holds the peg against tilting",
    ),
    "no spring in": (
        _moved(joints__gripper__stiffness=[6000, 0, 30]),
        "no spring holds the peg along the way in",
    ),
    "led away": (
        _moved(drives__insert__legs=[{"velocity": [0, 10], "distance": 50}]),
        "no fixed part with a hole is ahead",
    ),
    "off its axis": (_moved(joints__gripper__at=[0, 50]), "0.6 mm beside the axis"),
    "rigid": (_moved(ask__mate__method="rigid"), "stands in space"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_peg_for_this_theory_is_refused_with_its_reason(name: str) -> None:
    machine, why = REFUSED[name]
    with pytest.raises(detent.UnsupportedError, match=why):
        detent.mate(machine)


SHORT = "drives__insert__legs"
ANSWERED = {
    "larger": ({"parts__peg__shape__outline": _outline(20.4, 0.6)}, "no", "larger than its hole by 0.4 mm"),
    "as wide": ({"parts__peg__shape__outline": _outline(20, 0.6)}, "no", "as wide as its hole"),
    "beside its chamfer": (
        {"parts__peg__shape__outline": _outline(19.96, 5), "joints__gripper__at": [5, 50]},
        "no",
        "2.98 mm beside its chamfer",
    ),
    "on the chamfer": ({SHORT: [{"velocity": [0, -1], "distance": 8}]}, "no", "on the chamfer"),
    "too short": ({SHORT: [{"velocity": [0, -1], "distance": 3}]}, "nothing touched", "above the hole"),
    "frictionless": ({"touching__friction": 0}, "yes", "slides at every depth"),
    "rough": ({"touching__friction": 20}, "no", "sticks there"),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERED)
def test_odd_pegs_are_answers(name: str) -> None:
    paths, answer, why = ANSWERED[name]
    mating = detent.mate(_moved(**paths))
    assert mating.insertion.answer == answer
    assert why in mating.insertion.why
    assert why in mating.words
    assert json.loads(mating.to_json())


def test_a_hole_without_a_chamfer_takes_only_what_stands_above_it() -> None:
    data = detent.load("whitney_peg").to_dict()
    data["parts"]["plate"]["shape"]["difference"][1] = {"outline": [[-10, -60], [10, -60], [10, 1], [-10, 1]]}
    mating = detent.mate(detent.from_dict(data))
    assert (mating.insertion.answer, "beside the hole, which has no chamfer" in mating.insertion.why) == (
        "no",
        True,
    )
    data["parts"]["peg"]["shape"]["outline"] = _outline(19.96, 0.01)
    data["joints"]["gripper"]["at"] = [0.01, 50]
    assert detent.mate(detent.from_dict(data)).insertion.answer == "yes"


def test_a_jam_has_no_bound() -> None:
    mating = detent.mate("jamming_peg")
    assert (mating.insertion.answer, mating.legs[0].end.cause) == ("no", "jam")
    assert math.isinf(mating.legs[0].force.peak)
    assert json.loads(mating.to_json())["legs"][0]["force"]["peak"] == {"unbounded": True}
    assert mating.legs[0].jamming.leaves == pytest.approx(mating.columns()["depth [mm]"][-1])


def test_pictures_and_films_have_the_peg_where_it_is() -> None:
    """At two contacts the peg's own outline, moved as the film moves it, meets rim and opposite wall."""
    mating = detent.mate("whitney_peg")
    poses = mating.run.trajectory.poses["peg"]
    columns = mating.columns()
    row = int(np.flatnonzero(columns["left corner [N]"] > 0)[3])
    x, y, turned = poses[row]
    corners = np.array([[-9.38, 5], [10.58, 5]])
    cosine, sine = math.cos(turned), math.sin(turned)
    left, right = corners @ np.array([[cosine, sine], [-sine, cosine]]) + [x, y]
    rim = np.array([10.0, -3.4641016151377546])
    side = np.array([-sine, cosine])  # up the peg
    gap = (rim - right)[0] * side[1] - (rim - right)[1] * side[0]
    assert abs(left[0] + 10) < 2e-3  # the tip's corner on the wall, to first order
    assert abs(gap) < 2e-3


def test_a_peg_whose_contacts_are_asked_to_be_followed_is_the_one_of_exact_geometry() -> None:
    """Two solvers: the equilibrium of the exact geometry, and contacts followed as those of a hook."""
    told = detent.mate("whitney_peg")
    assert any("it is taken as a peg in a hole" in note for note in told.notes)
    followed = detent.mate(detent.load("whitney_peg").with_("ask.mate.method", "quasistatic")).legs[0]
    (leg,) = told.legs
    assert followed.force.peak_push == pytest.approx(-leg.force.peak_chamfer_exact, rel=5e-4)
    touches = [event.travel for event in followed.events if event.kind == "contact"]
    second = next(event.travel for event in leg.events if event.kind == "change")
    later = leg.second_contact.depth_exact - leg.second_contact.depth
    assert touches[1] == pytest.approx(second + later, abs=1e-3)


def test_a_peg_that_goes_in_without_touching_has_no_event() -> None:
    data = detent.load("whitney_peg").to_dict()
    data["parts"]["peg"]["shape"]["outline"] = _outline(19.9, 0)
    data["joints"]["gripper"]["at"] = [0, 50]
    (leg,) = detent.mate(detent.from_dict(data)).legs
    assert (leg.events, leg.contact_sequence) == ((), ((),))


@pytest.mark.parametrize(("travel", "answer"), [(8.0, "not yet"), (12.0, "yes"), (50.0, "yes")])
def test_a_peg_is_in_below_the_rims_whichever_way_its_contacts_are_followed(travel, answer):
    """Its hole begins 8.46 below its tip; a peg on the chamfer is on its way, one between the walls is in."""
    legs = [{"velocity": [0, -10], "distance": travel}]
    asked = detent.load("whitney_peg").with_("drives.insert.legs", legs)
    followed = detent.mate(asked.with_("ask.mate.method", "quasistatic"))
    assert followed.insertion.answer == answer
    if travel == 50:
        assert detent.mate(asked).insertion.answer == answer
        assert followed.has_run
        depth = float(followed.insertion.why.split()[2])
        assert depth == pytest.approx(50 - 8.464, abs=0.1)  # less what the gripper gives way


def test_a_peg_is_not_explained_as_a_hook_whose_flat_tip_would_lock_it() -> None:
    """Friction of 0.15 locks a face at 90 degrees on this arm; the peg goes in at 0.18 all the same."""
    explained = detent.explain(detent.load("whitney_peg").with_("touching.friction", 0.18))
    assert explained.pegs["peg"]["goes_in"]["answer"] == "yes"
    assert not explained.connections
    assert "locks it" not in explained.words
