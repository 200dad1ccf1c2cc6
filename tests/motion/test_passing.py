"""Parts that pass through each other while a linkage moves, and parts that nothing holds.

Oracles: a closed form of where a bar meets a post, and shapely on the poses of the answer.
"""

from __future__ import annotations

import itertools
import math

import pytest

import detent
from detent.library import linkages
from detent.model.reading import convert
from detent.motion import move
from tests.kinematics.test_acting_forces import double_rocker


def bar_and_post(ignore=(), angle_deg=40.0, steps=4):
    """A bar of 100 by 10 that turns about its end, and a post whose near side lies along a ray."""
    ray = math.radians(angle_deg)
    along, out = (math.cos(ray), math.sin(ray)), (-math.sin(ray), math.cos(ray))
    post = [
        [a * along[0] + b * out[0], a * along[1] + b * out[1]]
        for a, b in ((60, 0), (80, 0), (80, 15), (60, 15))
    ]
    document = {
        "units": "mm",
        "parts": {
            "post": {"fixed": True, "shape": {"outline": post}},
            "frame": {"fixed": True, "markers": {"A": [0, 0]}},
            "bar": {"markers": {"A": [0, 0]}, "shape": {"outline": [[0, -5], [100, -5], [100, 5], [0, 5]]}},
        },
        "joints": {"A": {"type": "revolute", "between": ["frame.A", "bar.A"]}},
        "drives": {"d": {"joint": "A", "from_deg": 0, "to_deg": 60, "steps": steps}},
    }
    if ignore:
        document["touching"] = {"ignore": list(ignore)}
    return convert.mechanism(document)


@pytest.mark.parametrize("steps", [1, 4, 60])
def test_a_bar_that_passes_through_a_post_is_named_from_where_it_meets_it(steps):
    motion = move(bar_and_post(steps=steps))
    (pair,) = motion.overlaps
    # Its upper side is 5 above its axis: at the corner of the post that is 60 out it is asin(5/60) early.
    meets = math.radians(40) - math.asin(5 / 60)
    assert pair.parts == ("post", "bar")
    assert pair.from_ == pytest.approx(meets, abs=1e-6)
    assert motion.stop == "done"
    assert any(note.startswith("post and bar overlap, first at 35.21") for note in motion.notes)
    assert "contact" in motion.scope.left_out[0]


def test_where_a_bar_meets_a_round_post_is_known_to_the_digits_shown():
    """Its side is 2 beside its axis, which passes the middle of the disc of 4 at a distance of 6."""
    parts = {
        "post": {"fixed": True, "shape": {"circle": 4, "moves": [{"move": [-35, 10]}]}},
        "frame": {"fixed": True, "markers": {"A": [0, 0]}},
        "bar": {"markers": {"A": [0, 0]}, "shape": {"outline": [[-2, 0], [2, 0], [2, 40], [-2, 40]]}},
    }
    joints = {"A": {"type": "revolute", "between": ["frame.A", "bar.A"]}}
    drives = {"d": {"joint": "A", "from_deg": 0, "to_deg": 300, "steps": 4}}
    (pair,) = move(convert.mechanism({"parts": parts, "joints": joints, "drives": drives})).overlaps
    meets = math.atan2(10, -35) - math.asin(6 / math.hypot(35, 10)) - math.pi / 2
    assert pair.from_ == pytest.approx(meets, abs=1e-7)


def test_pairs_that_are_ignored_or_miss_each_other_are_not_named():
    assert move(bar_and_post(ignore=["post:bar"])).overlaps == ()
    assert move(bar_and_post(angle_deg=70.0)).overlaps == ()


def test_bars_on_one_pin_are_drawn_into_each_other_and_not_named():
    parts = {
        "ground": {"fixed": True, "markers": {"A": [0, 0]}, "shape": {"circle": 8}},
        "bar": {"markers": {"A": [0, 0]}, "shape": {"outline": [[-5, -5], [60, -5], [60, 5], [-5, 5]]}},
    }
    joints = {"A": {"type": "revolute", "between": ["ground.A", "bar.A"]}}
    drives = {"d": {"joint": "A", "from_deg": 0, "to_deg": 90, "steps": 9}}
    assert move(convert.mechanism({"parts": parts, "joints": joints, "drives": drives})).overlaps == ()


def loose(fixed=True):
    parts = {
        "ground": {"fixed": fixed, "markers": {"A": [0, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [1, 0]}},
        "lost": {"markers": {"T": [3, 3]}},
    }
    joints = {"A": {"type": "revolute", "between": ["ground.A", "crank.A"]}}
    drives = {"d": {"joint": "A", "from_deg": 0, "to_deg": 90, "steps": 3}}
    return convert.mechanism({"parts": parts, "joints": joints, "drives": drives})


def test_a_part_that_is_joined_to_nothing_is_named_by_move_and_explain():
    assert "lost is joined to nothing" in move(loose()).notes
    words = detent.explain(loose()).words
    assert "lost is joined to nothing" in words
    assert "Newton on 0 equations" not in words
    lines = words.splitlines()
    truly = next(k for k, line in enumerate(lines) if " truly: " in line)
    assert "by Gruebler's count" in lines[truly - 1]  # what is loose does not come between the two counts


def test_a_machine_of_which_nothing_is_fixed_is_said_to_float():
    assert any("nothing is fixed" in note for note in move(loose(fixed=False)).notes)


def test_freedoms_that_nothing_drives_are_counted_with_their_parts():
    parts = {
        "ground": {"fixed": True, "markers": {"A": [0, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [2, 0]}},
        "coupler": {"markers": {"B": [2, 0], "C": [5, 3]}},
        "rocker": {"markers": {"C": [5, 3], "D": [7, 0]}},
    }
    ends = {"A": ("ground", "crank"), "B": ("crank", "coupler"), "C": ("coupler", "rocker")}
    joints = {n: {"type": "revolute", "between": [f"{a}.{n}", f"{b}.{n}"]} for n, (a, b) in ends.items()}
    drives = {"d": {"joint": "A", "from_deg": 0, "to_deg": 90, "steps": 3}}
    motion = move(convert.mechanism({"parts": parts, "joints": joints, "drives": drives}))
    said = (
        "2 freedoms are not driven: coupler and rocker are moved as little as possible, which no machine does"
    )
    assert said in motion.notes


def test_freedoms_are_those_of_the_parts_that_are_named():
    """Two loose parts on one pin have three and one; a part joined to nothing has a note of its own."""
    parts = {
        "ground": {"fixed": True, "markers": {"A": [0, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [2, 0]}},
        "lost": {"markers": {"Z": [9, 9]}},
        "one": {"markers": {"Q": [5, 5], "R": [6, 5]}},
        "other": {"markers": {"Q": [5, 5]}},
    }
    ends = {"A": ("ground", "crank"), "Q": ("one", "other")}
    joints = {n: {"type": "revolute", "between": [f"{a}.{n}", f"{b}.{n}"]} for n, (a, b) in ends.items()}
    drives = {"d": {"joint": "A", "from_deg": 0, "to_deg": 90, "steps": 3}}
    motion = move(convert.mechanism({"parts": parts, "joints": joints, "drives": drives}))
    said = (
        "4 freedoms are not driven: one and other are held where the drawing has them, which no machine does"
    )
    assert said in motion.notes
    assert "lost is joined to nothing" in motion.notes


def test_a_link_that_is_back_where_it_was_drawn_at_each_position_is_not_held_there():
    machine = linkages.four_bar(4, 1, 3.5, 3).to_dict()
    for part in machine["parts"].values():
        part.pop("fixed", None)
    (name,) = machine["drives"]
    machine["drives"][name] = {"joint": machine["drives"][name]["joint"], "from_deg": 0, "to_deg": 360}
    motion = move(convert.mechanism(machine))
    (note,) = (note for note in motion.notes if "not driven" in note)
    assert "ground is held where the drawing has it, and crank, coupler and rocker move past it" in note


def test_a_drive_that_is_stopped_says_how_far_it_can_go_both_ways():
    """Double rocker 70-60-30-50: in line at acos(1/4) and acos(27/28), counted from its drawing."""
    mechanism = double_rocker([0.0, 1.0])
    motion = move(mechanism)
    assert motion.range["from"] == pytest.approx(math.acos(27 / 28) - 1.2, abs=1e-12)
    assert motion.range["to"] == pytest.approx(math.acos(1 / 4) - 1.2, abs=1e-12)
    inside = move(double_rocker([0.0, 0.05])).range
    assert inside == {**motion.range, "at": 0.0}  # also of a drive that is not stopped, by its joint
    assert f"range      {inside['joint']} from" in motion.words


def test_a_joint_that_goes_all_the_way_round_has_no_range():
    turned = convert.mechanism(detent.load("four_bar").to_dict())
    drive = {"d": {"joint": next(iter(turned.joints)), "from_deg": 0, "to_deg": 20, "steps": 2}}
    assert move(convert.mechanism({**turned.to_dict(), "drives": drive})).range is None


def test_limits_beyond_the_stop_are_told_apart():
    motion = move(double_rocker([0.0, 6.2]))
    assert motion.stop == "limit"
    assert len(motion.limits) > 1
    lines = motion.words.splitlines()
    assert sum(line.startswith("  limit ") for line in lines) == 1
    (beyond,) = [line for line in lines if line.startswith("  beyond ")]
    assert beyond.count("°") == len(motion.limits) - 1


def test_stretching_opens_nothing_where_the_joints_close_and_says_what_stays_open():
    feet = {"A": [0, 0], "D": [60, 0], "H": [24, 0]}
    tops = {name: [x + 16, 19] for name, (x, _) in feet.items()}
    bars = {f"bar{n}": {"markers": {n: feet[n], f"{n}1": tops[n]}} for n in feet}
    frame = {"markers": feet, "fixed": True}
    coupler = {"markers": {f"{n}1": at for n, at in tops.items()}}
    joints = {n: {"type": "revolute", "between": [f"frame.{n}", f"bar{n}.{n}"]} for n in feet}
    joints |= {f"{n}1": {"type": "revolute", "between": [f"bar{n}.{n}1", f"coupler.{n}1"]} for n in feet}
    three_cranks = convert.mechanism(
        {
            "parts": {"frame": frame, **bars, "coupler": coupler},
            "joints": joints,
            "drives": {"d": {"joint": "A", "from_deg": 0, "to_deg": 360, "steps": 12}},
        }
    )
    assert not any(detent.move(three_cranks, method=detent.Kinematic(breaking="stretching")).gaps)
    opened = detent.move(double_rocker([0.0, 3.0]), method=detent.Kinematic(breaking="stretching"))
    assert any(opened.gaps)
    assert "stay open" in opened.scope.covers
    assert "the joints close" not in opened.words


@pytest.mark.parametrize("first_deg", [-40.0, 0.0, 25.0, 400.0])
def test_a_wheel_alone_may_begin_away_from_its_drawing(first_deg):
    document = bar_and_post().to_dict()
    document["drives"] = {"d": {"joint": "A", "from_deg": first_deg, "to_deg": first_deg + 10, "steps": 2}}
    angles = move(convert.mechanism(document)).poses["bar"][:, 2]
    assert angles == pytest.approx([math.radians(first_deg + k) for k in (0, 5, 10)], abs=1e-12)


@pytest.mark.parametrize("to_deg", [60, -200])
def test_a_search_with_freedoms_left_ends_at_the_limit_itself(to_deg):
    """A crank drags a chain of three links: it stops where the chain is straight (law of cosines)."""
    points = {"B": [35, 60], "P": [57, 51], "Q": [75, 27], "D": [80, 0]}
    names, links = list(points), {}
    for one, other in itertools.pairwise(names):
        links[one + other] = {"markers": {one: points[one], other: points[other]}}
    reach = sum(math.dist(points[one], points[other]) for one, other in itertools.pairwise(names))
    document = {
        "parts": {
            "ground": {"fixed": True, "markers": {"A": [0, 0], "D": points["D"]}},
            "crank": {"markers": {"A": [0, 0], "B": points["B"]}},
            **links,
        },
        "joints": {
            name: {"type": "revolute", "between": [f"{first}.{name}", f"{second}.{name}"]}
            for name, first, second in (
                ("A", "ground", "crank"),
                ("B", "crank", "BP"),
                ("P", "BP", "PQ"),
                ("Q", "PQ", "QD"),
                ("D", "ground", "QD"),
            )
        },
        "drives": {"d": {"joint": "A", "from_deg": 0, "to_deg": to_deg, "steps": 3}},
    }
    crank, drawn = math.hypot(35, 60), math.atan2(60, 35)
    widest = math.acos((crank**2 + 80**2 - reach**2) / (2 * crank * 80))
    limit = widest - drawn if to_deg > 0 else -widest - drawn
    motion = detent.move(convert.mechanism(document), method=detent.Kinematic(breaking="searching"))
    assert motion.limits == pytest.approx([limit], abs=1e-12)
    assert motion.inputs[-1] == pytest.approx(limit, abs=1e-12)
    assert math.dist(motion.markers["crank.B"][-1], points["D"]) == pytest.approx(reach, rel=1e-12)


@pytest.mark.parametrize(
    ("to_deg", "said"), [(360, "once round"), (530, "1.47222 times round"), (720, "2 times")]
)
def test_a_rotation_and_a_half_is_not_called_one(to_deg, said):
    document = bar_and_post().to_dict()
    document["drives"] = {"d": {"joint": "A", "from_deg": 0, "to_deg": to_deg, "steps": 2}}
    assert f"bar {said}" in move(convert.mechanism(document)).words


@pytest.mark.parametrize("spring", [True, False])
def test_a_first_position_that_cannot_be_reached_is_an_answer_with_springs_and_stops_too(spring):
    document = double_rocker([2.0, 3.0]).to_dict()
    joint = next(iter(document["joints"].values()))
    joint |= {"spring": {"stiffness": 3, "rest": 0.2}} if spring else {"limits": {"min": -3, "max": 4}}
    for breaking in ("limiting", "searching"):
        motion = detent.move(convert.mechanism(document), method=detent.Kinematic(breaking=breaking))
        assert motion.stop == "limit"
        assert motion.words


def test_a_driven_part_turns_by_all_that_its_drive_goes_up_to_a_limit():
    motion = move(linkages.stephenson().with_("drives.crank.joint", "G").with_("drives.crank.to_deg", 200))
    assert motion.stop == "limit"
    turn = motion.extremes["turn output"]
    assert turn.greatest - turn.least == pytest.approx(motion.limits[-1], abs=1e-12)


def test_pairs_at_one_pin_or_gear_are_not_looked_at_and_named_as_left_out():
    square = {"outline": [[-10, -10], [10, -10], [10, 10], [-10, 10]]}
    document = {
        "parts": {
            "frame": {"fixed": True},
            "a": {"shape": square},
            "b": {"shape": square, "pose": {"at": [15, 0]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["frame", "a"], "at": [0, 0]},
            "B": {"type": "revolute", "between": ["frame", "b"], "at": [15, 0]},
        },
        "drives": {"d": {"joint": "A", "from_deg": 0, "to_deg": 90, "steps": 3}},
    }
    named = "overlap of pairs at one pin, weld or gear (a:b)"
    apart = move(convert.mechanism(document))
    assert [pair.parts for pair in apart.overlaps] == [("a", "b")]
    assert named not in apart.scope.left_out
    document["joints"]["mesh"] = {"type": "gear", "between": ["a", "b"], "ratio": -1}
    meshing = move(convert.mechanism(document))
    assert meshing.overlaps == ()
    assert named in meshing.scope.left_out
