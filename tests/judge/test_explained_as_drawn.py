"""What `explain` counts: freedoms of machines in space, parts on no joint, segments that may touch."""

from __future__ import annotations

import detent

SARRUS_SIDE = """
[parts.{p}]
markers = {{ lower = {{ at = {foot}, along = {axis} }}, upper = {{ at = {knee}, along = {axis} }} }}
[parts.{q}]
markers = {{ lower = {{ at = {knee}, along = {axis} }}, upper = {{ at = {top}, along = {axis} }} }}
[joints.{p}_foot]
type = "revolute"
between = ["base.{p}", "{p}.lower"]
[joints.{p}_knee]
type = "revolute"
between = ["{p}.upper", "{q}.lower"]
[joints.{p}_top]
type = "revolute"
between = ["{q}.upper", "plate.{p}"]
"""


def _sarrus() -> str:
    sides = [
        ("a", [1, 0, 0], [2, 0, 1], [1, 0, 2], [0, 1, 0]),
        ("c", [0, 1, 0], [0, 2, 1], [0, 1, 2], [1, 0, 0]),
    ]
    feet = ", ".join(f"{p} = {{ at = {foot}, along = {axis} }}" for p, foot, _, _, axis in sides)
    tops = ", ".join(f"{p} = {{ at = {top}, along = {axis} }}" for p, _, _, top, axis in sides)
    head = (
        f'format = "detent/1"\ndimension = 3\n[parts.base]\nfixed = true\nmarkers = {{ {feet} }}\n'
        f"[parts.plate]\nmarkers = {{ {tops} }}\n"
    )
    return head + "".join(
        SARRUS_SIDE.format(p=p, q=p + "2", foot=foot, knee=knee, top=top, axis=axis)
        for p, foot, knee, top, axis in sides
    )


def test_a_sarrus_linkage_has_one_freedom_though_gruebler_counts_none():
    told = detent.explain(detent.loads(_sarrus()))
    assert (told.mobility.gruebler, told.mobility.actual) == (0, 1)
    assert "1 truly" in told.words


BALL = """
format = "detent/1"
[parts.ground]
fixed = true
shape.{ground}
[parts.ball]
shape.{ball}
mass = 1
center = [0, 2]
inertia = 1
"""


def test_a_part_on_no_joint_has_its_own_states():
    shapes = {"ground": "circle = 1", "ball": "outline = [[0, 2], [1, 2], [0, 3]]"}
    told = detent.explain(detent.loads(BALL.format(**shapes)))
    assert told.state_variables[::2] == ("travel of ball.x", "travel of ball.y", "angle of ball.angle")


def test_segments_are_named_among_what_can_touch():
    for ground, ball in (
        ("circle = 1", "segment = [[-2, 2], [2, 2]]"),
        ("segment = [[-5, 0], [5, 0]]", "circle = 1"),
    ):
        told = detent.explain(detent.loads(BALL.format(ground=ground, ball=ball)))
        assert told.interactions == (("ground", "ball"),)
        assert "ground:ball" in told.words
