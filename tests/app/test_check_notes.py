"""What is said of a document that is sound and not what it seems: gaps, limits, speeds, joints."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import detent
from detent.app import cli


def crank(first, last, **drive):
    """On one pin with limits of 10° to 100°, drawn at 0°."""
    return detent.from_dict(
        {
            "parts": {
                "g": {"fixed": True, "markers": {"A": [0, 0]}},
                "c": {"inertia": 1, "markers": {"A": [0, 0], "B": [1, 0]}},
            },
            "joints": {
                "A": {
                    "type": "revolute",
                    "between": ["g.A", "c.A"],
                    "limits": {"min_deg": 10, "max_deg": 100},
                }
            },
            "drives": {"d": {"joint": "A", "from_deg": first, "to_deg": last, "steps": 4, **drive}},
        }
    )


def four_bar(drive):
    crank, coupler = [17.35526546153656, 20.683199964212406], [77.89614695625583, 57.775000511534934]
    pins = {
        "A": ("ground", "crank"),
        "B": ("crank", "coupler"),
        "C": ("coupler", "rocker"),
        "D": ("ground", "rocker"),
    }
    return {
        "units": "mm",
        "parts": {
            "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [83, 0]}},
            "crank": {"markers": {"A": [0, 0], "B": crank}},
            "coupler": {"markers": {"B": crank, "C": coupler}},
            "rocker": {"markers": {"D": [83, 0], "C": coupler}},
        },
        "joints": {
            name: {"type": "revolute", "between": [f"{part}.{name}" for part in parts]}
            for name, parts in pins.items()
        },
        "drives": {"turn": {"joint": "A", **drive}},
    }


FULL = {"from_deg": 0, "to_deg": 360, "steps": 36}


def typed(slip):
    """A bar on three parallel cranks; the third crank's pin in it is off by `slip`."""
    parts = {
        "g": {"fixed": True, "markers": {f"A{k}": [x, 0] for k, x in enumerate((0, 50, 90))}},
        "bar": {"markers": {"B0": [15, 26], "B1": [65, 26], "B2": [105 + slip, 26]}},
    }
    joints = {}
    for k, x in enumerate((0, 50, 90)):
        parts[f"c{k}"] = {"markers": {"A": [x, 0], "B": [x + 15, 26]}}
        joints[f"A{k}"] = {"type": "revolute", "between": [f"g.A{k}", f"c{k}.A"]}
        joints[f"B{k}"] = {"type": "revolute", "between": [f"c{k}.B", f"bar.B{k}"]}
    drives = {"turn": {"joint": "A0", "from_deg": 0, "to_deg": 100, "steps": 4}}
    return {"units": "mm", "parts": parts, "joints": joints, "drives": drives}


def checked(document, tmp_path, capsys, verb="check", *flags):
    plain = document if isinstance(document, dict) else document.to_dict()
    file = tmp_path / "machine.json"
    file.write_text(json.dumps({**plain, "format": "detent/1"}, default=float, indent=1))
    code = cli.main([verb, str(file), *flags])
    told = capsys.readouterr()
    return code, told.out + told.err


def test_a_machine_without_freedom_has_no_states(tmp_path, capsys):
    """As drawn, 0.01 mm open, its constraints leave a freedom; closed, it has none."""
    explained = detent.explain(detent.from_dict(typed(0.01)))
    assert (explained.mobility.actual, explained.state_variables) == (0, ())
    assert "states     none" in explained.words
    assert "turn: cannot move A0" in explained.words
    code, told = checked(typed(0.01), tmp_path, capsys)
    assert code == 0
    assert "B2 is drawn 0.01 mm open; closed, it has no freedom left" in told
    assert "when it moves" not in told
    sound = detent.explain(detent.from_dict(typed(0)))
    assert (sound.mobility.actual, len(sound.state_variables)) == (1, 2)
    assert "turn: moves A0" in sound.words


def test_a_drawing_that_cannot_close_has_no_states():
    document = four_bar(FULL)
    document["parts"]["rocker"]["markers"]["C"] = [77, 577]
    explained = detent.explain(detent.from_dict(document))
    assert explained.mobility.actual is None
    assert explained.state_variables == ()
    assert "states     none" in explained.words


def test_a_gap_that_closes_in_motion_is_told_as_before(tmp_path, capsys):
    document = four_bar(FULL)
    document["parts"]["rocker"]["markers"]["C"] = [77.9, 57.775]
    assert "it is closed from there when it moves" in checked(document, tmp_path, capsys)[1]


@pytest.mark.parametrize(
    ("low", "high", "beyond"), [(10, 100, True), (-1, 1, False), (350, 370, False), (None, -1, True)]
)
def test_a_drawing_beyond_limits_is_noted(tmp_path, capsys, low, high, beyond):
    limits = {key: value for key, value in (("min_deg", low), ("max_deg", high)) if value is not None}
    code, told = checked(crank(20, 60).with_("joints.A.limits", limits), tmp_path, capsys)
    assert code == 0
    assert ("joint A is drawn at 0°, beyond its limits" in told) == beyond


def test_a_slide_is_measured_along_itself(tmp_path, capsys):
    document = {
        "units": "mm",
        "parts": {"g": {"fixed": True}, "s": {"markers": {"P": [30, 40]}}},
        "joints": {
            "S": {"type": "prismatic", "between": ["g.O", "s.P"], "limits": {"min": 0, "max": 49}},
        },
    }  # fmt: skip
    document["parts"]["g"]["markers"] = {"O": {"at": [0, 0], "turn_deg": 53.13010235415598}}
    document["parts"]["s"]["markers"] = {"P": {"at": [30, 40], "turn_deg": 53.13010235415598}}
    assert (
        "joint S is drawn at 50 mm, beyond its limits from 0 mm to 49 mm"
        in checked(document, tmp_path, capsys)[1]
    )
    document["joints"]["S"]["limits"]["max"] = 50
    assert "beyond" not in checked(document, tmp_path, capsys)[1]


def test_a_joint_in_space_beyond_its_limits_is_noted(tmp_path, capsys):
    document = crank(20, 60).to_dict()
    document["dimension"] = 3
    for part in document["parts"].values():
        part["markers"] = {name: [*at, 0] for name, at in part["markers"].items()}
    assert (
        "joint A is drawn at 0°, beyond its limits from 10° to 100°" in checked(document, tmp_path, capsys)[1]
    )


def test_a_negative_speed_beside_positions_is_told():
    """Its size gives the time; the positions say the way, and with `speed` alone its sign does."""
    said = "drives.d.speed_deg is negative"
    up, down = (
        detent.move(crank(20, 60, speed_deg=speed).with_("parts.c.inertia", None)) for speed in (30, -30)
    )
    assert np.allclose(up.times, down.times)
    assert any(said in note for note in down.notes)
    assert not any(said in note for note in up.notes)
    free = crank(0, 60, speed_deg=-30).with_("joints.A.limits", None)
    ran = detent.run(free, until=1)
    assert any(said in note for note in ran.notes)
    assert math.degrees(ran.states["A"][-1]) == pytest.approx(30)
    alone = free.with_("drives.d", {"joint": "A", "speed_deg": -30})
    ran = detent.run(alone, until=1)
    assert not any("negative" in note for note in ran.notes)
    assert math.degrees(ran.states["A"][-1]) == pytest.approx(-30)


def test_a_joint_given_twice_is_noted_and_takes_no_angle_away_unsaid(tmp_path, capsys):
    document = four_bar(FULL)
    assert "coupler, rocker" in detent.move(detent.from_dict(document)).transmission
    document["joints"]["C2"] = {"type": "revolute", "between": ["rocker.C", "coupler.C"]}
    motion = detent.move(detent.from_dict(document))
    (left,) = (words for words in motion.scope.left_out if "transmission" in words)
    assert "rocker and coupler" in left
    assert "C2 repeats C" in left
    assert "joint C2 repeats C" in checked(document, tmp_path, capsys)[1]
    document["joints"]["C2"] = {"type": "revolute", "between": ["ground.A", "crank.A"]}
    assert "joint C2 repeats A" in checked(document, tmp_path, capsys)[1]
    del document["joints"]["C2"]
    assert "repeats" not in checked(document, tmp_path, capsys)[1]


def test_where_nothing_is_fixed_it_is_said_what_is_held():
    document = four_bar(FULL)
    document["parts"]["ground"]["fixed"] = False
    motion = detent.move(detent.from_dict(document))
    assert float(np.ptp(motion.poses["ground"], axis=0).max()) < 1e-12
    (note,) = (note for note in motion.notes if "not driven" in note)
    assert "ground is held where the drawing has it" in note
    assert "crank, coupler and rocker move past it" in note
    assert not any("transmission" in words for words in motion.scope.left_out)


def test_what_is_wrong_with_a_document_has_its_line_from_every_verb(tmp_path, capsys):
    document = four_bar(FULL)
    document["parts"]["rocker"]["markers"]["C"] = [77, 577]
    line = next(
        k
        for k, text in enumerate(json.dumps({**document, "format": "detent/1"}, indent=1).splitlines(), 1)
        if '"D": {' in text
    )
    for verb in ("check", "move"):
        code, told = checked(document, tmp_path, capsys, verb)
        assert code == 2
        assert f"machine.json:{line}: joints.D: the loop with A, B, C cannot close" in told
    _, told = checked(document, tmp_path, capsys, "move", "--json")
    assert json.loads(told)["problems"][0]["line"] == line
    _, told = checked(crank(20, 60), tmp_path, capsys, "move", "--drive", "nothing")
    assert "machine.json" not in told


BANKED = """
format = "detent/1"
units = "mm"
[parts.frame]
fixed = true
shape.union = [{{ circle = 1 }}, {{ circle = 1, moves = [{{ move = [{at}, 0] }}] }}]
[parts.wheel]
shape.difference = [{{ circle = 10 }}, {{ circle = {hole} }}]
inertia = 1e-6
[joints.wheel]
type = "revolute"
between = ["frame", "wheel"]
at = [0, 0]
"""


@pytest.mark.parametrize(
    ("at", "hole", "named"),
    [
        (10.6, 1.01, True),  # the second pin reaches 0.4 into the wheel's rim
        (11.1, 1.01, False),  # clear of it
        (11.1, 0.9, False),  # the first pin is drawn larger than its hole: the custom at a joint
        (10.6, 0.9, True),
    ],
)
def test_what_a_pin_joins_and_is_drawn_into_each_other_elsewhere_is_named(tmp_path, capsys, at, hole, named):
    file = tmp_path / "banked.toml"
    file.write_text(BANKED.format(at=at, hole=hole))
    assert cli.main(["check", str(file)]) == 0
    said = capsys.readouterr().out
    assert ("into each other 9.6 mm from their joint wheel, near (9.8, 0), at least 0.39" in said) == named
    assert "they do not touch" not in said  # the pin has play in its hole


def three_cranks(heights: tuple[float, float, float]) -> detent.Mechanism:
    """A bar on three cranks beside each other: it moves where they are parallel and equal, else not."""
    parts: dict[str, dict] = {"ground": {"fixed": True, "markers": {}}, "bar": {"markers": {}}}
    joints = {}
    for k, height in enumerate(heights):
        name, foot, top = f"crank{k}", [10 * k, 0], [10 * k, height]
        parts["ground"]["markers"][name], parts["bar"]["markers"][name] = foot, top
        parts[name] = {"markers": {"foot": foot, "top": top}}
        joints[f"foot{k}"] = {"type": "revolute", "between": [f"ground.{name}", f"{name}.foot"]}
        joints[f"top{k}"] = {"type": "revolute", "between": [f"bar.{name}", f"{name}.top"]}
    return detent.from_dict({"units": "mm", "parts": parts, "joints": joints})


@pytest.mark.parametrize(("heights", "locked"), [((5, 7, 6), True), ((5, 5, 5), False)])
def test_joints_that_let_nothing_move_are_named(tmp_path, capsys, heights, locked):
    detent.save(three_cranks(heights), tmp_path / "cranks.toml")
    assert cli.main(["check", str(tmp_path / "cranks.toml")]) == 0
    assert ("no part can move" in capsys.readouterr().out) == locked


@pytest.mark.parametrize("center", [None, [0, 0]])
def test_a_mass_without_its_place_is_named_as_run_refuses_it(tmp_path, capsys, center):
    slider = {"mass": 2, "markers": {"a": [0, 0]}} | ({} if center is None else {"center": center})
    parts = {"ground": {"fixed": True, "markers": {"a": [0, 0]}}, "slider": slider}
    joints = {"s": {"type": "prismatic", "between": ["ground.a", "slider.a"]}}
    machine = {"units": "mm", "gravity": [0, -9810], "parts": parts, "joints": joints}
    detent.save(detent.from_dict(machine), tmp_path / "slide.toml")
    assert cli.main(["check", str(tmp_path / "slide.toml")]) == 0
    said = capsys.readouterr().out
    assert ("`detent run` would refuse it: " in said) == (center is None)
    assert cli.main(["run", str(tmp_path / "slide.toml"), "--until", "0.1"]) == (2 if center is None else 0)
