"""Round pegs: contacts in the paper's order, depths and forces by closed forms, hand-over, traces, ends."""

import math

import numpy as np
import pytest

import detent
from detent.foundation import UnsupportedError
from detent.judge import Peg, RoundStory, one_point, round_peg, two_point
from detent.motion.rigid.mating import prepared, rigid_run_of
from tests.judge.round_pegs.documents import HOLE, PEG, carrier, puma


def story_of(mechanism):
    machine, ends = prepared(mechanism)
    return RoundStory(rigid_run_of(machine, ends), 0)


def leg_of(story):
    return round_peg(story.run).legs[0]


@pytest.fixture(scope="module")
def slow():
    return story_of(carrier(speed=9, until=9.5))


def test_contact_forces_are_the_closed_forms_in_the_slow_limit(slow):
    """Whitney's, with the rims' 10 mm off the depth and the peg's 4 mm off the centre's height.

    F_z has besides what the theory leaves out: the contact force on a side that leans, theta / mu of it.
    """
    peg = Peg(0.02, 0.05 / 20, 0.1, None, 0.3 - 0.004, 25000, 4521, math.hypot(2.1, 1.3) * 1e-3, 0.0)
    _, depth, tilt, force = slow._rows
    for at in (0.012, 0.02, 0.03, 0.048):
        k = np.searchsorted(depth, at)
        theory = one_point(peg, depth[k] - 0.01)
        assert slow._column("2")[k] == pytest.approx(theory.normal, rel=0.002)
        leaning = theory.normal * np.hypot(*tilt[k])
        assert -force[k, 0] == pytest.approx(theory.along + leaning, rel=0.002)
    for at in (0.055, 0.06, 0.07, 0.075):
        k = np.searchsorted(depth, at)
        theory = two_point(peg, depth[k] - 0.01)
        assert slow._column("2")[k] == pytest.approx(theory.rim, rel=0.02)
        assert slow._column("3")[k] == pytest.approx(theory.tip, rel=0.02)


def test_the_isotropic_carrier_has_the_papers_contacts(slow):
    told = slow.figures()
    assert told["contact_order"] == ["1", "2", "23"]
    assert told["second_contact"]["tip_depth_mm"] == pytest.approx(50, abs=1)
    # Rim on rim: two tubes of 4 and 6 mm about circles of 15.95 and 26 mm.
    apart = 26 - 15.95 - math.hypot(2.1, 1.3)
    assert told["first_contact"]["tip_depth_mm"] == pytest.approx(10 - math.sqrt(100 - apart**2), abs=0.01)
    assert told["first_contact"]["angle_deg"] == pytest.approx(math.degrees(math.atan2(1.3, 2.1)), abs=0.01)
    across = told["second_contact"]["angle3_deg"] - told["second_contact"]["angle2_deg"]
    assert abs(across) == pytest.approx(180, abs=0.1)
    assert -slow.run.steps.totals[:, 7].min() < 1e-7  # no overlap of 0.1 micrometre


def test_a_contact_hands_over_without_a_jump(slow):
    """From rim on rim to the peg's side: the same contact goes on, its force by the step."""
    contacts, steps = slow.contacts, slow.run.steps
    force = contacts.impulses[:, 0] / steps.lasted[np.minimum(contacts.step, len(steps.lasted) - 1)]
    rows = np.flatnonzero(np.isin(slow.pair, ["1", "2"]))
    change = next(k for k in range(1, len(rows)) if slow.pair[rows[k]] != slow.pair[rows[k - 1]])
    around = rows[change - 8 : change + 8]
    assert len(set(contacts.candidate[around].tolist())) == 1
    assert np.abs(np.diff(force[around])).max() < 0.02 * force[around].mean()


# One published run of the same data by another program, to 1 % (forces) and 0.1 mm.
def test_the_puma_inserts_as_another_program_has_it():
    story = story_of(puma())
    told, leg = story.figures(), leg_of(story)
    assert told["contact_order"] == ["1", "2", "23"]
    assert told["first_contact"]["t"] == pytest.approx(0.2162, abs=5e-4)
    assert told["first_contact"]["angle_deg"] == pytest.approx(-59.52, abs=0.1)
    assert told["first_contact"]["lambda_max_N"] == pytest.approx(96.33, rel=0.01)
    assert told["transfer_to_side"]["tip_depth_mm"] == pytest.approx(9.944, abs=0.1)
    assert told["one_point"]["lambda2_N"] == pytest.approx([96.89, 107.39], rel=0.01)
    assert told["one_point"]["tilt_end_mrad"] == pytest.approx([-0.879, 2.269], abs=0.01)
    assert told["second_contact"]["tip_depth_mm"] == pytest.approx(49.27, abs=0.1)
    assert told["second_contact"]["t"] == pytest.approx(1.2208, abs=2e-3)
    assert told["two_point"]["lambda2_max"] == pytest.approx(506.6, rel=0.01)
    assert told["two_point"]["lambda3_max"] == pytest.approx(328.4, rel=0.01)
    assert leg.force.peak_chamfer == pytest.approx(-37.35, rel=0.01)
    assert leg.force.extreme == pytest.approx(-42.51, rel=0.01)
    assert leg.end.depth_mm == pytest.approx(76.46, abs=0.05)
    # Both points wander round the peg.
    assert told["two_point"]["angle2_end_deg"] == pytest.approx(-41.17, abs=0.2)
    assert told["two_point"]["angle3_end_deg"] == pytest.approx(136.26, abs=0.2)


def test_the_other_data_have_the_papers_course_too():
    story = story_of(puma(friction=0.1, wrist=3000, beside=-47.509777))
    told = story.figures()
    assert told["contact_order"] == ["1", "2", "23"]
    assert told["second_contact"]["tip_depth_mm"] == pytest.approx(50, abs=5)
    assert 1.1 < told["second_contact"]["t"] < 1.4
    contact = told["two_point"]["lambda2_max"]
    assert contact > 100
    assert told["two_point"]["lambda3_max"] > 100
    assert abs(leg_of(story).force.extreme) < 0.3 * contact


def test_chamfers_and_a_sharp_tip_go_in_too():
    """The rims' shape is not the matter: the side's contact is at the same depth below the rims."""
    told = story_of(
        carrier(peg=PEG.replace("round", "chamfer"), hole=HOLE.replace("round", "chamfer"))
    ).figures()
    assert told["contact_order"] == ["1", "2", "23"]
    assert told["second_contact"]["tip_depth_mm"] == pytest.approx(50, abs=1)
    sharp = story_of(carrier(peg="{ cylinder = { radius = 19.95, height = 120 } }")).figures()
    assert sharp["second_contact"]["tip_depth_mm"] == pytest.approx(46, abs=1)


def test_a_peg_larger_than_its_hole_stops_on_the_rims():
    """Tubes of 4 and 6 mm about circles of 16.1 and 26 mm, all round."""
    larger = PEG.replace("19.95", "20.1")
    for offset in ((0, 0), (1.0, 0.3)):
        story = story_of(carrier(peg=larger, offset=offset))
        leg = leg_of(story)
        assert story.run.done
        assert -story.run.steps.totals[:, 7].min() < 1e-7
        assert leg.end.depth_mm == pytest.approx(10 - math.sqrt(100 - 9.9**2), abs=0.02)
        assert leg.force.extreme < -1000


def test_a_centred_peg_touches_nothing():
    story = story_of(carrier(offset=(0, 0)))
    told = story.figures()
    assert told["contact_order"] == []
    assert "first_contact" not in told
    assert leg_of(story).end.depth_mm == pytest.approx(76, abs=0.1)


def test_a_peg_on_the_edge_of_the_plate_is_undecided_not_in():
    """85 mm off its peg reaches 10 mm over a plate of 75: no round surface is in its way."""
    mating = detent.mate(carrier(offset=(85, 0), until=2.0))
    assert mating.insertion.answer == "undecided"
    assert "overlap" in mating.insertion.why


def test_two_sharp_edges_are_refused_with_a_remedy():
    sharp = "{ cylinder = { radius = 19.95, height = 120 } }"
    hole = "{ cylinder = { radius = 20, height = 110 } }"
    with pytest.raises(UnsupportedError, match="sharp") as raised:
        story_of(carrier(peg=sharp, hole=hole))
    assert "round = 0.2" in str(raised.value)


def test_the_answer_says_it_in_words_tables_and_traces():
    mating = detent.mate(puma())
    leg = mating.legs[0]
    assert (mating.insertion.answer, leg.end.cause) == ("yes", "done")
    assert mating.clearance == pytest.approx(0.1)
    assert "(1), then (2), then (2) and (3)" in mating.words
    assert leg.penetration_um < 0.1
    assert list(mating.columns())[:3] == ["time [s]", "depth [mm]", "F_z [N]"]
    kinds = [(event.kind, event.before, event.after) for event in leg.events]
    assert ("change", ("1",), ("2",)) in kinds  # hand-over, told as one event
    # The wall's contact lies on the peg's rim, 0 to 4 mm above the tip, and goes down the wall.
    wall = next(trace for trace in leg.traces if trace.pair == "3")
    assert all(3.9 < above < 4.0 for _, above in wall.on_peg)
    assert wall.on_hole[0][1] < wall.on_hole[-1][1]
    assert detent.mate(carrier(peg=PEG.replace("19.95", "20.1"), offset=(0, 0))).legs[0].end.cause == "wedged"
    assert detent.mate(carrier(offset=(0, 0))).insertion.answer == "nothing touched"


def test_a_peg_beside_its_hole_jams_on_the_face():
    """14 mm off: the tip's rim stands on the face beside the mouth."""
    mating = detent.mate(carrier(offset=(14, 0)))
    assert mating.legs[0].end.cause == "jam"
    assert mating.legs[0].contact_order[0] in ("1", "4")
    assert "drive is used up" in mating.insertion.why


@pytest.mark.parametrize(("friction", "cause"), [(0.5, "jam"), (0.6, "wedged")])
def test_two_points_wedge_where_the_line_between_them_lies_in_both_cones(friction, cause):
    """A peg led by a soft wrist leans in its hole from 22 mm on; 31 to 33 mm deep its drive is used up.

    Two forces balance each other along the line between their points alone: steeper cones wedge it.
    """
    leg = detent.mate(carrier(friction=friction, turn=100, way=45, depth="depth = 78", until=3)).legs[0]
    assert leg.end.cause == cause
    (wall,) = (trace for trace in leg.traces if trace.pair == "3")
    (rim,) = (trace for trace in leg.traces if trace.pair == "2")
    # On the hole: the wall's point on its cylinder, the rim's on its tube, opposite each other.
    high = rim.on_hole[-1][1]
    across = 20 + 20 + 6 - math.sqrt(36 - (6 - high) ** 2)
    needed = (wall.on_hole[-1][1] - high) / across
    assert (friction > needed) == (cause == "wedged")
