"""What lies on a drive path, told by one type: of each kind one linkage on which it is known beforehand."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from detent.kinematics import closed_pose, drive_path_of, make_plan
from detent.kinematics.paths import PathEvent, closed_walk, walk_in_segments
from detent.library import linkages
from detent.model.document import Mechanism
from detent.model.machine import plane_linkage_of
from detent.model.reading import convert
from tests.kinematics.closed_forms import four_bar_limits
from tests.kinematics.test_part_rates import parallelogram


def events_of(mechanism: Mechanism) -> tuple[PathEvent, ...]:
    system = plane_linkage_of(mechanism)
    path = drive_path_of(mechanism, system)
    plan = make_plan(system, closed_pose(system, mechanism.start), path.inputs)
    walk = closed_walk if plan.closed_form else walk_in_segments
    return walk(plan, path, True).points


def test_two_branches_meet_at_a_change_point_which_answers_call_a_change():
    mechanism = parallelogram(-180, 7)
    (event,) = events_of(mechanism)
    assert event.kind == "change_point"
    assert event.recorded_kind == "change"
    assert event.at == pytest.approx(0.5, abs=1e-9)
    assert event.inputs == pytest.approx([-math.pi / 2], abs=1e-9)
    (shown,) = detent.move(mechanism).limit_points
    assert (shown.kind, shown.parts, shown.detail) == ("change", event.parts, event.detail)


def test_a_limit_is_where_the_closed_form_has_it_and_names_the_dyad():
    mechanism = linkages.four_bar(4, 3, 3.5, 2)
    event = events_of(mechanism)[0]
    assert event.kind == event.recorded_kind == "limit"
    assert set(event.parts) == {"coupler", "rocker"}
    assert event.row >= 0
    assert event.joint == -1
    angle = math.radians(40) + float(event.inputs[0])
    limits = [s * x for x in four_bar_limits(4, 3, 3.5, 2) for s in (1, -1)]
    assert min(abs(math.remainder(angle - x, 2 * math.pi)) for x in limits) < 1e-12


def crank(limit_deg: float, to_deg: float) -> Mechanism:
    data = {
        "parts": {
            "ground": {"fixed": True, "markers": {"A": [0, 0]}},
            "crank": {"markers": {"A": [0, 0], "B": [0, -1]}},
        },
        "joints": {
            "A": {
                "type": "revolute",
                "between": ["ground.A", "crank.A"],
                "limits": {"min_deg": -100, "max_deg": limit_deg},
            }
        },
        "drives": {"A": {"joint": "A", "from_deg": 0, "to_deg": to_deg, "steps": 9}},
    }
    return convert.mechanism(data)


@pytest.mark.parametrize(("to_deg", "stops"), [(30.0 - 1e-6, False), (30.0 + 1e-6, True)])
def test_a_joint_at_its_own_limit_is_named_just_beyond_it_and_not_just_before(to_deg, stops):
    events = events_of(crank(30.0, to_deg))
    assert [event.kind for event in events] == ["limit"] * stops
    for event in events:
        assert event.joint == 0
        assert event.parts == ("ground", "crank")
        np.testing.assert_allclose(event.inputs, [math.radians(30)], atol=1e-12)


def parallelograms(between_deg: float, inputs_deg: list[float], **more: object) -> dict[str, object]:
    """Two parallelograms on one crank, their change points so far apart."""
    turn = math.radians(between_deg)
    pin = [-30 * math.sin(turn), 30 * math.cos(turn)]
    far = [pin[0] + 50, pin[1]]
    ends = {
        "A": ["frame.A", "crank.A"],
        "B": ["crank.B", "rod.B"],
        "C": ["rod.C", "arm.C"],
        "D": ["frame.D", "arm.D"],
        "E": ["crank.E", "second.E"],
        "H": ["second.H", "other.H"],
        "K": ["frame.K", "other.K"],
    }
    return {
        "units": "mm",
        "parts": {
            "frame": {"fixed": True, "markers": {"A": [0, 0], "D": [80, 0], "K": [50, 0]}},
            "crank": {"markers": {"A": [0, 0], "B": [0, 30], "E": pin}},
            "rod": {"markers": {"B": [0, 30], "C": [80, 30]}, **more},
            "arm": {"markers": {"D": [80, 0], "C": [80, 30]}},
            "second": {"markers": {"E": pin, "H": far}},
            "other": {"markers": {"K": [50, 0], "H": far}},
        },
        "joints": {name: {"type": "revolute", "between": pair} for name, pair in ends.items()},
        "drives": {"turn": {"joint": "A", "inputs_deg": inputs_deg, "speed": 1}},
    }


@pytest.mark.parametrize("between_deg", [0.01, 0.1, 0.3, 0.6])
def test_rods_of_parallelograms_only_shift_near_change_points_that_lie_near_each_other(between_deg):
    near = [90 - 0.05, 90 - 0.004, 90 + 0.002, 90 + 0.03]
    motion = detent.move(detent.from_dict(parallelograms(between_deg, [0, *near, 120])))
    assert [round(math.degrees(p.input), 9) for p in motion.limit_points] == [90 - between_deg, 90]
    for rod, one, two in (("rod", "rod.B", "rod.C"), ("second", "second.E", "second.H")):
        assert np.abs(motion.poses[rod][:, 2]).max() < 1e-11
        assert motion.accelerations[one] == pytest.approx(motion.accelerations[two], abs=1e-4)


def test_a_turning_drive_of_a_parallelogram_gives_the_weight_of_its_rod_at_most():
    """At the change points, where the crank is level; the rod shifts at constant speed on a circle."""
    document = parallelograms(10, [0, 135, 360], mass=3, center=[40, 30], inertia=0.01)
    motion = detent.move(detent.from_dict(document | {"gravity": [0, -9.81]}))
    peak = motion.force_peaks["drive turn"]
    assert (peak["least"], peak["most"]) == pytest.approx((-3 * 9.81 * 0.03, 3 * 9.81 * 0.03), rel=2e-7)


@pytest.mark.parametrize(("first", "last"), [(0, 90), (0, 270), (90, 0), (-90, 90)])
def test_a_path_that_ends_or_begins_at_a_change_point_has_finite_rates_there(first, last):
    """The rod shifts on a circle: all its points are as fast, and the drive lifts its weight."""
    document = parallelograms(40, [first, (first + last) / 2, last], mass=3, center=[40, 30], inertia=0.01)
    motion = detent.move(detent.from_dict(document | {"gravity": [0, -9.81]}))
    level = {math.radians(at) for at in (-90, 90, 270) if min(first, last) <= at <= max(first, last)}
    told = {p.input for p in motion.limit_points if "rod" in p.parts}
    assert sorted(told) == pytest.approx(sorted(level))
    assert np.abs(motion.poses["rod"][:, 2]).max() < 1e-11
    assert motion.accelerations["rod.C"] == pytest.approx(motion.accelerations["rod.B"], abs=1e-4)
    way = np.linspace(math.radians(first), math.radians(last), 2001)
    torque = -3 * 9.81 * 0.03 * np.sin(way)
    peak = motion.force_peaks["drive turn"]
    assert (peak["least"], peak["most"]) == pytest.approx((torque.min(), torque.max()), abs=1e-6)
    assert motion.force_peaks["C"].get("unbounded", False) is bool(level)


def test_a_path_that_ends_at_a_limit_is_not_at_a_change_point():
    """A double rocker driven to where its links are in line has no bound there."""
    machine = linkages.four_bar(70, 60, 30, 50)
    motion = detent.move(machine)
    (name,) = machine.drives
    limit = motion.limits[0]
    again = detent.move(
        machine.with_(
            f"drives.{name}", {"joint": machine.drives[name].joint, "inputs": [0, limit / 2, limit]}
        )
    )
    assert not [p for p in again.limit_points if p.kind == "change"]


def on_a_triad(inputs_deg: list[float]) -> dict[str, object]:
    """A parallelogram, its rod 3 kg, moves a triangle on three links: a closed form, then a cut or block."""
    ends = {"X": [115, 61], "Y": [80, 93], "Z": [101, 89]}
    feet = {"E": ("rod", [25, 40]), "F": ("arm", [88, 34]), "K": ("frame", [-11, 180])}
    document = parallelograms(0, inputs_deg, mass=3, center=[40, 30], inertia=0.01) | {"gravity": [0, -9.81]}
    parts = {name: document["parts"][name] for name in ("frame", "crank", "rod", "arm")}
    joints = {name: document["joints"][name] for name in "ABCD"}
    parts["triangle"] = {"markers": ends}
    for (foot, (part, at)), top in zip(feet.items(), ends, strict=True):
        link = f"link{foot}"
        parts[part]["markers"][foot] = at
        parts[link] = {"markers": {foot: at, top: ends[top]}}
        joints[foot] = {"type": "revolute", "between": [f"{part}.{foot}", f"{link}.{foot}"]}
        joints[top] = {"type": "revolute", "between": [f"{link}.{top}", f"triangle.{top}"]}
    return document | {"parts": parts, "joints": joints}


def one_parallelogram(inputs_deg: list[float]) -> dict[str, object]:
    document = parallelograms(40, inputs_deg, mass=3, center=[40, 30], inertia=0.01)
    return document | {"gravity": [0, -9.81]}


BESIDE_A_CHANGE_POINT = [
    *([0, 45, 90 + beside] for beside in (0.0, 1e-7, 1e-5, 1e-4, -1e-5, -1e-3)),
    *([90 + beside, 100, 130] for beside in (0.0, 1e-5, -1e-5)),
    [90, 60, 0],
    [100, 115, 130],
    [0, 60, 90, 60, 10],
    [89.8, 89.9, 90.2],
    [0, -1530],
]


@pytest.mark.parametrize(
    ("machine", "inputs_deg"),
    [
        *((one_parallelogram, inputs) for inputs in BESIDE_A_CHANGE_POINT),
        *((on_a_triad, BESIDE_A_CHANGE_POINT[k]) for k in (0, 2, 4, 6, 8, 9, 10, 11)),
    ],
)
def test_beside_a_change_point_at_an_end_of_the_path_the_drive_lifts_the_weight(machine, inputs_deg):
    """Straight on the rod only shifts; change points (90°, every 180°) are told where the path has them."""
    motion = detent.move(detent.from_dict(machine(inputs_deg)))
    assert motion.stop == "done"
    assert np.abs(motion.poses["rod"][:, 2]).max() < 1e-11
    assert motion.poses["arm"][:, 2] == pytest.approx(np.radians(inputs_deg), abs=1e-11)
    torque = -3 * 9.81 * 0.03 * np.sin(np.radians(inputs_deg))
    assert motion.forces["drive turn"] == pytest.approx(torque, abs=2e-6)
    level = {at for at in range(-1530, 91, 180) if min(inputs_deg) <= at <= max(inputs_deg)}
    assert {round(math.degrees(p.input), 7) for p in motion.limit_points if "rod" in p.parts} == level
    way = np.concatenate([np.linspace(min(inputs_deg), max(inputs_deg), 2001), *([at] for at in level)])
    torque = -3 * 9.81 * 0.03 * np.sin(np.radians(way))
    peak = motion.force_peaks["drive turn"]
    assert (peak["least"], peak["most"]) == pytest.approx((torque.min(), torque.max()), abs=2e-6)
    assert motion.force_peaks["C"].get("unbounded", False) is bool(level)


def test_a_part_that_stops_before_a_change_point_leaves_each_position_once():
    """The triangle's links are too short to come to 90°, which is a position of the path."""
    document = on_a_triad([0, 90, 120])
    at = {"X": [20, 80], "Y": [60, 84], "Z": [38, 110]}
    for part in document["parts"].values():
        part["markers"] |= {name: at[name] for name in part["markers"] if name in at}
    motion = detent.move(detent.from_dict(document))
    assert motion.stop == "limit"
    assert len(motion.inputs) == 2
    assert (np.diff(motion.inputs) > 0).all()


def lift_table(to: float, *, lower: float = 600) -> Mechanism:
    """A scissor lift pushed by a cylinder: its foot comes to the rail's stop, far below the table's top."""
    pins = {
        "A": ("floor", "one", [0, 0]), "M": ("one", "two", [500, 150]), "F": ("roller", "two", [1000, 0]),
        "U": ("two", "top", [0, 300]), "T": ("one", "upper", [1000, 300]),
        "K": ("floor", "barrel", [150, -40]), "Z": ("piston", "two", [300, 210]),
    }  # fmt: skip
    slides = {
        "rail": ("floor", "roller", [0, 0], [1000, 0], [1, 0]),
        "toprail": ("top", "upper", [0, 300], [1000, 300], [1, 0]),
        "ram": ("barrel", "piston", [150, -40], [300, 210], [150, 250]),
    }
    parts: dict[str, dict] = {"floor": {"fixed": True, "markers": {}}}
    joints: dict[str, dict] = {}
    for name, (a, b, at) in pins.items():
        for part in (a, b):
            parts.setdefault(part, {"markers": {}})["markers"][name] = at
        joints[name] = {"type": "revolute", "between": [f"{a}.{name}", f"{b}.{name}"]}
    for name, (a, b, first, second, along) in slides.items():
        for part, at in ((a, first), (b, second)):
            parts.setdefault(part, {"markers": {}})["markers"][name] = {"at": at, "along": along}
        joints[name] = {"type": "prismatic", "between": [f"{a}.{name}", f"{b}.{name}"]}
    joints["rail"]["limits"] = {"min": lower}
    drives = {"ram": {"joint": "ram", "from": 270, "to": to, "steps": 20}}
    return convert.mechanism({"units": "mm", "parts": parts, "joints": joints, "drives": drives})


def test_what_lies_beyond_a_stop_is_not_told_of_the_way_to_it():
    """At 900 mm a dyad has passed a dead point of its own, at 700 mm it has not; the stop is before both."""
    near, far = (detent.move(lift_table(to)) for to in (700, 900))
    for motion in (near, far):
        assert motion.inputs[-1] == pytest.approx(638.7851133, abs=1e-6)
        assert motion.limit_points[0].joint == "rail"
    assert far.notes == near.notes == ()
    assert far.extremes.keys() == near.extremes.keys() >= {"turn one", "turn two", "slide rail"}
    for name in near.extremes:
        assert far.extremes[name].least == pytest.approx(near.extremes[name].least, abs=1e-9)
        assert far.extremes[name].greatest == pytest.approx(near.extremes[name].greatest, abs=1e-9)


def test_a_dead_point_of_a_cut_that_is_passed_is_still_told():
    motion = detent.move(lift_table(900, lower=-2000))
    assert any("passes a dead point of its own" in note for note in motion.notes)
