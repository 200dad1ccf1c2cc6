"""Derivatives of parts by the inputs: against differences of positions, and against the closure rows.

The rows are those of `kinematics.equations`, which the plan does not use: with J over all parts, J dq/ds is
the rate of the held coordinates, and J d2q/ds2 is minus the velocity product, the change of J on the way.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import detent
from detent.kinematics import closed_pose, drive_path_of, make_plan, part_poses, part_rates, sweep
from detent.kinematics.equations import residual_and_jacobian, rows_of
from detent.kinematics.paths import walk_in_segments
from detent.kinematics.planning import BLOCK, CUT, SLIDING
from detent.library import linkages
from detent.model.document import Mechanism
from detent.model.machine import plane_linkage_of
from detent.model.reading import convert
from tests.conftest import REFERENCE
from tests.kinematics.random_linkages import random_linkage
from tests.kinematics.test_gears import BOTH, CASES, epicyclic

EXAMPLES = Path(__file__).parents[2] / "examples"
REFERENCES = sorted(p for p in (REFERENCE / "linkages").glob("*") if ".expected" not in p.name)
FRAMES = 5  # looked at in each linkage


class Moved:
    """A linkage, its plan, and some positions of its drives."""

    def __init__(self, mechanism: Mechanism, *, cuts: bool = True, nearby: float | None = None) -> None:
        self.system = plane_linkage_of(mechanism)
        path = drive_path_of(mechanism, self.system)
        self.plan = make_plan(self.system, closed_pose(self.system, mechanism.start), path.inputs, cuts=cuts)
        goals = path.goals
        if nearby is not None:  # as far as every input may go from the drawing
            goals = self.plan.drawn + np.linspace(0.0, nearby, 9)[:, None]
        frames = sweep(self.plan, goals)
        self.goals = frames.inputs
        self.frames = frames
        self.rates = part_rates(self.plan, frames)
        self.held = [item.held for item in path.inputs if item.axis == 0]
        # Of a second derivative: an angle's input is in radians, a length's in sizes.
        self.scale = np.where([item.is_length for item in path.inputs], self.system.size, 1.0)
        self.weight = np.array([1.0, 1.0, self.system.size])

    def looked_at(self) -> list[int]:
        some = np.linspace(1, len(self.goals) - 2, FRAMES).astype(int).tolist()
        return [f for f in dict.fromkeys(some) if self.rates.regular[f] and self.calm(f)]

    def calm(self, f: int) -> bool:
        """Away from dead centres, where differences are hopeless."""
        return float(np.abs(self.sized(self.rates.second[f], 2)).max(initial=0.0)) < 1e3

    def sized(self, derivative: np.ndarray, order: int) -> np.ndarray:
        """As shares of the size, by radians or sizes."""
        out = derivative * self.weight.reshape(-1, *[1] * order) / self.system.size
        return out * self.scale if order == 1 else out * self.scale[:, None] * self.scale

    def poses_at(self, f: int, shifts: list[np.ndarray]) -> np.ndarray:
        """Poses (shifts, parts, 3) at shifted inputs, each reached from a frame [sizes and radians]."""
        before = self.goals[f : f + 1] if self.plan.closed_form else self.goals[: f + 1]
        goals = np.vstack([before, self.goals[f] + np.array(shifts)])
        poses = part_poses(self.plan, sweep(self.plan, goals).values)
        return np.stack([poses[name][len(before) :] for name in self.system.parts], axis=1) * self.weight


def check_against_differences(moved: Moved) -> int:
    """First and second derivatives, mixed ones too; how many frames were compared.

    Differences over two steps, one half the other, leave out the fourth power of the step.
    """
    frames, size = moved.looked_at(), moved.system.size
    axes = np.diag(moved.scale)
    for f in frames:
        first, second = moved.sized(moved.rates.first[f], 1), moved.sized(moved.rates.second[f], 2)
        largest = 1 + np.abs(second).max()
        for i, e in enumerate(axes):
            by_step = []
            for h in (4e-4, 2e-4):
                ahead, behind = moved.poses_at(f, [h * e, -h * e])
                by_step.append((ahead - behind) / (2 * h * size))
            wide, narrow = by_step
            np.testing.assert_allclose(first[..., i], (4 * narrow - wide) / 3, atol=1e-10 * largest**2)
            for j, d in enumerate(axes[: i + 1]):
                by_step = []
                for h in (1e-3, 5e-4):
                    one, two, three, four = moved.poses_at(
                        f, [h * (e + d), h * (e - d), h * (d - e), -h * (e + d)]
                    )
                    by_step.append((one - two - three + four) / (4 * h * h * size))
                wide, narrow = by_step
                np.testing.assert_allclose(second[..., i, j], (4 * narrow - wide) / 3, atol=1e-7 * largest**2)
    return len(frames)


def check_against_rows(moved: Moved) -> int:
    """J first = rate of what is held; J second = -(dJ along the one) (the other)."""
    system, rows = moved.system, rows_of(moved.system, moved.held)
    moving, n = list(system.moving), len(moved.scale)
    targets = [0j] * len(moved.held)
    wanted = np.zeros((rows.equations, n))
    at = rows.equations - sum(held.equations for held in moved.held)
    for k in range(n):
        wanted[at + k, k] = system.size / moved.scale[k]
    for f in moved.looked_at():
        poses = moved.rates.poses[f]
        J = residual_and_jacobian(rows, poses, targets)[1]
        first = moved.rates.first[f][moving].reshape(-1, n)
        second = moved.rates.second[f][moving].reshape(-1, n, n)
        largest = 1 + np.abs(moved.sized(moved.rates.first[f], 1)).max()
        np.testing.assert_allclose(
            (J @ first) * moved.scale, wanted * moved.scale, atol=1e-10 * largest**2 * system.size
        )
        for j in range(n):
            h = 1e-5 * moved.scale[j] / largest
            change = np.zeros_like(poses)
            change[moving] = moved.rates.first[f][moving][..., j]
            ahead, behind = (residual_and_jacobian(rows, poses + s * h * change, targets)[1] for s in (1, -1))
            product = (ahead - behind) / (2 * h) @ first
            gap = (J @ second[..., j] + product) * moved.scale * moved.scale[j]
            assert np.abs(gap).max() <= 2e-8 * largest**3 * system.size
    return len(moved.looked_at())


def check(mechanism: Mechanism, *, free: bool = False, nearby: float | None = None) -> Moved:
    moved = Moved(mechanism, nearby=nearby)
    assert check_against_rows(moved) >= 2
    if not free:  # with degrees of freedom left, a position depends on the way there
        check_against_differences(moved)
    return moved


@pytest.mark.parametrize("path", REFERENCES, ids=lambda p: p.stem)
def test_every_reference_linkage_moves_as_its_rates_say(path):
    check(detent.load(path), free="Chain" in path.name)


@pytest.mark.parametrize("name", CASES)
def test_geared_linkages_move_as_their_rates_say(name):
    check(CASES[name])


def test_a_planet_on_a_moving_arm_has_two_rates():
    """Willis: planet - arm = ratio (sun - arm), sun and arm driven apart."""
    moved = check(epicyclic(BOTH, mesh=("sun", "planet", -2)))
    arm, sun = (next(k for k, i in enumerate(moved.plan.inputs) if i.name == name) for name in ("arm", "sun"))
    planet = moved.system.parts.index("planet")
    np.testing.assert_allclose(moved.rates.first[:, planet, 2, arm], 3.0, atol=1e-13)
    np.testing.assert_allclose(moved.rates.first[:, planet, 2, sun], -2.0, atol=1e-13)
    np.testing.assert_allclose(moved.rates.second[:, planet, 2], 0.0, atol=1e-12)


def test_a_five_bar_with_two_drives_has_mixed_derivatives():
    moved = check(linkages.five_bar())
    assert len(moved.plan.inputs) == 2
    assert np.abs(moved.rates.second[..., 0, 1]).max() > 1e-2
    np.testing.assert_array_equal(moved.rates.second, np.swapaxes(moved.rates.second, -1, -2))


@pytest.mark.parametrize("seed", range(8))
def test_random_linkages_of_all_dyads_move_as_their_rates_say(seed):
    check(random_linkage(seed, groups=3), nearby=0.05)


@pytest.mark.parametrize("name", ["six_bar_b", "jansen_leg", "peaucellier", "quick_return", "stress_50"])
def test_examples_move_as_their_rates_say(name):
    check(detent.load(EXAMPLES / f"{name}.toml"))


def rod_on_two_drives() -> Mechanism:
    """A slide and a crank, each driven, hold a rod and a second one between them; lengths in millimetres."""
    parts = {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "S": {"at": [90, 10], "turn_deg": 20}}},
        "crank": {"markers": {"A": [0, 0], "B": [20, 25]}},
        "slide": {"pose": {"at": [100, 13]}, "markers": {"S": {"at": [0, 0], "turn_deg": 20}, "D": [5, 9]}},
        "rod": {"markers": {"B": [20, 25], "C": [60, 70]}},
        "other": {"markers": {"C": [60, 70], "D": [105, 22]}},
    }
    pins = {
        "A": ["ground.A", "crank.A"],
        "B": ["crank.B", "rod.B"],
        "C": ["rod.C", "other.C"],
        "D": ["other.D", "slide.D"],
    }
    joints = {name: {"type": "revolute", "between": ends} for name, ends in pins.items()}
    joints["S"] = {"type": "prismatic", "between": ["ground.S", "slide.S"]}
    drives = {
        "crank": {"joint": "A", "from_deg": 0, "to_deg": 40, "steps": 20},
        "slide": {"joint": "S", "from": 5, "to": 25, "steps": 20},
    }
    return convert.mechanism({"units": "mm", "parts": parts, "joints": joints, "drives": drives})


def test_an_angle_and_a_length_drive_together():
    moved = check(rod_on_two_drives())
    assert moved.plan.closed_form
    slide = moved.system.parts.index("slide")
    np.testing.assert_allclose(
        moved.rates.first[:, slide, :2, 1],
        [[math.cos(math.radians(20)), math.sin(math.radians(20))]] * 21,
        atol=1e-15,
    )


def test_a_marker_that_is_led_along_a_path_has_two_inputs():
    parts = {
        "ground": {"fixed": True, "markers": {"A": [0, 0]}},
        "upper": {"markers": {"A": [0, 0], "B": [1.2, 1.0]}},
        "fore": {"markers": {"B": [1.2, 1.0], "P": [2.5, 0.4]}},
    }
    joints = {
        "A": {"type": "revolute", "between": ["ground.A", "upper.A"]},
        "B": {"type": "revolute", "between": ["upper.B", "fore.B"]},
    }
    drives = {"hand": {"marker": "fore.P", "path": [[2.5, 0.4], [1.9, 1.1], [1.2, 1.6]], "steps": 12}}
    moved = check(convert.mechanism({"parts": parts, "joints": joints, "drives": drives}))
    fore = moved.system.parts.index("fore")
    arm = moved.system.marks["fore.P"].at
    for f in range(len(moved.goals)):
        x, y, angle = moved.rates.poses[f, fore]
        del x, y
        lever = complex(math.cos(angle), math.sin(angle)) * arm
        hand = moved.rates.first[f, fore, :2] + np.outer(
            [-lever.imag, lever.real], moved.rates.first[f, fore, 2]
        )
        np.testing.assert_allclose(hand, np.eye(2), atol=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_random_linkages_with_cuts_move_as_their_rates_say(seed):
    moved = check(random_linkage(seed, groups=2, kinds=("triad",)), nearby=0.02)
    assert CUT in moved.plan.segments[:, 0]


def triangle_on_a_slide() -> Mechanism:
    """A triangle on a driven crank's rod, on an arm, and on a block that slides on the crank."""
    parts = {
        "ground": {
            "fixed": True,
            "markers": {"O": [-2, 0], "E": [4, -1], "S": {"at": [6, 2], "turn_deg": 70}},
        },
        "crank": {"markers": {"O": [-2, 0], "A": [-1.6, 0.7], "S": {"at": [6, 2], "turn_deg": 70}}},
        "rod": {"markers": {"A": [-1.6, 0.7], "P": [0.5, 2.5]}},
        "arm": {"markers": {"E": [4, -1], "Q": [3.1, 1.2]}},
        "block": {"pose": {"at": [6.2, 2.6]}, "markers": {"S": {"at": [0, 0], "turn_deg": 70}, "R": [-1, 1]}},
        "triangle": {"markers": {"P": [0.5, 2.5], "Q": [3.1, 1.2], "R": [5.2, 3.6]}},
    }
    pins = {
        "O": ["ground.O", "crank.O"],
        "A": ["crank.A", "rod.A"],
        "P": ["rod.P", "triangle.P"],
        "E": ["ground.E", "arm.E"],
        "Q": ["arm.Q", "triangle.Q"],
        "R": ["block.R", "triangle.R"],
    }
    joints = {name: {"type": "revolute", "between": ends} for name, ends in pins.items()}
    joints["S"] = {"type": "prismatic", "between": ["crank.S", "block.S"]}
    drives = {"O": {"joint": "O", "from_deg": 0, "to_deg": 6, "steps": 10}}
    return convert.mechanism({"parts": parts, "joints": joints, "drives": drives})


@pytest.mark.parametrize("cuts", [True, False])
def test_a_body_that_slides_inside_a_block_moves_as_its_rates_say(cuts):
    moved = Moved(triangle_on_a_slide(), cuts=cuts)
    if not cuts:
        assert SLIDING in moved.plan.bodies[:, 0]
    assert check_against_rows(moved) >= 3
    assert check_against_differences(moved) >= 3


def test_a_cut_and_the_block_it_stands_for_have_the_same_rates():
    mechanism = detent.load(EXAMPLES / "six_bar_b.toml")
    cut, block = Moved(mechanism), Moved(mechanism, cuts=False)
    assert CUT in cut.plan.segments[:, 0]
    assert BLOCK in block.plan.segments[:, 0]
    assert cut.rates.regular.all()
    assert block.rates.regular.all()
    np.testing.assert_allclose(cut.rates.first, block.rates.first, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(cut.rates.second, block.rates.second, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("cuts", [True, False])
def test_where_the_drive_turns_back_rates_are_not_finite(cuts):
    mechanism = detent.load(EXAMPLES / "six_bar_b.toml")
    system = plane_linkage_of(mechanism)
    path = drive_path_of(mechanism, system)
    plan = make_plan(system, closed_pose(system, mechanism.start), path.inputs, cuts=cuts)
    goals = plan.drawn + np.linspace(0.0, 3.0, 100)[:, None]
    walked = walk_in_segments(plan, replace(path, goals=goals, rates=np.ones((99, 1))), True)
    assert walked.points[0].detail == "the drive turns back"
    rates = part_rates(walked.plan, walked.frames)
    assert rates.regular[:-1].all()
    assert not rates.regular[-1]


def parallelogram(to_deg: float, steps: int) -> Mechanism:
    return convert.mechanism(
        {
            "parts": {
                "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [3, 0]}},
                "crank": {"markers": {"A": [0, 0], "B": [0, 1]}},
                "coupler": {"markers": {"B": [0, 1], "C": [3, 1]}},
                "rocker": {"markers": {"C": [3, 1], "D": [3, 0]}},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.A", "crank.A"]},
                "B": {"type": "revolute", "between": ["crank.B", "coupler.B"]},
                "C": {"type": "revolute", "between": ["coupler.C", "rocker.C"]},
                "D": {"type": "revolute", "between": ["rocker.D", "ground.D"]},
            },
            "drives": {"A": {"joint": "A", "from_deg": 0, "to_deg": to_deg, "steps": steps}},
        }
    )


def test_at_a_change_point_rates_are_not_finite_and_beside_it_they_are():
    moved = Moved(parallelogram(-180, 12))
    in_line = np.isclose(np.sin(moved.goals[:, 0] + math.pi / 2), 0.0, atol=1e-12)
    np.testing.assert_array_equal(moved.rates.regular, ~in_line)
    assert in_line.sum() == 1
    ground = moved.system.parts.index("ground")
    others = [k for k in range(4) if k != ground]
    assert np.isnan(moved.rates.first[in_line][:, others]).all()
    assert np.isnan(moved.rates.second[in_line][:, others]).all()
    assert np.isfinite(moved.rates.first[~in_line]).all()
    assert (moved.rates.first[:, ground] == 0).all()


@pytest.mark.parametrize(("beside", "rate"), [(5e-8, None), (-5e-8, None), (1e-5, 1.0), (-1e-5, -2.0)])
def test_so_near_to_a_change_point_that_a_root_is_rounding_rates_are_not_finite(beside, rate):
    """On either side the rocker's rate is the parallelogram's, 1, or -(3 + 1)/(3 - 1) of the crossed one."""
    moved = Moved(parallelogram(-60, 6))
    rates = part_rates(moved.plan, sweep(moved.plan, moved.plan.drawn - math.pi / 2 + np.array([[beside]])))
    assert rates.regular.tolist() == [rate is not None]
    if rate is not None:
        assert rates.first[0, moved.system.parts.index("rocker"), 2, 0] == pytest.approx(rate, rel=1e-4)


def test_frames_on_the_other_branch_are_differentiated_on_theirs():
    """Behind the change point the antiparallelogram and the parallelogram have other rates."""
    moved = Moved(parallelogram(-60, 6))
    other = Moved(parallelogram(-60, 6))
    ops = other.plan.ops.copy()
    ops[:, 8] *= -1
    crossed = replace(other.plan, ops=ops)
    frames = sweep(crossed, moved.goals)
    expected, read = part_rates(crossed, frames), part_rates(moved.plan, frames)
    rocker = moved.system.parts.index("rocker")
    np.testing.assert_allclose(read.first, expected.first, atol=1e-13)
    np.testing.assert_allclose(read.second, expected.second, atol=1e-12)
    assert np.abs(read.first - moved.rates.first)[:, rocker].max() > 0.1


def test_at_a_limit_rates_are_not_finite():
    mechanism = linkages.four_bar(4, 3, 3.5, 2)
    motion_limit = detent.move(mechanism).limits
    assert motion_limit
    moved = Moved(mechanism)
    frames = sweep(moved.plan, np.array([[motion_limit[0]], [moved.plan.drawn[0]]]))
    rates = part_rates(moved.plan, frames)
    assert rates.regular.tolist() == [False, True]


@pytest.mark.parametrize("speed", ["plain", "compiled"])
def test_both_speeds_give_the_same_rates(speed, monkeypatch):
    monkeypatch.setenv("DETENT_SPEED", speed)
    moved = check(linkages.five_bar())
    monkeypatch.setenv("DETENT_SPEED", "plain")
    plain = part_rates(moved.plan, moved.frames)
    np.testing.assert_allclose(moved.rates.second, plain.second, rtol=1e-12, atol=1e-12)


def test_velocities_and_accelerations_of_a_crank_are_those_of_a_circle():
    mechanism = linkages.four_bar()
    moved = Moved(mechanism)
    crank = moved.system.parts.index("crank")
    v = moved.rates.velocities(np.array([2.0]))[:, crank, 2]
    a = moved.rates.accelerations(np.array([2.0]), np.array([0.5]))[:, crank, 2]
    np.testing.assert_allclose(v, 2.0, atol=1e-14)
    np.testing.assert_allclose(a, 0.5, atol=1e-13)
