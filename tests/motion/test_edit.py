"""Editing is animation: operations in the solved state, their inverses, and mechanisms pulled together."""

from __future__ import annotations

import math
import random

import pytest

import detent
from detent.app import inputs
from detent.foundation import DetentError, ModelError
from detent.model.document import Drive, Joint, Marker, Mechanism, Part
from detent.model.editing import operation as op
from detent.model.reading import convert

GALLERY = (
    "four_bar",
    "slider_crank",
    "six_bar_a",
    "six_bar_b",
    "five_bar",
    "quick_return",
    "pantograph",
    "peaucellier",
    "jansen_leg",
    "chain",
)
CLOSED = 1e-10  # of the size


def saved(mechanism: Mechanism) -> bytes:
    return convert.canonical(mechanism)


def link(*points: tuple[float, float], **more: object) -> Part:
    markers = {"ABC"[k]: list(p) for k, p in enumerate(points)}
    return convert.table({"markers": markers, **more}, Part)


def lengths(mechanism: Mechanism) -> dict[tuple[str, str, str], float]:
    by_part = {}
    for name, part in mechanism.parts.items():
        at = {key: (m.at if isinstance(m, Marker) else m) for key, m in part.markers.items()}
        for a in at:
            for b in at:
                by_part[name, a, b] = math.dist([float(c) for c in at[a]], [float(c) for c in at[b]])
    return by_part


def place(mechanism: Mechanism, marker: str) -> complex:
    """Where a marker stands as the document says it, from its numbers alone."""
    name, _, key = marker.partition(".")
    part = convert.plain(mechanism)["parts"][name]
    at = part["markers"][key]
    point = complex(*map(float, at["at"] if isinstance(at, dict) else at))
    pose = part.get("pose", {})
    turn = float(pose.get("turn", 0))
    return complex(*map(float, pose.get("at", (0, 0)))) + point * complex(math.cos(turn), math.sin(turn))


def widest(mechanism: Mechanism) -> float:
    """The largest distance between the two markers of a pin."""
    pins = [joint.between for joint in mechanism.joints.values() if joint.type == "revolute"]
    return max(abs(place(mechanism, a) - place(mechanism, b)) for a, b in pins)


def any_operation(draw: random.Random, mechanism: Mechanism) -> object:
    """Some operation that an editor might send; not all of them make sense."""
    parts, joints, drives = (list(t) for t in (mechanism.parts, mechanism.joints, mechanism.drives))
    markers = [f"{name}.{key}" for name, part in mechanism.parts.items() for key in part.markers]
    point = (round(draw.uniform(-3, 3), 3), round(draw.uniform(-3, 3), 3))
    if not markers:
        return op.AddPart("again", link(point, (point[0] + 1, point[1])))
    part, marker, other = draw.choice(parts), draw.choice(markers), draw.choice(markers)
    joint = draw.choice(joints) if joints else "A"
    fresh = f"new{draw.randrange(10**6)}"
    return draw.choice(
        [
            op.AddPart(fresh, link(point, (point[0] + 2, point[1]))),
            op.RemovePart(part),
            op.AddMarker(f"{part}.{fresh}", point),
            op.RemoveMarker(marker),
            op.MoveMarker(marker, point),
            op.AddJoint(fresh, Joint(type="revolute", between=(marker, other))),
            op.RemoveJoint(joint),
            op.ToggleJoint(joint),
            op.Join(marker, other),
            op.Ground(marker),
            op.AddDrive(fresh, Drive(joint=joint)),
            op.RemoveDrive(draw.choice(drives) if drives else "none"),
            op.SetNumber(f"parts.{part}.markers.{marker.partition('.')[2]}.0", point[0]),
            op.PlaceParts({part: (*point, 0.3)}),
            op.Rename(f"parts.{part}", fresh),
            op.Rename(f"parts.{marker.replace('.', '.markers.')}", fresh),
            op.Rename(f"joints.{joint}", fresh),
            op.Remove((f"parts.{part}", f"joints.{joint}")),
            op.Paste((part, marker.partition(".")[0]), point),
        ]
    )


@pytest.mark.parametrize("name", GALLERY)
def test_any_edits_are_taken_back_one_by_one_to_the_bytes_of_the_file(name):
    draw = random.Random(name)
    mechanism = inputs.load(name)
    history: list[tuple[bytes, object]] = []
    applied: set[type] = set()
    for _ in range(30):
        operation = any_operation(draw, mechanism)
        before = saved(mechanism)
        try:
            result = detent.edit(mechanism, operation)
        except DetentError:
            assert saved(mechanism) == before
            continue
        if not result.done:
            assert result.mechanism is mechanism
            assert result.apart > 0
            assert result.why
            continue
        applied.add(type(operation))
        history.append((before, result.inverse))
        redone = detent.edit(detent.edit(result.mechanism, result.inverse).mechanism, result.inverse.inverse)
        assert saved(redone.mechanism) == saved(result.mechanism)
        mechanism = result.mechanism
    assert len(applied) >= 5
    for before, inverse in reversed(history):
        mechanism = detent.edit(mechanism, inverse).mechanism
        assert saved(mechanism) == before
    assert saved(mechanism) == saved(inputs.load(name))


def test_an_inverse_is_refused_by_a_document_that_it_was_not_made_for():
    result = detent.edit(inputs.load("four_bar"), op.RemoveJoint("C"))
    with pytest.raises(ModelError, match="not what this change found"):
        detent.edit(inputs.load("four_bar"), result.inverse)


def two_mechanisms() -> Mechanism:
    """A four-bar on the ground, and a folded chain of three links lying loose far away."""
    mechanism = inputs.load("four_bar")
    joined = mechanism
    for name, part in (
        ("p", link((9, 9), (11, 9))),
        ("q", link((11, 9), (11, 11))),
        ("r", link((11, 11), (9, 12))),
    ):
        joined = detent.edit(joined, op.AddPart(name, part)).mechanism
    joined = detent.edit(joined, op.Join("p.B", "q.A")).mechanism
    return detent.edit(joined, op.Join("q.B", "r.A")).mechanism


def test_a_loose_chain_is_carried_to_the_linkage_and_then_closes_a_loop_without_a_length_changing():
    mechanism = two_mechanisms()
    first = detent.edit(mechanism, op.Join("II.C", "p.A"))
    assert set(first.moved) == {"p", "q", "r"}
    second = detent.edit(first.mechanism, op.Join("r.B", "ground.D"))
    assert second.done
    assert lengths(second.mechanism) == lengths(mechanism)
    assert widest(second.mechanism) <= CLOSED * 4


def test_a_join_out_of_reach_says_by_how_much_and_leaves_the_document_alone():
    """An arm of 2 at C: C is at best 2.5 from A (coupler 3.5 back over crank 1), so 0.5 stays."""
    mechanism = detent.edit(inputs.load("four_bar"), op.AddPart("arm", link((10, 10), (12, 10)))).mechanism
    mechanism = detent.edit(mechanism, op.Join("II.C", "arm.A")).mechanism
    result = detent.edit(mechanism, op.Join("arm.B", "ground.A"))
    assert not result.done
    assert result.apart == pytest.approx(0.5, abs=1e-6)
    assert "arm.B and ground.A" in result.why
    assert result.mechanism is mechanism


@pytest.mark.parametrize(("length", "reaches"), [(2.5 + 1e-6, True), (2.5 - 1e-6, False)])
def test_an_arm_joins_exactly_when_it_is_long_enough(length, reaches):
    mechanism = detent.edit(inputs.load("four_bar"), op.AddPart("arm", link((0, 7), (length, 7)))).mechanism
    mechanism = detent.edit(mechanism, op.Join("II.C", "arm.A")).mechanism
    assert detent.edit(mechanism, op.Join("arm.B", "ground.A")).done is reaches


def test_links_drawn_in_line_fold_to_be_joined():
    """Two bars in line from A, their end pulled back towards A: nothing says which way, one is taken."""
    mechanism = convert.mechanism(
        {
            "parts": {
                "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [1, 0]}},
                "p": {"markers": {"A": [0, 0], "B": [2, 0]}},
                "q": {"markers": {"B": [2, 0], "C": [4, 0]}},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.A", "p.A"]},
                "B": {"type": "revolute", "between": ["p.B", "q.B"]},
            },
        }
    )
    result = detent.edit(mechanism, op.Join("q.C", "ground.D"))
    assert result.done
    assert widest(result.mechanism) <= CLOSED * 4


def test_a_part_taken_away_takes_its_joints_and_drives_and_the_rest_stays_where_it_stood():
    mechanism = inputs.load("four_bar")
    result = detent.edit(mechanism, op.RemovePart("I"))
    assert set(result.mechanism.joints) == {"C", "D"}
    assert not result.mechanism.drives
    assert result.moved == ()


def test_a_changed_length_is_closed_by_moving_the_parts():
    result = detent.edit(inputs.load("four_bar"), op.MoveMarker("I.B", (1.2, 0)))
    assert result.done
    assert widest(result.mechanism) <= CLOSED * 4


def test_a_length_that_no_pose_allows_is_refused_with_what_stays_open():
    """Ground 4, coupler 3.5, rocker 3: a crank of 11 is longer than all others by 0.5."""
    result = detent.edit(inputs.load("four_bar"), op.MoveMarker("I.B", (11, 0)))
    assert not result.done
    assert result.apart > 0.1


def test_a_pin_turned_into_a_slide_keeps_the_pose_and_gives_up_its_drive():
    result = detent.edit(inputs.load("four_bar"), op.ToggleJoint("A"))
    assert result.mechanism.joints["A"].type == "prismatic"
    assert not result.mechanism.drives
    assert result.moved == ()


@pytest.mark.parametrize(
    "keys", [("spring",), ("limits", "damping"), ("spring", "limits", "damping", "friction")]
)
def test_what_goes_with_the_form_of_a_joint_is_said(keys: tuple[str, ...]):
    """By the two documents as plain data: what is under the joint before, and not after."""
    values = {
        "spring": {"stiffness": 2, "rest_deg": 10},
        "limits": {"min_deg": -30},
        "damping": 0.5,
        "friction": {"coefficient": 0.1, "radius": 0.2},
    }
    machine = detent.load("four_bar")
    for key in keys:
        machine = machine.with_(f"joints.D.{key}", values[key])
    done = detent.edit(machine, op.ToggleJoint("D"))
    before, after = (m.to_dict()["joints"]["D"] for m in (machine, done.mechanism))
    assert {path.rpartition(".")[2] for path in done.gone} == set(before) - set(after) == set(keys)
    assert all(path in done.words for path in done.gone)
    driven = detent.edit(machine, op.ToggleJoint("A"))
    assert driven.gone == ("drives.crank",)
    assert detent.edit(machine, op.RemoveDrive("crank")).gone == ()
    assert detent.edit(driven.mechanism, driven.inverse).gone == ()
    assert detent.edit(machine, op.Rename("joints.D", "E")).gone == ()


def test_a_number_is_set_only_where_a_number_stands():
    mechanism = inputs.load("four_bar")
    result = detent.edit(mechanism, op.SetNumber("drives.crank.to_deg", 90))
    assert float(result.mechanism.drives["crank"].to_deg or 0) == 90
    for path in ("drives.crank.joint", "drives.crank.nothing", "parts.I.markers.B.7"):
        with pytest.raises(ModelError):
            detent.edit(mechanism, op.SetNumber(path, 1))


@pytest.mark.parametrize("units", ["in", "m"])
def test_other_units_move_nothing(units: str):
    """Numbers of poses change, and the last digits of places; no part is elsewhere."""
    places = {"crank": ((0, 0), "AB"), "coupler": ((15, 20), "BC"), "rocker": ((80, 0), "DC")}
    points = {"A": (0, 0), "B": (15, 20), "C": (70, 55), "D": (80, 0)}
    parts: dict[str, object] = {"frame": {"fixed": True, "markers": {"A": points["A"], "D": points["D"]}}}
    for name, ((x, y), pins) in places.items():
        markers = {pin: [points[pin][0] - x, points[pin][1] - y] for pin in pins}
        parts[name] = {"pose": {"at": [x, y]}, "markers": markers}
    pairs = {
        "A": ("frame", "crank"),
        "B": ("crank", "coupler"),
        "C": ("coupler", "rocker"),
        "D": ("frame", "rocker"),
    }
    joints = {
        pin: {"type": "revolute", "between": [f"{part}.{pin}" for part in pair]}
        for pin, pair in pairs.items()
    }
    mechanism = detent.from_dict({"units": "mm", "parts": parts, "joints": joints})
    made = detent.edit(mechanism, op.SetUnits(units, "size"))
    assert made.moved == ()
    assert made.mechanism.parts["coupler"].pose != mechanism.parts["coupler"].pose
    longer = detent.edit(mechanism, op.SetNumber("parts.coupler.markers.C.0", 56))
    assert longer.moved == ("crank", "coupler", "rocker")
