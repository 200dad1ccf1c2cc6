"""Pulling past dead points that are only the plan's, and up to stops that are the joints'."""

from __future__ import annotations

import json
import math

import pytest

from detent.app import inputs
from detent.model.reading import convert
from tests.kinematics.random_linkages import DYADS, random_linkage

STRIDE = math.radians(3)
WAIT = 60  # [ms] for a plan that is fetched on the way
PATIENCE = 200  # times that, on a busy machine


def about(workbench, pin, tip):
    """Where a point is seen from a pin: how far, and in which direction."""
    (x, y), (px, py) = workbench.place(tip), workbench.place(pin)
    return math.hypot(x - px, y - py), math.atan2(y - py, x - px)


def turned(angle):
    return math.remainder(angle, 2 * math.pi)


def test_a_pull_goes_on_past_the_dead_point_of_a_dyad_inside_a_cut(workbench):
    """The plan's cut ends after 0.299 rad, where a dyad inside it lies flat; the linkage itself goes on."""
    machine = random_linkage(15, groups=4, kinds=(*DYADS, "triad"))
    workbench.drop_file("linkage.json", json.dumps(convert.plain(machine)))
    workbench.says("Imported linkage.json")
    workbench.settled()
    far, first = about(workbench, "crank.m0", "crank.m1")
    pin = workbench.place("crank.m0")
    workbench.move_to(workbench.place("crank.m1"))
    workbench.page.mouse.down()
    for k in range(25):
        angle = first - STRIDE * k
        workbench.move_to((pin[0] + far * math.cos(angle), pin[1] + far * math.sin(angle)))
        workbench.page.wait_for_timeout(WAIT)
    for _ in range(PATIENCE):  # a plan may still be on its way
        if abs(turned(about(workbench, "crank.m0", "crank.m1")[1] - angle)) < 0.01:
            break
        workbench.page.wait_for_timeout(WAIT)
    assert turned(about(workbench, "crank.m0", "crank.m1")[1] - angle) == pytest.approx(0, abs=0.01)
    for joint in workbench.document()["joints"].values():
        if joint["type"] == "revolute":
            a, b = (workbench.place(end) for end in joint["between"])
            assert math.dist(a, b) < 1e-6
    workbench.page.mouse.up()


@pytest.mark.parametrize("limits", [{"min_deg": -4, "max_deg": 8}, {"max_deg": 8}], ids=["both", "one"])
def test_a_pulled_crank_halts_where_its_rocker_comes_to_a_stop(workbench, limits):
    """A stop on both sides is in the plan; one whose turns must be counted is watched by the server."""
    given = convert.plain(inputs.load("four_bar"))
    given["joints"]["D"]["limits"] = limits
    workbench.drop_file("stopped.json", json.dumps(given))
    workbench.says("Imported stopped.json")
    workbench.settled()
    drawn = about(workbench, "III.D", "III.C")[1]
    far, first = about(workbench, "I.A", "I.B")
    workbench.move_to(workbench.place("I.B"))
    workbench.page.mouse.down()
    seen = []
    for k in range(40):
        angle = first + STRIDE * k
        workbench.move_to((far * math.cos(angle), far * math.sin(angle)))
        workbench.page.wait_for_timeout(WAIT)
        seen.append(math.degrees(turned(about(workbench, "III.D", "III.C")[1] - drawn)))
    workbench.says("as far as it goes")
    seen.append(math.degrees(turned(about(workbench, "III.D", "III.C")[1] - drawn)))
    assert max(seen) == pytest.approx(8, abs=1e-3)
    workbench.page.mouse.up()


def nearly_grashof():
    """Crank 20, rod 32, rocker 47.9976, ground 60: up to 178.975 degrees, and again from 181.025 on."""
    crank, rod, rocker, ground = 20.0, 32.0, 47.9976, 60.0
    b = crank * complex(math.cos(math.radians(150)), math.sin(math.radians(150)))
    across = ground - b
    far = abs(across)
    along = (rod**2 - rocker**2 + far**2) / (2 * far)
    c = b + across / far * complex(along, math.sqrt(rod**2 - along**2))
    points = {"A": 0j, "B": b, "C": c, "D": complex(ground)}
    at = {name: [z.real, z.imag] for name, z in points.items()}
    links = {"crank": "AB", "rod": "BC", "rocker": "CD"}
    return {
        "format": "detent/1",
        "units": "mm",
        "parts": {
            "ground": {"fixed": True, "markers": {"A": at["A"], "D": at["D"]}},
            **{name: {"markers": {end: at[end] for end in ends}} for name, ends in links.items()},
        },
        "joints": {
            name: {"type": "revolute", "between": [f"{one}.{name}", f"{two}.{name}"]}
            for name, one, two in (
                ("A", "ground", "crank"),
                ("B", "crank", "rod"),
                ("C", "rod", "rocker"),
                ("D", "ground", "rocker"),
            )
        },
    }


@pytest.mark.parametrize("stride", [6, 30, 80])
def test_a_pull_never_jumps_over_a_gap_in_the_range(workbench, stride):
    """The gap is 2.05 degrees wide, by the triangle inequality; the pointer goes by far more at once."""
    end = math.degrees(math.acos((20**2 + 60**2 - (32 + 47.9976) ** 2) / (2 * 20 * 60)))
    workbench.drop_file("gap.json", json.dumps(nearly_grashof()))
    workbench.says("Imported gap.json")
    workbench.settled()
    workbench.move_to(workbench.place("crank.B"))
    workbench.page.mouse.down()
    workbench.page.mouse.move(*workbench.pixel((20 * math.cos(2.7), 20 * math.sin(2.7))))
    workbench.page.wait_for_function(
        "(x) => Math.abs(window.detentView.place('crank.B')[0] - x) < 0.5", arg=20 * math.cos(2.7)
    )
    for degrees in range(160, 261, stride):
        angle = math.radians(degrees)
        workbench.move_to((20 * math.cos(angle), 20 * math.sin(angle)))
        seen = math.degrees(about(workbench, "crank.A", "crank.B")[1]) % 360
        assert seen <= end + 1e-6
    workbench.says("as far as it goes")
    workbench.page.mouse.up()
    workbench.settled()
    assert math.degrees(about(workbench, "crank.A", "crank.B")[1]) % 360 <= end + 1e-6
