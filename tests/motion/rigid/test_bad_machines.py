"""Machines that cannot run are named, with their place and a remedy."""

from __future__ import annotations

import re

import pytest

import detent
from detent.foundation import ModelError

PIN = '[joints.a]\ntype = "revolute"\nbetween = ["ground", "arm"]\nat = [0, 0]\n'
GROUND = "[parts.ground]\nfixed = true\n"
SQUARE = "shape = { outline = [[0, 0], [10, 0], [10, 10], [0, 10]] }\n"

BAD = {
    "nothing": ("", "parts", "nothing moves"),
    "no inertia": (GROUND + "[parts.arm]\ninertia = 0\n" + PIN, "parts.arm.inertia", "no inertia"),
    "a point on its pin": (
        GROUND + "[parts.arm]\nmass = 1\ncenter = [0, 0]\ninertia = 0\n" + PIN,
        "parts.arm.inertia",
        "no inertia",
    ),
    "no inertia said": (
        GROUND + "[parts.arm]\nmass = 1\ncenter = [0, 0]\n" + PIN,
        "parts.arm.inertia",
        "is missing",
    ),
    "no mass said": (GROUND + "[parts.arm]\n" + PIN, "parts.arm.mass", "is missing"),
    "welded": (
        GROUND + "[parts.arm]\n" + PIN.replace("revolute", "fixed"),
        "parts",
        "nothing moves",
    ),
    "weight": (
        "gravity = [0, -9.81]\n" + GROUND + "[parts.arm]\ninertia = 1\n" + PIN,
        "parts.arm.mass",
        "gravity",
    ),
    "overlap": (
        GROUND + SQUARE + "[parts.box]\npose = { at = [5, 5] }\ndensity = 1\n" + SQUARE,
        "parts.box",
        "overlaps part 'ground'",
    ),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("method", [detent.Rigid(), detent.Penalty(stiffness=1e4)], ids=["rigid", "penalty"])
def test_what_cannot_run_is_named(case, method):
    text, at, words = BAD[case]
    with pytest.raises(ModelError) as caught:
        detent.run(detent.loads('format = "detent/1"\nunits = "mm"\n' + text), until=1, method=method)
    (problem,) = caught.value.problems
    assert problem.at == at
    assert words in problem.problem
    assert problem.remedy


@pytest.mark.parametrize("turned", [0, 20])
@pytest.mark.parametrize(
    ("angle", "overlaps"), [(22, False), (25, True), (45, True), (65, True), (68, False)]
)
def test_a_start_in_another_part_is_refused(angle, overlaps, turned):
    """A bar of half the width 0.1 along a ray meets the square from 1 to 2 between atan(1/2) - asin(0.1/√5)
    and atan(2) + asin(0.1/√5), 24.0 and 66.0 degrees; drawn apart."""
    bar = {"outline": [[0.5, -0.1], [3, -0.1], [3, 0.1], [0.5, 0.1]]}
    data = {
        "parts": {
            "frame": {"fixed": True, "shape": {"outline": [[1, 1], [2, 1], [2, 2], [1, 2]]}},
            "bar": {"shape": bar, "inertia": 1, "pose": {"at": [0, 0], "turn_deg": turned}},
        },
        "joints": {"pin": {"type": "revolute", "between": ["frame", "bar"], "at": [0, 0]}},
        "start": {"pin": {"at_deg": angle - turned}},
    }
    mechanism = detent.from_dict({"units": "m", **data})
    if not overlaps:
        assert detent.run(mechanism, until=0.1).stop.cause == "done"
        return
    with pytest.raises(detent.ModelError, match="puts frame and bar into each other"):
        detent.run(mechanism, until=0.1)


@pytest.mark.parametrize("pinned", [False, True])
def test_what_a_run_is_told_to_start_instead_can_be_started(pinned):
    box = {"mass": 1, "center": [0, 0], "inertia": 1, "markers": {"A": [0, 0]}}
    parts = {"frame": {"fixed": True, "markers": {"A": [0, 0]}}, "box": box}
    joints = {"plane": {"type": "planar", "between": ["frame.A", "box.A"]}}
    if pinned:
        parts["arm"] = box
        joints["pin"] = {"type": "revolute", "between": ["frame.A", "arm.A"]}
    data = {"units": "m", "parts": parts, "joints": joints, "start": {"plane": {"speed": 1}}}
    with pytest.raises(detent.UnsupportedError) as refused:
        detent.run(detent.from_dict(data), until=1)
    offered = re.search(r"start one of (.*) instead", str(refused.value))[1].split(", ")
    assert ("pin" in offered) == pinned
    for name in offered:
        running = detent.run(detent.from_dict(data | {"start": {name: {"speed": 1}}}), until=1)
        assert running.states[name][-1] == pytest.approx(1)


IN_SPACE = """
format = "detent/1"
units = "m"
dimension = 3
gravity = [0, -9.81, 0]
[parts.frame]
fixed = true
[parts.bob]
mass = 2
center = [0.5, 0, 0]
{inertia}
[joints.pin]
type = "revolute"
between = ["frame", "bob"]
at = [0, 0, 0]
along = [0, 0, 1]
"""


def test_in_space_an_inertia_beside_a_mass_is_about_the_only_pins_direction_through_the_centre():
    """As `principal` with that moment about z, which a pendulum's first second tells."""
    ends = [
        detent.run(detent.loads(IN_SPACE.format(inertia=line)), until=1).states["pin"][-1]
        for line in ("inertia = 0.3", "principal = [0.2, 0.2, 0.3]", "principal = [0.2, 0.2, 0.2]")
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)
    assert abs(ends[2] - ends[1]) > 0.01


@pytest.mark.parametrize("gravity", [False, True])
def test_what_suffices_for_a_part_on_a_pin_is_what_the_remedy_asks_for(gravity):
    text = IN_SPACE.format(inertia="").replace("mass = 2\ncenter = [0.5, 0, 0]\n", "{}")
    text = text if gravity else text.replace("gravity = [0, -9.81, 0]\n", "")
    with pytest.raises(ModelError) as caught:
        detent.run(detent.loads(text.format("")), until=1)
    asked = "`mass`, `center` and `inertia`" if gravity else "`inertia` alone"
    assert asked in caught.value.problems[0].remedy
    given = "mass = 1\ncenter = [0.5, 0, 0]\ninertia = 0.1\n" if gravity else "inertia = 0.1\n"
    assert detent.run(detent.loads(text.format(given)), until=0.1).stop.cause == "done"
