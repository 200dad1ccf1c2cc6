"""An O-ring pushed through its bore: the published task, quadratures, closed forms, limits."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import detent
from detent.judge import refusals
from detent.record import CompliantMating
from tests.conftest import REFERENCE
from tests.motion.compliant import rings
from tests.motion.compliant.rings import C1, C2, R0, bored, document, rounded

REFERENCES = json.loads((REFERENCE / "assembly" / "oring_bore.expected.json").read_text())


def mated(**changes: Any) -> CompliantMating:
    answer = detent.mate(document(**changes))
    assert isinstance(answer, CompliantMating)
    return answer


def pushes(answer: CompliantMating, leg: int = 1) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    columns = answer.columns()
    rows = columns["leg"] == leg
    return columns["travel [mm]"][rows], columns["push [N]"][rows]


def test_the_published_task_has_the_reference_curve():
    answer = detent.mate(detent.load(REFERENCE / "assembly" / "oring_bore.toml"))
    assert isinstance(answer, CompliantMating)
    (leg,), expected = answer.legs, REFERENCES["mate"]["legs"][0]["force"]
    curve = np.array(leg.force.curve)
    for depth, force in expected["curve"]:
        # The reference has its depths to a thousandth of a millimetre.
        near = np.interp([depth - 6e-4, depth, depth + 6e-4], curve[:, 0], curve[:, 1])
        assert near.min() - 0.005 * expected["peak"] <= force <= near.max() + 0.005 * expected["peak"]
    assert leg.force.peak == pytest.approx(expected["peak"], rel=1e-3)
    assert leg.force.peak >= expected["peak"]  # which is the largest of samples
    assert leg.force.peak_before_land_mm == pytest.approx(expected["peak_before_land_mm"], abs=0.01)
    assert leg.force.plateau == pytest.approx(expected["plateau"], rel=1e-9)


@pytest.mark.parametrize("friction", REFERENCES["study"]["rows"])
def test_the_plateau_is_its_closed_form_at_every_friction(friction):
    row, mu = REFERENCES["study"]["rows"][friction], float(friction)
    force = mated(friction=mu).legs[0].force
    squeeze = 0.15e-3
    closed = math.tau * R0 * mu * (C1 * squeeze + C2 * squeeze**2) / (1 - mu**2)
    assert force.plateau == pytest.approx(closed, rel=1e-9)
    assert force.plateau == pytest.approx(row["inside"], rel=1e-9)
    assert force.peak == pytest.approx(row["peak"], rel=2e-3)


def test_a_ring_beside_the_axis_has_the_published_load():
    force = mated(at=(0.1, 0, -1.575)).legs[0].force
    assert force.plateau_load["F_z"] == pytest.approx(74.207180, abs=1e-6)
    assert force.plateau_load["F_x"] == pytest.approx(-99.771459, abs=1e-6)
    assert force.plateau_load["M_y"] == pytest.approx(-0.29931438, abs=1e-8)


@pytest.mark.parametrize("offset", [0.0, 0.1, 0.4])
@pytest.mark.parametrize(("friction", "groove"), [(0.3, None), (0.25, 0.1), (0.0, None)])
def test_each_row_is_what_a_quadrature_of_balanced_pieces_gives(offset, friction, groove):
    back = [{"velocity": [0, 0, 1], "distance": 20}, {"back": True}]
    answer = mated(at=(offset, 0, -1.575), friction=friction, groove_friction=groove, legs=back)
    columns = answer.columns()
    inside = np.flatnonzero(columns["touching"] > 0)
    for row in inside[:: len(inside) // 12].tolist():
        depth = 1e-3 * (columns["travel [mm]"][row] - 1.575)
        if min(abs(depth - 3e-3), abs(depth - 13e-3)) < 2e-5:
            continue  # where friction in the groove turns round; the quadrature's profile is sampled
        sense = 1 if columns["leg"][row] == 1 else -1
        push, across, tilting = rings.push(depth, 1e-3 * offset, friction, groove, sense)
        scale = answer.legs[0].force.peak + abs(answer.legs[0].force.lateral or 0.0)
        assert columns["push [N]"][row] == pytest.approx(push, abs=2e-4 * scale)
        assert columns["lateral [N]"][row] == pytest.approx(across, abs=2e-4 * scale)
        assert columns["tilting [N m]"][row] == pytest.approx(tilting, abs=2e-6 * scale)


def test_what_is_called_most_is_the_largest_between_rows_too():
    """Beside a dense scan by the quadrature: the force across, and the moment, largest elsewhere."""
    answer = mated(at=(0.1, 0, -1.575))
    depths = np.concatenate([np.linspace(1.5e-3, 2.98e-3, 500), np.linspace(13.02e-3, 15e-3, 100)])
    scan = np.array([rings.push(float(z), 1e-4, 0.3, None, 1) for z in depths])
    across, tilting = np.abs(scan[:, 1]), np.abs(scan[:, 2])
    force = answer.legs[0].force
    assert force.lateral is not None
    assert force.moment is not None
    assert force.moment_most is not None
    assert abs(force.lateral) == pytest.approx(across.max(), rel=1e-3)
    assert abs(force.lateral) >= np.nanmax(np.abs(answer.columns()["lateral [N]"]))
    assert abs(force.moment_most) == pytest.approx(tilting.max(), rel=1e-3)
    assert abs(force.moment_most) > 1.2 * abs(force.moment)
    assert f"{abs(force.moment_most):.6g} N m at most" in answer.words


def test_the_way_back_through_a_symmetric_bore_takes_the_same():
    legs = [{"velocity": [0, 0, 1], "distance": 19.15}, {"back": True}]  # from 1.575 before to as far behind
    answer = mated(legs=legs)
    into, out = pushes(answer), pushes(answer, 2)
    there = np.linspace(0.5, 18.5, 40)
    assert np.interp(there, *into) == pytest.approx(
        np.interp(19.15 - there, out[0][::-1], out[1][::-1]), abs=0.05
    )
    assert answer.legs[1].force.work == pytest.approx(answer.legs[0].force.work, rel=1e-9)
    assert answer.legs[1].contact_sequence == answer.legs[0].contact_sequence[::-1]


def test_the_work_is_the_area_under_the_curve_and_nothing_without_friction():
    answer = mated()
    travel, push = pushes(answer)
    area = sum((b - a) * (f + g) / 2 for (a, f), (b, g) in pairwise(zip(travel, push, strict=True)))
    assert answer.legs[0].force.work == pytest.approx(1e-3 * area, rel=1e-3)
    smooth = mated(friction=0)
    squeeze = 0.15e-3
    stored = math.tau * R0 * (C1 * squeeze**2 / 2 + C2 * squeeze**3 / 3)
    assert max(smooth.columns()["work [J]"]) == pytest.approx(stored, rel=1e-9)
    assert smooth.legs[0].force.work == pytest.approx(0, abs=1e-9 * stored)


def coned(degrees: float) -> dict[str, Any]:
    """A bore behind a cone that leans so much against the axis, rounded where it ends."""
    depth = 4.0
    wide = 12.5 + depth * math.tan(math.radians(degrees))
    return bored(
        {"cylinder": {"radius": 12.5, "height": 16}}, {"cone": {"radius": [wide, 12.5], "height": depth}}
    )


@pytest.mark.parametrize(("beyond", "ends"), [(-0.05, "done"), (0.05, "jam")])
def test_friction_locks_exactly_beyond_its_slope(beyond, ends):
    """Entering, tan b = (1 - mu²) / (2 mu) is where no line load is in balance: 36.87 degrees at mu = 0.5."""
    limit = math.degrees(math.atan((1 - 0.5**2) / (2 * 0.5)))
    answer = mated(friction=0.5, shape=coned(limit + beyond))
    assert answer.legs[0].end.cause == ends
    assert math.isinf(answer.legs[0].force.peak) == (ends == "jam")
    assert answer.insertion.answer == ("yes" if ends == "done" else "no")
    assert "the drive guides ring" in answer.words


@pytest.mark.parametrize(("share", "ends"), [(1 - 1e-4, "done"), (1 + 1e-4, "jam")])
@pytest.mark.parametrize("shape", [bored(rounded()), bored({"cylinder": {"radius": 13, "height": 16}})])
def test_the_offset_that_goes_in_is_a_limit_from_both_sides(shape, share, ends):
    (ring,) = mated(shape=shape).connections
    offset = share * ring["offset_that_goes_in [mm]"]
    assert mated(shape=shape, at=(0, offset, -1.7)).legs[0].end.cause == ends


def test_a_jam_is_an_answer_and_the_way_back_from_it_is_followed():
    legs = [{"velocity": [0, 0, 1], "distance": 20}, {"back": True}]
    answer = mated(friction=0.5, shape=coned(40), legs=legs)
    jammed, back = answer.legs
    assert jammed.end.cause == "jam"
    assert jammed.events[-1].kind == "jam"
    assert back.end.cause == "done"
    assert back.end.travel == pytest.approx(0, abs=1e-9)
    data = json.loads(answer.to_json())
    assert data["legs"][0]["force"]["peak"] == {"unbounded": True}
    assert "inf" in answer.to_csv()
    assert "friction locks the ring" in answer.words
    assert detent.mate(document(friction=1.0)).legs[0].end.cause == "jam"


def test_two_rings_on_a_bolt_add_up_one_after_the_other():
    def bolt(*places: float) -> Any:
        machine = document(legs=[{"velocity": [0, 0, 1], "distance": 40}]).to_dict()
        ring = machine["parts"].pop("ring")
        machine["parts"]["bolt"] = {"markers": {f"m{k}": [0, 0, z] for k, z in enumerate(places)}}
        machine["drives"]["push"]["part"] = "bolt"
        machine["joints"] = {}
        for k, z in enumerate(places):
            machine["parts"][f"ring{k}"] = {**ring, "pose": {"at": [0, 0, z]}, "markers": {"m": [0, 0, 0]}}
            machine["joints"][f"j{k}"] = {"type": "fixed", "between": [f"bolt.m{k}", f"ring{k}.m"]}
        answer = detent.mate(detent.from_dict(machine))
        assert isinstance(answer, CompliantMating)
        return answer

    both, first, second = bolt(-3, -12), bolt(-3), bolt(-12)
    there = np.linspace(0.3, 39.7, 60)
    apart = np.interp(there, *pushes(first)) + np.interp(there, *pushes(second))
    assert np.interp(there, *pushes(both)) == pytest.approx(apart, abs=0.2)
    assert both.legs[0].force.work == pytest.approx(2 * first.legs[0].force.work, rel=1e-6)
    column = "squeeze_most [mm]"
    for name, alone in (("ring0", first), ("ring1", second)):
        told = np.interp(there, both.columns()["travel [mm]"], both.columns()[f"{name}.{column}"])
        expected = np.interp(there, alone.columns()["travel [mm]"], alone.columns()[column])
        assert told == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    ("changes", "at", "words"),
    [
        ({"inner_diameter": 21}, "parts.ring.set.groove_radius", "lies loose"),
        ({"pressure": [0, 0]}, "parts.ring.set.pressure", "zero twice"),
        ({"pressure": None}, "parts.ring.set", "neither pressure nor pressure_table"),
        ({"pressure_table": [[0.1, 2000], [0.2, 5000]]}, "parts.ring.set.pressure_table", "beside pressure"),
        (
            {"pressure": None, "pressure_table": [[0.1, 2000], [0.1, 5000]]},
            "parts.ring.set",
            "fewer than two",
        ),
        ({"pressure": None, "pressure_table": [[1, 2000], [2, 0]]}, "parts.ring.set", "does not rise"),
        ({"groove_friction": -0.1}, "parts.ring.set.groove_friction", "at least zero"),
        ({"at": (0, 0, 5)}, "parts.ring.pose", "squeezed by 0.15 mm"),
        ({"at": (5, 0, -1.575)}, "parts.ring.pose", "begins in bore/1.-z"),
        ({"at": (40, 0, -1.575)}, "parts.ring", "no bore lies ahead"),
        ({"shape": {"block": [60, 60, 16]}}, "parts.ring", "no bore lies ahead"),
        ({"shape": bored(rounded(9))}, "parts.ring.set", "not above that of the groove's ground, 10 mm"),
        ({"legs": [{"velocity": [0.1, 0, 1], "distance": 9}]}, "drives.push.legs.0", "5.71 degrees across"),
        ({"legs": [{"velocity": [1, 0, 0], "distance": 9}]}, "drives.push.legs.0", "90 degrees across"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place_and_check_says_the_same(changes, at, words):
    with pytest.raises((detent.ModelError, detent.UnsupportedError)) as refused:
        mated(**changes)
    assert at in str(refused.value)
    assert words in str(refused.value)
    try:
        machine = document(**changes)
    except detent.ModelError:
        return
    assert [str(problem) for problem in refusals(machine)] == [str(refused.value)]


def test_a_bore_that_is_wide_enough_touches_nothing():
    answer = mated(shape=bored(rounded(13.5)))
    assert answer.insertion.answer == "nothing touched"
    assert answer.legs[0].force.peak == 0


def test_constants_may_come_from_a_table_of_the_section():
    table = [[a, C1 * a * 1e-3 + C2 * (a * 1e-3) ** 2] for a in (0.05, 0.1, 0.2, 0.3)]
    fitted = mated(pressure=None, pressure_table=table)
    assert fitted.legs[0].force.plateau == pytest.approx(mated().legs[0].force.plateau, rel=1e-9)
    assert "fitted by c1 = 1.6e+07" in fitted.notes[0]


def test_ports_and_edges_that_may_nip_the_ring_are_named():
    port = {
        "cylinder": {"radius": 1.5, "height": 40},
        "moves": [{"turn_deg": 90, "about": "y"}, {"move": [0, 0, 8]}],
    }
    (ring,) = mated(shape=bored(rounded(), port)).connections
    (named,) = ring["ports"]
    assert named["name"] == "bore/2"
    # The ring's plane is at 6.5 of the bore after a travel of 8.075, and the port is 3 mm wide.
    assert (named["from"], named["to"]) == (pytest.approx(8.075, abs=1e-3), pytest.approx(11.075, abs=1e-3))
    assert named["width_deg"] == pytest.approx(2 * math.degrees(math.asin(1.5 / 13)), abs=0.01)
    assert not mated().connections[0]["ports"]
    assert not mated().connections[0]["edges"]
    (edge,) = mated(shape=bored({"cylinder": {"radius": 13, "height": 16}})).connections[0]["edges"]
    assert edge == {"name": "bore/1.side.near", "travel": 1.575, "angle_deg": 90.0}


def test_a_machine_turned_in_space_takes_the_same():
    turned = document(at=(0.1, 0, -1.575)).to_dict()
    turned["parts"]["ring"]["pose"] = {"at": [-1.575, 0, -0.1], "turn_deg": 90, "about": "y"}
    turned["parts"]["bore"]["pose"] = {"at": [0, 0, 0], "turn_deg": 90, "about": "y"}
    turned["drives"]["push"]["legs"] = [{"velocity": [2, 0, 0], "for": 10}]
    answer, straight = detent.mate(detent.from_dict(turned)), mated(at=(0.1, 0, -1.575))
    assert isinstance(answer, CompliantMating)
    assert answer.legs[0].force.peak == pytest.approx(straight.legs[0].force.peak, rel=1e-9)
    columns, row = answer.columns(), int(np.argmax(answer.columns()["push [N]"]))
    assert columns["load_x [N]"][row] == pytest.approx(-answer.legs[0].force.peak)
    assert columns["load_z [N]"][row] > 0  # the ring stands towards -z, and is pushed back
    assert answer.legs[0].end.time == pytest.approx(10)


def test_the_trajectory_has_the_answers_events_and_legs():
    answer = mated(legs=[{"velocity": [0, 0, 2], "distance": 20, "ramp": 4}, {"back": True}])
    run = answer.run.trajectory
    assert list(run.events) == [event for leg in answer.legs for event in leg.events]
    assert run.stop == answer.legs[-1].end
    assert list(run.legs) == [(leg.start, leg.end.time) for leg in answer.legs]
    assert answer.legs[0].end.time == pytest.approx(20 / 2 + 2 / 4)  # at a trapezoidal speed
    assert np.all(np.diff(run.times) >= 0)
    assert run.poses["ring"][-1] == pytest.approx([0, 0, -1.575, 1, 0, 0, 0])


def test_a_counterbore_is_gone_into_as_far_as_its_ground():
    """A hole through the ground, narrower than the bolt, is no fault while the ring stays in front of it."""
    pocket = {"cylinder": {"radius": 13, "height": 10}, "edges": [{"face": "-z", "round": -3}]}
    drain = {"cylinder": {"radius": 4, "height": 16}}
    short = [{"velocity": [0, 0, 1], "distance": 9}]
    into = mated(shape=bored(pocket, drain), legs=short)
    assert into.legs[0].end.cause == "done"
    assert into.connections[0]["bore_radius [mm]"] == 13
    assert into.connections[0]["offset_that_goes_in [mm]"] == pytest.approx(
        mated().connections[0]["offset_that_goes_in [mm]"]
    )
    legs = [{"velocity": [0, 0, 1], "distance": 11}, {"back": True}]
    stopped, back = mated(shape=bored(pocket, drain), legs=legs).legs
    assert stopped.end.cause == stopped.events[-1].kind == "blocked"
    assert stopped.end.travel == pytest.approx(10, abs=1e-6)  # the section touches the ground, 10 mm deep
    assert math.isinf(stopped.force.peak)
    assert back.end.travel == pytest.approx(0, abs=1e-9)


GENTLE = bored(
    {"cylinder": {"radius": 13, "height": 16}},
    {"cone": {"radius": [21, 13], "height": 8}},
)  # 45 degrees, where friction of 0.2 locks nothing


@pytest.mark.parametrize(("offset", "ends"), [(2.999, "done"), (3.001, "blocked")])
def test_the_grooves_ground_does_not_go_into_the_wall(offset, ends):
    """A bore of 13 and a ground of 10 leave 3 mm."""
    legs = [{"velocity": [0, 0, 1], "distance": 16}, {"back": True}]
    answer = mated(shape=GENTLE, friction=0.2, at=(offset, 0, -1.575), legs=legs)
    (ring,), (into, back) = answer.connections, answer.legs
    assert ring["offset_that_goes_in [mm]"] == pytest.approx(3, abs=1e-9)
    assert ring["squeeze_most [mm]"] == pytest.approx(0.15 + offset)
    assert into.end.cause == ends
    assert answer.insertion.answer == ("yes" if ends == "done" else "no")
    assert math.isinf(into.force.peak) == (ends == "blocked")
    assert ("ground meets the wall at" in into.end.detail) == (ends == "blocked")
    assert back.end.cause == "done"


@pytest.mark.parametrize(("offset", "named"), [(1.1, False), (1.12, True)])
def test_the_largest_squeeze_about_the_ring_is_warned_of(offset, named):
    """40 % of 3.15 mm is 1.26 mm; on the axis the squeeze is 0.15 mm."""
    answer = mated(shape=GENTLE, friction=0.2, at=(offset, 0, -1.575))
    assert any("of its section" in line for line in answer.scope.assumed) == named
    assert f"squeezed there by {offset + 0.15:.4g} mm" in answer.words


@pytest.mark.parametrize(("largest", "named"), [(0.25, False), (0.2, True), (0.0002, True)])
def test_a_squeeze_beyond_the_table_is_named(largest, named):
    """Beside the axis by 0.1 mm it is squeezed by 0.25 mm."""
    table = [[largest / 2, 1000], [largest, 3000]]
    answer = mated(pressure=None, pressure_table=table, at=(0.1, 0, -1.575))
    beyond = f"from {largest / 2:.4g} to {largest:.4g} mm; up to 0.25 mm, {0.25 - largest:.4g} mm beyond"
    assert any(beyond in line for line in answer.notes) == named
    assert any(beyond in line for line in answer.scope.assumed) == named
