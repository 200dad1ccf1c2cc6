"""Every assembly: signs of dyads against each other, and the triad against its polynomial."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detent.foundation import UnsupportedError
from detent.judge import explain
from detent.kinematics import make_plan
from detent.kinematics.equations import close, drawn_poses, rows_of
from detent.kinematics.paths import assemblies, drive_path_of
from detent.library import linkages, mechedit
from detent.model.machine import plane_linkage_of
from detent.model.reading import Builder
from detent.motion import Kinematic, move


def planned(mechanism):
    system = plane_linkage_of(mechanism)
    poses = close(rows_of(system), drawn_poses(system)).poses
    return make_plan(system, poses, drive_path_of(mechanism, system).inputs)


def three_circles(seed: int):
    """A triangle whose corners hang on three arms; the first arm's ground pin sits on a driver."""
    rng = np.random.default_rng(seed)
    pins = rng.uniform(-1, 1, (3, 2)) + np.array([[0, 0], [4, 0], [2, 3]])
    corners = rng.uniform(-0.8, 0.8, (3, 2)) + np.array([[1, 1], [3, 1], [2, 2.2]])
    hub = pins[0] + rng.uniform(0.2, 0.5, 2)
    builder = (
        Builder(format="detent/1", units="1")
        .part("ground", fixed=True, markers={"H": hub.tolist(), "Q": pins[1].tolist(), "R": pins[2].tolist()})
        .part("driver", markers={"H": hub.tolist(), "P": pins[0].tolist()})
        .part("one", markers={"P": pins[0].tolist(), "A": corners[0].tolist()})
        .part("two", markers={"Q": pins[1].tolist(), "B": corners[1].tolist()})
        .part("three", markers={"R": pins[2].tolist(), "C": corners[2].tolist()})
        .part("triangle", markers=dict(zip("ABC", corners.tolist(), strict=True)))
        .joint("H", "revolute", "ground.H", "driver.H")
        .joint("P", "revolute", "driver.P", "one.P")
        .joint("Q", "revolute", "ground.Q", "two.Q")
        .joint("R", "revolute", "ground.R", "three.R")
        .joint("A", "revolute", "one.A", "triangle.A")
        .joint("B", "revolute", "two.B", "triangle.B")
        .joint("C", "revolute", "three.C", "triangle.C")
        .drive("crank", joint="H", from_=0, to=1, steps=1)
        .build()
    )
    return builder, pins, corners


def triangle_turns(pins, corners) -> list[float]:
    """Turns of the triangle from its polynomial of degree six in exp(i turn).

    With the triangle turned by t, the differences of the circle equations are linear in
    the first corner; putting their solution into the first circle leaves a trigonometric
    polynomial of third order, found from its values by a discrete Fourier transform.
    """
    z = [complex(*p) for p in pins]
    c = [complex(*p) for p in corners]
    radii = [abs(c[k] - z[k]) for k in range(3)]

    def value(t: float) -> float:
        turned = [np.exp(1j * t) * (c[k] - c[0]) - (z[k] - z[0]) for k in range(3)]
        rows = np.array([[2 * turned[k].real, 2 * turned[k].imag] for k in (1, 2)])
        right = np.array([radii[k] ** 2 - radii[0] ** 2 - abs(turned[k]) ** 2 for k in (1, 2)])
        det = np.linalg.det(rows)
        x = right[0] * rows[1, 1] - right[1] * rows[0, 1]
        y = rows[0, 0] * right[1] - rows[1, 0] * right[0]
        return x * x + y * y - (radii[0] * det) ** 2

    samples = np.array([value(2 * math.pi * k / 16) for k in range(16)])
    harmonics = np.fft.fft(samples) / 16
    assert np.abs(harmonics[4:13]).max() < 1e-9 * np.abs(harmonics).max()
    roots = np.roots([harmonics[k] for k in (3, 2, 1, 0, -1, -2, -3)])
    return sorted(float(np.angle(r)) for r in roots if abs(abs(r) - 1) < 1e-7)


@pytest.mark.parametrize("seed", range(12))
def test_a_triangle_on_three_circles_has_as_many_assemblies_as_its_polynomial_has_real_roots(seed):
    mechanism, pins, corners = three_circles(seed)
    plan = planned(mechanism)
    assembled = assemblies(plan, plan.drawn)
    row_a, row_b = plan.points["triangle.A"], plan.points["triangle.B"]
    drawn = complex(*(corners[1] - corners[0]))
    turns = sorted(
        float(np.angle(complex(*(a.vectors[row_b] - a.vectors[row_a])) / drawn)) for a in assembled
    )
    np.testing.assert_allclose(turns, triangle_turns(pins, corners), atol=1e-7)


@pytest.mark.parametrize(
    ("mechanism", "count"),
    [(linkages.four_bar(), 2), (linkages.slider_crank(), 2), (mechedit.six_bar("A"), 4)],
)
def test_every_choice_of_signs_that_closes_is_an_assembly_and_keeps_all_lengths(mechanism, count):
    plan = planned(mechanism)
    assembled = assemblies(plan, plan.drawn)
    assert len(assembled) == count
    for assembly in assembled:
        for name, mark in plan.system.marks.items():
            for other, second in plan.system.marks.items():
                if mark.part == second.part:
                    apart = np.hypot(
                        *(assembly.vectors[plan.points[name]] - assembly.vectors[plan.points[other]])
                    )
                    assert apart == pytest.approx(abs(mark.at - second.at), abs=1e-12)


def lines_of_assemblies(motion) -> list[str]:
    return [line for line in motion.words.splitlines() if line.startswith("  assemblies")]


def asked(mechanism):
    return move(mechanism, method=Kinematic(assemblies=True))


def three_wheels(third: float):
    """Wheels on one rod; the third pin stands `third` along it."""
    tips = {"a": 0.0, "b": 5.0, "c": third}
    builder = Builder(units="1").part("ground", fixed=True, markers={k: [x, 0] for k, x in tips.items()})
    builder = builder.part("rod", markers={k: [x + 1, 1.2] for k, x in tips.items()})
    for name, x in tips.items():
        builder = builder.part(f"wheel_{name}", markers={"O": [x, 0], "P": [x + 1, 1.2]})
        builder = builder.joint(f"hub_{name}", "revolute", f"ground.{name}", f"wheel_{name}.O")
        builder = builder.joint(f"pin_{name}", "revolute", f"wheel_{name}.P", f"rod.{name}")
    return builder.drive("turn", joint="hub_a", from_deg=0, to_deg=30, steps=2).build()


@pytest.mark.parametrize("third", [11, -3])
def test_an_assembly_whose_repeated_joint_does_not_close_is_not_listed(third):
    """Two wheels on a rod may stand crossed; a third that repeats them may not."""
    (assembly,) = asked(three_wheels(third)).assemblies
    tip = np.array(assembly["markers"]["wheel_c.P"])
    assert np.hypot(*(tip - [third, 0])) == pytest.approx(np.hypot(1, 1.2), abs=1e-12)
    assert np.array(assembly["markers"]["rod.c"]) == pytest.approx(tip, abs=1e-12)


def test_links_that_do_not_move_have_their_other_root_too():
    """A rocker on the tip of two pinned bars: the tip has two places, and on each the rocker two."""
    tip = (4.0, 0.3)
    four = (
        Builder(units="1")
        .part("ground", fixed=True, markers={"A": [0, 0], "E": [3, 0], "F": [5, 0]})
        .part("left", markers={"E": [3, 0], "T": tip})
        .part("right", markers={"F": [5, 0], "T": tip})
        .part("crank", markers={"A": [0, 0], "B": [0.8, 0.6]})
        .part("coupler", markers={"B": [0.8, 0.6], "C": [3.4, 2.9]})
        .part("rocker", markers={"T": tip, "C": [3.4, 2.9]})
        .joint("E", "revolute", "ground.E", "left.E")
        .joint("F", "revolute", "ground.F", "right.F")
        .joint("tip", "revolute", "left.T", "right.T")
        .joint("A", "revolute", "ground.A", "crank.A")
        .joint("B", "revolute", "crank.B", "coupler.B")
        .joint("C", "revolute", "coupler.C", "rocker.C")
        .joint("T", "revolute", "left.T", "rocker.T")
        .drive("turn", joint="A", from_deg=0, to_deg=30, steps=2)
        .build()
    )
    listed = asked(four).assemblies
    tips = sorted(tuple(np.round(a["markers"]["left.T"], 9)) for a in listed)
    assert tips == [(4.0, -0.3), (4.0, -0.3), (4.0, 0.3), (4.0, 0.3)]
    lengths = {("coupler.B", "coupler.C"): np.hypot(2.6, 2.3), ("rocker.T", "rocker.C"): np.hypot(0.6, 2.6)}
    for assembly in listed:
        for ends, length in lengths.items():
            one, other = (np.array(assembly["markers"][end]) for end in ends)
            assert np.hypot(*(one - other)) == pytest.approx(length, abs=1e-9)


def inversor(arm: float = 110.0, side: float = 45.0, crank: float = 50.0, turn: float = 0.9):
    """Peaucellier's linkage without a slot: two arms, a rhombus and a crank through the arms' pivot."""
    near = crank * np.array([1 + np.cos(turn), np.sin(turn)])
    reach = np.hypot(*near)
    along, across = near / reach, np.array([-near[1], near[0]]) / reach
    foot = (reach**2 + arm**2 - side**2) / (2 * reach)
    high, low = (foot * along + s * np.sqrt(arm**2 - foot**2) * across for s in (1, -1))
    far = 2 * foot * along - near
    ends = {
        "crank": ("C", (crank, 0), "A", near),
        "arm_high": ("O", (0, 0), "H", high),
        "arm_low": ("O", (0, 0), "L", low),
        "near_high": ("A", near, "H", high),
        "near_low": ("A", near, "L", low),
        "far_high": ("F", far, "H", high),
        "far_low": ("F", far, "L", low),
    }
    builder = Builder(units="mm").part("ground", fixed=True, markers={"O": [0, 0], "C": [crank, 0]})
    for name, (one, at, other, there) in ends.items():
        builder = builder.part(name, markers={one: [float(x) for x in at], other: [float(x) for x in there]})
    pins = [
        *(("C", "ground", "crank"), ("O", "ground", "arm_high"), ("O", "ground", "arm_low")),
        *(("A", "crank", "near_high"), ("A", "crank", "near_low"), ("F", "far_high", "far_low")),
        *(("H", "arm_high", "near_high"), ("H", "near_high", "far_high")),
        *(("L", "arm_low", "near_low"), ("L", "near_low", "far_low")),
    ]
    for k, (pin, one, other) in enumerate(pins):
        builder = builder.joint(f"{pin}{k}", "revolute", f"{one}.{pin}", f"{other}.{pin}")
    return builder.drive("turn", joint="C0", from_deg=0, to_deg=20, steps=2).build()


def test_folded_links_that_rotate_freely_are_one_assembly_and_named():
    """Where both arms lie on one another the far links hang on one point; else their end has two places."""
    motion = asked(inversor())
    free = [a for a in motion.assemblies if a["free"]]
    assert (len(motion.assemblies), [a["free"] for a in free]) == (6, [("far_high", "far_low")] * 2)
    for assembly in free:
        assert assembly["markers"]["arm_high.H"] == pytest.approx(assembly["markers"]["arm_low.L"], abs=1e-9)
    free_ones = "in 2 of them far_high and far_low rotate freely, listed as drawn"
    assert lines_of_assemblies(motion) == [f"  assemblies 6 at the first position; {free_ones}"]


def test_a_search_for_assemblies_says_so():
    assert any("steps of 1°" in note for note in asked(mechedit.six_bar("B")).notes)
    assert not any("steps of 1°" in note for note in asked(linkages.four_bar()).notes)


@pytest.mark.parametrize(("more_deg", "within"), [(-0.01, 1), (0.01, 2)])
def test_assemblies_beyond_the_limits_of_joints_are_counted(more_deg, within):
    """The other assembly of a four-bar is its mirror image in the line from crank pin to rocker pin."""
    B, C, D = 1j, 3 + 2j, 4 + 0j
    mirrored = D + (B - D) ** 2 / abs(B - D) ** 2 * (C - D).conjugate()
    turned = math.degrees(np.angle((mirrored - D) / (C - D)))
    limit = abs(turned) + more_deg
    machine = (
        Builder(format="detent/1", units="1")
        .part("ground", fixed=True, markers={"A": [0, 0], "D": [4, 0]})
        .part("crank", markers={"A": [0, 0], "B": [0, 1]})
        .part("coupler", markers={"B": [0, 1], "C": [3, 2]})
        .part("rocker", markers={"C": [3, 2], "D": [4, 0]})
        .joint("A", "revolute", "ground.A", "crank.A")
        .joint("B", "revolute", "crank.B", "coupler.B")
        .joint("C", "revolute", "coupler.C", "rocker.C")
        .joint("D", "revolute", "ground.D", "rocker.D", limits={"min_deg": -limit, "max_deg": limit})
        .drive("crank", joint="A", from_deg=0, to_deg=1, steps=1)
        .build()
    )
    motion = move(machine, method=Kinematic(assemblies=True))
    assert (len(motion.assemblies), motion.assemblies_beyond) == (within, 2 - within)
    said = next(line for line in motion.words.splitlines() if "assemblies" in line)
    assert ("1 more closes with a joint beyond its limits" in said) == (within == 1)


def planet(*drives: str):
    """A wheel on an arm, geared to a sun on the arm's own axis: two freedoms."""
    builder = Builder(units="1").part("ground", fixed=True, markers={"O": [0, 0]})
    builder = builder.part("arm", markers={"O": [0, 0], "P": [3, 0]}).part("sun", markers={"O": [0, 0]})
    builder = builder.part("wheel", markers={"P": [3, 0], "T": [4, 0]})
    builder = builder.joint("arm", "revolute", "ground.O", "arm.O").joint(
        "sun", "revolute", "ground.O", "sun.O"
    )
    builder = builder.joint("pin", "revolute", "arm.P", "wheel.P")
    builder = builder.joint("mesh", "gear", "sun", "wheel", ratio=-2)
    for name in drives:
        builder = builder.drive(name, joint=name, from_deg=0, to_deg=60, steps=2)
    return builder.build()


def test_assemblies_are_refused_for_free_motion_only_where_there_is_some():
    driven, loose = planet("arm", "sun"), planet("arm")
    assert explain(driven).mobility.actual == len(driven.drives) == len(loose.drives) + 1
    assert move(driven).stop == "done"
    with pytest.raises(UnsupportedError, match=r"free motion.*drive as many"):
        asked(loose)
    with pytest.raises(UnsupportedError, match=r"geared to what moves \(mesh\)") as refused:
        asked(driven)
    assert "free" not in str(refused.value)
    assert "degrees of freedom" not in str(refused.value)
