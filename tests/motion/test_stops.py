"""Limits of joints as stops: where another joint's limit ends a course, found between positions too."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace
from scipy.optimize import brentq, minimize_scalar

import detent
from detent.app import inputs
from detent.model.document import Drive, Limits, Mechanism
from detent.model.reading import convert
from detent.motion import Kinematic
from detent.motion.live import prepare, pull

ANGLE = 1e-9  # degrees


def limited(mechanism: Mechanism, joint: str, **limits: float) -> Mechanism:
    joint_limited = replace(mechanism.joints[joint], limits=convert.table(limits, Limits))
    return replace(mechanism, joints={**mechanism.joints, joint: joint_limited})


def driven(mechanism: Mechanism, name: str, **drive: object) -> Mechanism:
    drive_table = convert.table({"joint": mechanism.drives[name].joint, **drive}, Drive)
    return replace(mechanism, drives={name: drive_table})


def rocker(crank_deg: float) -> float:
    """Turn of the four-bar's rocker [deg] from its drawing (crank at 40), by circles alone.

    Ground 4, crank 1, coupler 3.5, rocker 3. The crank and its links are drawn in place at 40 degrees.
    """
    b = complex(math.cos(math.radians(crank_deg)), math.sin(math.radians(crank_deg)))
    d = b - 4
    r = abs(d)
    inside = math.acos((9 + r * r - 3.5**2) / (2 * 3 * r))
    return math.degrees(math.atan2(d.imag, d.real) % (2 * math.pi) - inside)


DRAWN = math.degrees(math.atan2(2.940627696083002, 3.406107119903281 - 4))


def test_the_oracle_of_the_rocker_agrees_with_the_drawing():
    assert rocker(40) == pytest.approx(DRAWN, abs=1e-6)


@pytest.mark.parametrize("limits", [{"max_deg": 10}, {"min_deg": -20, "max_deg": 10}])
def test_a_crank_stops_where_the_rocker_reaches_its_limit(limits):
    motion = detent.move(limited(inputs.load("four_bar"), "D", **limits))
    wanted = brentq(lambda t: rocker(40 + t) - rocker(40) - 10, 30, 80, xtol=1e-13)
    assert motion.stop == "limit"
    assert math.degrees(motion.stopped_at) == pytest.approx(wanted, abs=ANGLE)
    assert math.degrees(motion.inputs[-1]) == pytest.approx(wanted, abs=ANGLE)
    assert motion.limit_points[0].detail == "D is at its upper limit, 10°"
    assert set(motion.limit_points[0].parts) == {"ground", "III"}


def test_the_limiting_policy_keeps_the_last_position_before_the_stop():
    mechanism = limited(inputs.load("four_bar"), "D", min_deg=-20, max_deg=10)
    motion = detent.move(mechanism, method=Kinematic(breaking="limiting"))
    assert math.degrees(motion.inputs[-1]) == pytest.approx(50)


@pytest.mark.parametrize(("nudge", "stops"), [(-1e-7, True), (1e-7, False)])
@pytest.mark.parametrize("one_sided", [True, False])
def test_a_limit_passed_only_between_two_positions_stops_the_course(nudge, stops, one_sided):
    """The rocker's greatest turn lies between samples ten degrees apart."""
    top = minimize_scalar(
        lambda t: -rocker(40 + t), bounds=(100, 260), method="bounded", options={"xatol": 1e-11}
    )
    most = -top.fun - rocker(40)
    assert 0.5 < top.x % 10 < 9.5
    limits = {"max_deg": most + nudge} | ({} if one_sided else {"min_deg": most - 180})
    motion = detent.move(limited(inputs.load("four_bar"), "D", **limits))
    assert (motion.stop == "limit") is stops
    assert ("proved" in motion.certified and "joint's limits" in motion.certified) is not one_sided
    if stops:
        wanted = brentq(lambda t: rocker(40 + t) - rocker(40) - most - nudge, top.x - 5, top.x, xtol=1e-13)
        assert math.degrees(motion.stopped_at) == pytest.approx(wanted, abs=1e-5)  # flat: 1e-7 is 1e-3 wide


def test_a_slide_stops_at_its_end_and_the_place_is_that_of_the_closed_form():
    """Crank r, rod l, in line with the slide: x = r cos t + sqrt(l^2 - r^2 sin^2 t)."""
    r, rod = 1.0, 3.0
    mechanism = convert.mechanism(
        {
            "parts": {
                "ground": {"fixed": True, "markers": {"A": [0, 0], "S": [0, 0]}},
                "crank": {"markers": {"A": [0, 0], "B": [r, 0]}},
                "rod": {"markers": {"B": [r, 0], "C": [r + rod, 0]}},
                "piston": {"markers": {"C": [r + rod, 0]}},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.A", "crank.A"]},
                "B": {"type": "revolute", "between": ["crank.B", "rod.B"]},
                "C": {"type": "revolute", "between": ["rod.C", "piston.C"]},
                "slide": {"type": "prismatic", "between": ["ground.S", "piston.C"], "limits": {"min": 2.5}},
            },
            "drives": {"crank": {"joint": "A", "from_deg": 5, "to_deg": 355, "steps": 10}},
        }
    )
    motion = detent.move(mechanism)
    wanted = brentq(lambda t: r * math.cos(t) + math.sqrt(rod * rod - (r * math.sin(t)) ** 2) - 2.5, 0.1, 3)
    assert math.degrees(motion.stopped_at) == pytest.approx(math.degrees(wanted), abs=ANGLE)
    assert motion.markers["piston.C"][-1][0] == pytest.approx(2.5, abs=1e-12)
    assert motion.limit_points[0].detail == "slide is at its lower limit, 2.5 m"
    assert "proved" in motion.certified
    speed = motion.velocities["piston.C"][-1][0]
    assert speed == pytest.approx(
        -r * math.sin(wanted) - r * r * math.sin(wanted) * math.cos(wanted) / (2.5 - r * math.cos(wanted))
    )


ARMS = [  # type of the joint, its limits, a drive beyond them both ways, which unit they are told in
    ("revolute", {"min_deg": -90, "max_deg": 0}, {"from_deg": -45, "to_deg": 30}, "°"),
    ("revolute", {"min_deg": 0, "max_deg": 77}, {"from_deg": 33, "to_deg": -30}, "°"),
    ("revolute", {"min_deg": 0, "max_deg": 400}, {"from_deg": 33, "to_deg": -30}, "°"),
    ("prismatic", {"min": 0, "max": 4}, {"from": 2, "to": -1}, " in"),
    ("prismatic", {"min": "-1/3", "max": 0}, {"from": -0.1, "to": 1}, " in"),
]


@pytest.mark.parametrize(("kind", "limits", "drive", "unit"), ARMS)
def test_a_joint_driven_to_its_own_limit_is_at_it(kind, limits, drive, unit):
    """At 0, not at 1.7e-13°: every number and word for the place is the limit that the document gives."""
    joint = {"type": kind, "between": ["ground.A", "arm.A"], "limits": limits}
    arm = detent.from_dict(
        {
            "units": "in",
            "parts": {
                "ground": {"fixed": True, "markers": {"A": {"at": [1, 2], "turn_deg": 30}}},
                "arm": {"pose": {"at": [1, 2], "turn_deg": 30}, "markers": {"A": [0, 0], "B": [3, 1]}},
            },
            "joints": {"J": joint},
            "drives": {"d": {"joint": "J", **drive, "steps": 4}},
        }
    )
    motion = detent.move(arm)
    assert motion.limit_points[0].input == motion.limits[0] == motion.stopped_at == motion.inputs[-1] == 0.0
    assert 0.0 in (motion.range["from"], motion.range["to"])
    side = "upper" if 0 in (limits.get("max"), limits.get("max_deg")) else "lower"
    assert f"J is at its {side} limit, 0{unit}" in motion.words
    assert "e-" not in motion.words


def test_a_change_point_at_zero_is_at_zero():
    """30 + 20 = 50 on the ground, 60 - 40 = 20: in line where the crank lies along the ground."""
    crank, coupler, rocker, ground, turn = 30.0, 40.0, 60.0, 50.0, 0.5
    b = complex(crank * math.cos(turn), crank * math.sin(turn))
    apart = abs(ground - b)
    along = (coupler**2 - rocker**2 + apart**2) / (2 * apart)
    c = b + (along + 1j * math.sqrt(coupler**2 - along**2)) * (ground - b) / apart
    kite = detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [ground, 0]}},
                "crank": {"pose": {"turn": turn}, "markers": {"A": [0, 0], "B": [crank, 0]}},
                "coupler": {"markers": {"B": [b.real, b.imag], "C": [c.real, c.imag]}},
                "rocker": {"markers": {"C": [c.real, c.imag], "D": [ground, 0]}},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.A", "crank.A"]},
                "B": {"type": "revolute", "between": ["crank.B", "coupler.B"]},
                "C": {"type": "revolute", "between": ["coupler.C", "rocker.C"]},
                "D": {"type": "revolute", "between": ["ground.D", "rocker.D"]},
            },
            "drives": {"d": {"joint": "A", "from_deg": 17, "to_deg": -40, "steps": 4}},
        }
    )
    motion = detent.move(kite)
    assert [(point.kind, point.input) for point in motion.limit_points] == [("change", 0.0)]
    assert "change point at 0°" in motion.words


def test_a_course_may_begin_on_a_limit_and_may_not_begin_beyond_it():
    mechanism = driven(inputs.load("four_bar"), "crank", from_deg=0, to_deg=90, steps=9)
    on_it = detent.move(limited(mechanism, "A", min_deg=0, max_deg=90))
    assert on_it.stop == "done"
    assert len(on_it.inputs) == 10
    beyond = detent.move(limited(mechanism, "A", min_deg=1, max_deg=90))
    assert beyond.stop == "limit"
    assert "A is beyond its limits" in " ".join(beyond.notes)


def test_a_drive_counts_its_own_turns_against_a_limit_of_more_than_one():
    mechanism = driven(inputs.load("four_bar"), "crank", from_deg=0, to_deg=1000, steps=20)
    motion = detent.move(limited(mechanism, "A", min_deg=-10, max_deg=725))
    assert math.degrees(motion.stopped_at) == pytest.approx(725, abs=ANGLE)


def test_a_linkage_that_is_followed_step_by_step_stops_at_a_limit_as_well():
    """The 6-bar (b) has a cut: the joint's own track, without limits, says where it must stop."""
    mechanism = inputs.load("six_bar_b")
    free = detent.move(mechanism)
    part = mechanism.joints["A"].between[1].partition(".")[0]
    turn = [math.degrees(t) for t in free.poses[part][:, 2] - free.poses[part][0, 2]]
    least = min(turn) * 0.9
    motion = detent.move(limited(mechanism, "A", min_deg=least + _drawn(mechanism, part, free), max_deg=170))
    assert motion.stop == "limit"
    moved = math.degrees(motion.poses[part][-1, 2] - free.poses[part][0, 2])
    assert moved == pytest.approx(least, abs=ANGLE)
    assert motion.limit_points[0].detail.startswith("A is at its lower limit")


def _drawn(mechanism: Mechanism, part: str, free: detent.Mechanism) -> float:
    """The joint's coordinate at the first position: the part's turn, for the ground does not turn."""
    return math.degrees(free.poses[part][0, 2])


def test_a_hand_cannot_pull_a_joint_past_its_limit():
    mechanism = limited(inputs.load("four_bar"), "A", min_deg=-30, max_deg=30)
    pulled = pull(mechanism, {}, "I", [0.766044443118978, 0.642787609686539], [-1.0, 0.0])
    while pulled.going:
        pulled = pull(mechanism, pulled.poses, "I", [0.766044443118978, 0.642787609686539], [-1.0, 0.0])
    poses, reached = pulled.poses, pulled.reached
    assert not reached
    assert math.degrees(poses["I"][2]) <= 30 + 1e-6
    assert math.degrees(poses["I"][2]) > 29


def test_a_dragged_frame_stays_at_the_limit():
    live = prepare(limited(inputs.load("four_bar"), "D", min_deg=-20, max_deg=10))
    live.to(0.1)
    live.to(math.radians(80))
    wanted = brentq(lambda t: rocker(40 + t) - rocker(40) - 10, 30, 80, xtol=1e-13)
    assert math.degrees(live.stepper.reached[0]) == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize(
    "limits", [{"min_deg": 0}, {"min_deg": 0, "max_deg": 400}, {"min_deg": 0, "max_deg": 90}]
)
@pytest.mark.parametrize("to_deg", [-60, 60])
def test_a_joint_drawn_at_its_stop_is_free_to_go_back(limits, to_deg):
    """Pin B of crank and coupler is drawn at 0: which way it goes is known from the rocker's circles."""

    def pin(turned_deg: float) -> float:
        crank = math.radians(40 + turned_deg)
        b = complex(math.cos(crank), math.sin(crank))
        arm = math.radians(rocker(40 + turned_deg))
        c = 4 + 3 * complex(math.cos(arm), math.sin(arm))
        return math.degrees(math.atan2((c - b).imag, (c - b).real)) - 40 - turned_deg

    drawn_at = pin(0)
    goes_back = all(pin(t * to_deg) > drawn_at for t in (0.01, 0.1, 0.5, 1))
    assert goes_back == (to_deg < 0)
    mechanism = limited(inputs.load("four_bar"), "B", **limits)
    motion = detent.move(driven(mechanism, "crank", from_deg=0, to_deg=to_deg, steps=12))
    assert math.degrees(motion.inputs[-1]) == pytest.approx(to_deg if goes_back else 0, abs=ANGLE)
    assert motion.stop == ("done" if goes_back else "limit")
    assert motion.range is None or motion.range["from"] != motion.range["to"]


def test_a_joint_of_a_six_bar_drawn_at_its_stop_goes_back_until_it_comes_again():
    mechanism = inputs.load("six_bar_b")
    motion = detent.move(limited(mechanism, "C", max_deg=0))
    stopped_deg = math.degrees(motion.stopped_at)
    assert stopped_deg > 1
    for share, sign in ((0.5, -1), (1.0, 0), (1.1, 1)):
        free = detent.move(driven(mechanism, "crank", from_deg=0, to_deg=share * stopped_deg, steps=1))
        assert free.run.trajectory.poses["III"][-1][2] * sign >= 0
        assert (abs(free.run.trajectory.poses["III"][-1][2]) < 1e-9) == (sign == 0)


@pytest.mark.parametrize("example", ["four_bar", "six_bar_b"])
@pytest.mark.parametrize("limits", [{"min_deg": 370}, {"min_deg": 30, "max_deg": 40}])
def test_a_joint_drawn_beyond_its_limits_has_no_first_position(example, limits):
    """It is drawn at 0; so it is not at its limit, nor does it move from there."""
    mechanism = limited(inputs.load(example), {"four_bar": "B", "six_bar_b": "E"}[example], **limits)
    motion = detent.move(mechanism)
    assert (len(motion.inputs), motion.range) == (0, None)
    assert "is beyond its limits there" in motion.words
    assert not any(abs(point.input) < 1e-9 for point in motion.limit_points)
