"""Every assembly: signs of dyads against each other, and the triad against its polynomial."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detent.kinematics import make_plan
from detent.kinematics.equations import close, drawn_poses, rows_of
from detent.kinematics.paths import assemblies, drive_path_of
from detent.library import linkages, mechedit
from detent.model.machine import plane_linkage_of
from detent.model.reading import Builder


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
