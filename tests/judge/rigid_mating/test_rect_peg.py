"""The rectangular peg of Meitinger & Pfeiffer's section 6.2, on a carrier and led by the PUMA 560."""

import json
from collections import Counter
from functools import cache

import numpy as np
import pytest

import detent
from detent.contact import Contacts
from detent.judge import MatingProfile
from tests.judge.rigid_mating.four_planes import Planes

SEED = ("a-2'", "b-1'", "c-5'", "d-4'", "1-a'", "2-a'", "3-a'", "3-b'", "4-b'", "5-b'")  # Fig. 20


@cache
def on_carrier(**changed):
    document = detent.load("rect_peg_carrier")
    for path, value in changed.items():
        document = document.with_(path.replace("__", "."), value)
    return detent.mate(document)


@cache
def by_robot(y, z):
    return detent.mate(detent.load("rect_peg_puma").with_("parts.plate.pose.at", [z, -y, 304]))


def column(mating, name):
    return next(column for key, column in mating.columns().items() if key.partition(" [")[0] == name)


def test_the_chamfer_takes_what_its_closed_form_says():
    # Without tilt and inertia: both springs in series over a chamfer at 45 degrees, 3.8 mm of it.
    leg = on_carrier().legs[0]
    friction, spring = 0.15, 30.0
    along, across = 1 + friction, 1 - friction
    closed = 3.8 / (across / spring) * along
    assert leg.force.peak_chamfer == pytest.approx(-154.235, rel=0.03)
    assert closed == pytest.approx(154.235, rel=1e-5)
    assert leg.force.peak_chamfer == pytest.approx(-156.5, rel=0.001)  # of an independent stepping


def test_the_plateau_is_friction_alone_and_without_noise():
    mating = on_carrier()
    x, y, z = mating.legs[0].force.plateau
    assert x == pytest.approx(-0.15 * abs(y), rel=1e-3)
    assert y == pytest.approx(-113.995, rel=1e-3)
    assert z == pytest.approx(0, abs=1e-6)
    steps = mating.run.evidence.steps
    late = (steps.times[:-1] > 1.5) & (steps.times[:-1] < 2.5)
    forces = (steps.totals[:-1, :3] / steps.lasted[:, None])[late]
    assert np.abs(np.diff(forces, 2, axis=0)).max() < 1e-8  # [N] of 115
    assert mating.legs[0].penetration_um < 0.1
    assert mating.legs[0].end.depth_mm == pytest.approx(75.469, abs=0.01)


def test_forty_candidates_have_the_names_of_the_seed():
    profile = MatingProfile(on_carrier().run.evidence.machine)
    counts = Counter(name.pair for names in profile.names.values() for name in names)
    assert {pair: counts[pair] for pair in SEED} == dict.fromkeys(SEED, 4)
    planes = Counter(
        (name.plane, name.side) for names in profile.names.values() for name in names if name.pair in SEED
    )
    assert set(planes.values()) == {10}
    assert profile.clearance == pytest.approx({"y": 0.4e-3, "z": 0.8e-3})


@pytest.mark.parametrize(
    ("y", "z", "plateau", "second", "time", "largest"),
    [(4, 0, -9.58, 54.9, 2.417, 129), (-4, 0, -10.0, 55.0, 2.40, 211), (0, 4, -7.67, 67, 2.93, 379)],
)
def test_a_robot_inserts_where_the_hole_brings_the_peg_in(y, z, plateau, second, time, largest):
    # Beside an independent stepping of the four modelling planes.
    mating = by_robot(y, z)
    leg = mating.legs[0]
    assert mating.insertion.answer == "yes"
    assert leg.force.plateau[0] == pytest.approx(plateau, rel=0.005)
    steps = mating.run.evidence.steps  # one contact slides there, on a face that the arm has tilted
    k = int(np.searchsorted(steps.times, 1.2))
    normal, whole = steps.impulses[k, 0, 0], steps.impulses[k, 0, 1:]
    assert np.linalg.norm(whole - normal * steps.contacts[k, 0, 4:7]) == pytest.approx(0.1 * normal, rel=1e-3)
    assert leg.second_contact.depth_mm == pytest.approx(second, abs=0.5)
    assert leg.second_contact.time == pytest.approx(time, abs=0.02)
    assert leg.max_contact_force_beyond_20_mm == pytest.approx(largest, rel=0.01)
    assert leg.penetration_um < 0.1
    first = {(4, 0): "4-b'", (-4, 0): "2-a'", (0, 4): "4-b'"}[y, z]
    assert leg.first_contact.named == (first,)
    assert {"4-b'": "5-b'", "2-a'": "1-a'"}[first] in leg.contact_order


@pytest.mark.parametrize(
    ("y", "z", "reference"), [(4, 0, -147.0), (-4, 0, -210.1), (0, 4, -64.3), (0, -4, -163.0)]
)
def test_four_planes_differ_by_the_direction_of_friction_alone(y, z, reference):
    mating = by_robot(y, z)
    leader = mating.run.evidence.machine.leader
    offset = y * 1e-3, z * 1e-3
    peak = mating.legs[0].force.peak_chamfer
    assert Planes(leader, offset, 0.1, in_space=False).peak() == pytest.approx(reference, rel=0.01)
    assert Planes(leader, offset, 0.1, in_space=True).peak() == pytest.approx(peak, rel=0.012)
    assert peak < 1.1 * reference or (y, z) == (0, 4)


def test_without_friction_four_planes_are_the_contacts_in_space():
    document = detent.load("rect_peg_puma").with_("parts.plate.pose.at", [0, -4, 304])
    mating = detent.mate(document.with_("touching.friction", 0.0).with_("ask.mate.until", 0.6))
    leader = mating.run.evidence.machine.leader
    peak = Planes(leader, (4e-3, 0.0), 0.0, in_space=True, step=2e-4).peak()
    assert mating.legs[0].force.peak_chamfer == pytest.approx(peak, rel=0.005)


def test_an_edge_on_a_face_does_not_rattle():
    # Each end of the hole's edge lifts when the other one lands, with 0.98 of its speed.
    run = by_robot(0, -4).run.evidence
    steps = run.steps
    sliding = (steps.times > 0.8) & (steps.times < 2.7)
    assert not steps.blows[sliding].any()
    assert (steps.counts[sliding] > 1).all()
    assert (np.abs(steps.contacts[sliding, :2, 0]) < 1e-7).all()  # [m]
    assert (steps.blows[:, :, 0] > 0).any(axis=1).sum() < 200


def test_a_robot_jams_where_the_hole_pushes_the_peg_away():
    leg = by_robot(0, -4).legs[0]
    order = [one for one in leg.contact_order if "plate" not in one]
    assert order[0] == "2-a'"
    assert order.index("1-a'") < order.index("1-a'+d-4'")
    assert leg.second_contact.named == ("d-4'",)
    assert leg.second_contact.time == pytest.approx(2.79, abs=0.02)
    assert leg.end.cause == "jam"
    assert leg.end.depth_mm == pytest.approx(65.4, abs=0.3)
    assert leg.max_contact_force_beyond_20_mm > 7000
    assert leg.jamming.leaves is not None
    assert leg.jamming.leaves == pytest.approx(61.5, abs=1)  # of the shoulder, 4 mm behind the tip
    assert leg.force.extreme < 5 * by_robot(0, 4).legs[0].force.extreme


def test_a_single_contact_stands_on_a_corner_of_whitneys_diagram():
    leg = on_carrier().legs[0]
    rows = np.array(leg.jamming.path)
    one = rows[(rows[:, 0] > 20) & (rows[:, 0] < 60)]
    lam = one[:, 0] / (2 * 0.15 * 22.7)
    np.testing.assert_allclose(one[:, 1], 1 / 0.15, rtol=1e-3)
    np.testing.assert_allclose(one[:, 2], -(2 * lam + 1), rtol=2e-2)


@pytest.mark.parametrize(
    ("path", "value", "cause", "said"),
    [
        ("parts.peg.shape.block", [120, 46.4, 45.2], "wedged", "larger than its hole by 0.6 mm along y"),
        ("touching.friction", 1.2, "jam", "drive is used up"),
    ],
)
def test_a_peg_that_cannot_go_in_is_an_answer(path, value, cause, said):
    mating = detent.mate(detent.load("rect_peg_carrier").with_(path, value).with_("ask.mate.until", 3.5))
    assert mating.insertion.answer == "no"
    assert mating.legs[0].end.cause == cause
    assert said in mating.legs[0].end.detail


def test_parts_drawn_into_each_other_are_refused():
    document = detent.load("rect_peg_carrier").with_("parts.plate.pose", {"at": [-30, 0, 0]})
    with pytest.raises(detent.ModelError, match=r"parts\.peg.*drawn into 'plate'"):
        detent.mate(document)


def test_the_answer_is_written_and_drawn():
    mating = by_robot(4, 0)
    data = json.loads(mating.to_json())
    leg = data["legs"][0]
    assert leg["force"]["series"]["columns"][:3] == ["time [s]", "depth [mm]", "travel [mm]"]
    assert {"peak_chamfer", "plateau", "end"} <= set(leg["force"])
    assert {"first_contact", "second_contact", "contact_order", "penetration_um", "end"} <= set(leg)
    assert "second       a-2'" in mating.words
    assert mating.largest_torques["motor 2"] > 50
    trace = next(one for one in mating.legs[0].traces if one.named == "a-2'")
    held = np.array(trace.on_held)
    assert np.ptp(held, axis=0).max() < 1e-3  # a corner: one place on the peg
    assert np.ptp(np.array(trace.on_fixed), axis=0).max() > 10


def test_modes_are_among_those_enumerated():
    """The signs of velocities, at the contacts there, are one of the contact modes of these contacts."""
    run = by_robot(4, 0).run.evidence
    steps, machine = run.steps, run.machine
    for time in (0.35, 0.46, 1.0, 2.8, 3.15):
        k = int(np.searchsorted(steps.times, time))
        n = int(steps.counts[k])
        assert n > 0
        points, normals = steps.contacts[k, :n, 1:4], steps.contacts[k, :n, 4:7]
        contacts = Contacts.from_points(points.tolist(), normals.tolist())
        modes = detent.modes(contacts)
        moved, rate = machine.leader.moves @ steps.states[k], machine.leader.moves @ steps.closing[k + 1]
        origin = machine.leader.gripper[:3, 3] + moved[:3]
        velocity = np.concatenate([rate[:3] - np.cross(rate[3:], origin), rate[3:]])
        lifts = np.array(contacts.normal, float) @ velocity > 1e-6
        slides = np.sign(np.array(contacts.tangent, float) @ velocity)
        pairs = zip(lifts, slides, strict=True)
        signs = ["." * 2 if lifted else "".join("0+-"[int(s)] for s in slid) for lifted, slid in pairs]
        assert f"{''.join('+' if lifted else '0' for lifted in lifts)}|{''.join(signs)}" in modes
