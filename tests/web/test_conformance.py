"""The page's executor moves the gallery, geared, limited and random linkages as Python's does.

How the two are held beside each other is said in `side_by_side.py`.
"""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from msgspec.structs import replace

from detent.app import inputs
from detent.foundation import Number
from detent.kinematics.equations import closed_pose, coordinate
from detent.kinematics.execution import advance, input_table, tables_of
from detent.model.document import Limits, Mechanism
from detent.model.machine import plane_linkage_of
from tests.kinematics.random_linkages import DYADS, random_linkage
from tests.kinematics.test_gears import CASES as GEARED
from tests.kinematics.test_gears import drive, machine
from tests.web.side_by_side import CLEAR, FEW, Case, Clearance, Tally, compare, driven, pulled, walked

POSES = 16
LINKAGES = 24
LINKAGES_SHOWN = [
    name
    for name in inputs.examples()
    if (given := inputs.load(name)).dimension == 2 and any(d.joint or d.marker for d in given.drives.values())
]


def all_ways(mechanism: Mechanism, seed: int, poses: int, name: str) -> list[Case]:
    """By its drives and by its parts."""
    return [driven(mechanism, seed, poses, name), *pulled(mechanism, seed + 1, poses, name)]


def random_case(seed: int, poses: int) -> Case:
    kinds = (*DYADS, "triad") if seed % 3 == 0 else DYADS
    made = random_linkage(seed, groups=1 + seed % 4, kinds=kinds)
    return driven(limited(made, seed) if seed % 2 else made, seed, poses, f"random linkage {seed}")


def limited(mechanism: Mechanism, seed: int) -> Mechanism:
    """With stops on two of the joints that are not driven, each side of where they are drawn."""
    rng, system = random.Random(seed), plane_linkage_of(mechanism)
    poses = closed_pose(system, mechanism.start)
    joints = dict(mechanism.joints)
    for name in rng.sample(sorted(set(joints) - {d.joint for d in mechanism.drives.values()}), 2):
        if joints[name].type not in ("revolute", "prismatic"):
            continue
        at = coordinate(system.pairs[system.index[name]], poses)
        low, high = at - rng.uniform(0.1, 1.0), at + rng.uniform(0.1, 1.0)
        joints[name] = replace(joints[name], limits=Limits(min=Number(low), max=Number(high)))
    return replace(mechanism, joints=joints)


def agree(tally: Tally) -> None:
    assert not tally.refuted
    assert tally.near_dead <= FEW * tally.frames
    assert tally.whole + tally.stopped + tally.edge == tally.frames
    assert tally.whole > tally.frames // 2


@pytest.mark.parametrize("name", LINKAGES_SHOWN)
def test_the_page_moves_a_gallery_machine_as_python_does(name):
    agree(compare(all_ways(inputs.load(name), 1, POSES, name)))


@pytest.mark.parametrize("name", GEARED)
def test_the_page_moves_gears_as_python_does(name):
    agree(compare(all_ways(GEARED[name], 1, POSES, name)))


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "six_bar_b", "five_bar"])
def test_the_page_stops_where_a_joint_has_its_limit(name):
    cases = [
        case for seed in range(4) for case in all_ways(limited(inputs.load(name), seed), seed, POSES, name)
    ]
    tally = compare(cases)
    assert not tally.refuted
    assert tally.stopped > 0
    watched = [case for case in cases if any(stop.row >= 0 for stop in case.plan.stops)]
    stops = {stop.row for case in watched for stop in case.plan.stops}
    assert any(f.failed in stops for case in watched for f in walked(case))


def test_the_page_moves_random_linkages_as_python_does():
    agree(compare([random_case(seed, POSES) for seed in range(LINKAGES)]))


def test_clearance_goes_with_the_root_of_the_way_to_a_dead_point():
    """Links of 3, 2 and 2 on a ground of 4: the last two lie in line where cos(turn) = 9/24."""
    limit = math.acos(9 / 24)
    mechanism = machine(
        {
            "ground": {"A": [0, 0], "D": [4, 0]},
            "crank": {"A": [0, 0], "B": [3, 0]},
            "coupler": {"B": [3, 0], "C": [3.5, -math.sqrt(3.75)]},
            "rocker": {"C": [3.5, -math.sqrt(3.75)], "D": [4, 0]},
        },
        {
            "A": ("ground.A", "crank.A"),
            "B": ("crank.B", "coupler.B"),
            "C": ("coupler.C", "rocker.C"),
            "D": ("rocker.D", "ground.D"),
        },
        drives=drive("A", 60, 10),
    )
    plan = driven(mechanism, 0, 1).plan
    pose, shares = Clearance(plan), []
    for short in (1e-3, 1e-5, 1e-7, 1e-9):
        V, inputs, state = plan.vectors.copy(), input_table(plan), plan.state.copy()
        goal = np.array([limit - short])
        way, _ = advance.plain(tables_of(plan), V, np.zeros_like(V), inputs, state, 1, plan.drawn, goal)
        assert way == 1.0
        shares.append(pose.of(V) / math.sqrt(short))
    assert shares == pytest.approx([shares[-1]] * 4, rel=0.01)
    assert pose.of(plan.vectors) > CLEAR
