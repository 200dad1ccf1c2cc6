"""Patches: derivatives and forms by differences, nearest points of known bodies, motion of contact points."""

import itertools
import math
from functools import partial

import numpy as np
import pytest

from detent.foundation import ModelError
from detent.geometry import (
    Twist,
    acceleration_rows,
    circle_edge,
    closest_from,
    closest_points,
    cone_patch,
    curve_edge,
    cylinder_patch,
    line_edge,
    plane_patch,
    rotation_of,
    sliding,
    sphere_patch,
    surface_patch,
    torus_patch,
)

AGREE = 1e-5  # of differences with derivatives


def saddle(u, v):
    return (
        (u, v, 0.3 * u * v + 0.2 * u**2),
        (1, 0, 0.3 * v + 0.4 * u),
        (0, 1, 0.3 * u),
        (0, 0, 0.4),
        (0, 0, 0.3),
        (0, 0, 0),
    )


def patches():
    return [
        plane_patch((0.1, 0.2, 0.3), (1, 0.5, 0), (0, 0.7, 0.7), (-1, 1), (-1, 1)),
        cylinder_patch(0.8, -1, 2),
        cone_patch(1.0, 0.4, 1.2),
        sphere_patch(0.9),
        torus_patch(1.5, 0.4),
        torus_patch(2.0, 0.6, (1.6, 3.1)),
        cylinder_patch(0.8, -1, 2, inside=True),
        surface_patch(saddle, u=(-1, 1), v=(-1, 1), name="saddle"),
    ]  # fmt: skip


def pose(turn, at):
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_of(turn)
    matrix[:3, 3] = at
    return matrix


def of_jet(patch, name, u, v):
    return getattr(patch.at(u, v), name)


def normal_of(patch, u, v):
    return patch.forms(u, v).normal


def differences(function, x, step=1e-5):
    return (np.asarray(function(x + step)) - np.asarray(function(x - step))) / (2 * step)


@pytest.mark.parametrize("patch", patches(), ids=lambda patch: patch.name)
def test_derivatives_and_forms_are_those_of_differences(patch):
    (u0, u1), (v0, v1) = patch.u, patch.v
    for u, v in ((u0 + a * (u1 - u0), v0 + b * (v1 - v0)) for a, b in ((0.2, 0.7), (0.6, 0.3))):
        forms, jet = patch.forms(u, v), patch.at(u, v)
        for name, by_u, by_v in (("r", jet.u, jet.v), ("u", jet.uu, jet.uv), ("v", jet.uv, jet.vv)):
            along_u = differences(partial(of_jet, patch, name, v=v), u)
            along_v = differences(partial(of_jet, patch, name, u), v)
            assert by_u == pytest.approx(along_u, abs=AGREE)
            assert by_v == pytest.approx(along_v, abs=AGREE)
        normal_u, normal_v = forms.normal_rates
        assert normal_u == pytest.approx(differences(partial(normal_of, patch, v=v), u), abs=AGREE)
        assert normal_v == pytest.approx(differences(partial(normal_of, patch, u), v), abs=AGREE)
        # Gauss: the second derivatives put together again from tangents and normal.
        gauss = forms.christoffel
        for second, (one, two), bend in zip((jet.uu, jet.uv, jet.vv), gauss, forms.second, strict=True):
            assert one * jet.u + two * jet.v + bend * forms.normal == pytest.approx(second, abs=1e-12)


def test_curvatures_have_their_known_values_and_bulges_are_above_zero():
    axes = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert cylinder_patch(0.8, -1, 1).forms(0.0, 0.0).curvature(axes) == pytest.approx(np.diag([1.25, 0]))
    assert cylinder_patch(0.8, -1, 1, inside=True).forms(0.0, 0.0).curvature(axes) == pytest.approx(
        np.diag([-1.25, 0])
    )
    assert torus_patch(1.5, 0.5).forms(0.0, 0.0).curvature(axes) == pytest.approx(np.diag([0.5, 2.0]))


def test_every_branch_of_two_circles_is_found():
    """Feet of two circles by a dense search along one of them: the tubes' distances, near and far."""
    big, small = torus_patch(5.0, 1.0), torus_patch(4.0, 0.5)
    place = pose((0.3, -0.8, 0.4), (0.7, -0.4, 2.0))
    angles = np.linspace(0, math.tau, 20001)[:-1]
    points = (
        np.stack([4 * np.cos(angles), 4 * np.sin(angles), 0 * angles], 1) @ place[:3, :3].T + place[:3, 3]
    )
    expected, minima = [], 0
    for far in (-1.0, 1.0):
        distance = np.hypot(np.hypot(points[:, 0], points[:, 1]) + far * 5.0, points[:, 2])
        for k in range(len(angles)):
            before, after = distance[k] - distance[k - 1], distance[(k + 1) % len(angles)] - distance[k]
            if before * after <= 0:
                expected.append(distance[k])
                minima += far < 0 and before < 0
    found = closest_points(big, small, place)
    # Both normals of a tube point along a foot's line, so each foot is seen from either side of each tube.
    gaps = sorted(s * d - t for d in expected for s, t in ((1, 1.5), (-1, 1.5)))
    outer = sorted(one.gap for one in found if min(abs(one.gap - gap) for gap in gaps) < 1e-6)
    assert outer == pytest.approx(gaps, abs=1e-6)
    assert found[0].kind == "least"
    assert sum(one.kind == "least" for one in found) == minima == 2


def test_gaps_of_bodies_about_one_axis_are_known():
    place = pose((0, 0, 0), (0.3, 0.4, 0.0))
    wall, peg = cylinder_patch(2.0, -1, 1, inside=True), torus_patch(1.0, 0.4)
    least = closest_points(wall, peg, place)[0]
    assert least.gap == pytest.approx(2.0 - 1.4 - 0.5, abs=1e-12)
    assert least.kind == "least"
    assert least.normal == pytest.approx([-0.6, -0.8, 0.0], abs=1e-12)
    # The same with the roles exchanged.
    other = closest_points(peg, wall, np.linalg.inv(place))[0]
    assert other.gap == pytest.approx(least.gap, abs=1e-12)
    assert other.normal == pytest.approx(-least.normal, abs=1e-12)


def test_what_is_seen_through_the_material_is_no_contact():
    """Near side on far side solves (23), too, with both normals the same way."""
    one, other, place = sphere_patch(2.0), sphere_patch(3.0), pose((0, 0, 0), (6.0, 0, 0))
    assert closest_from(one, other, place, (0.01, 0.0), (math.pi + 0.01, 0.0)).gap == pytest.approx(1.0)
    assert closest_from(one, other, place, (0.01, 0.0), (0.01, 0.0)) is None


def test_a_chart_turned_over_a_pole_finds_what_the_first_one_lacks():
    ground = plane_patch((0, 0, 0), (1, 0, 0), (0, 1, 0), (-3, 3), (-3, 3))
    upright = closest_points(ground, sphere_patch(0.5), pose((0, 0, 0), (0.2, 0.1, 0.7)))
    turned = closest_points(ground, sphere_patch(0.5), pose((math.pi / 2, 0, 0), (0.2, 0.1, 0.7)))
    assert upright == ()
    assert turned[0].gap == pytest.approx(0.2, abs=1e-12)


def test_edges_meet_surfaces_and_each_other():
    ground = plane_patch((0, 0, 0), (1, 0, 0), (0, 1, 0), (-9, 9), (-9, 9))
    ring = closest_points(ground, circle_edge(2.0), pose((0.3, 0, 0), (0, 0, 1.0)))
    assert ring[0].gap == pytest.approx(1 - 2 * math.sin(0.3), abs=1e-12)
    assert ring[0].kind == "least"
    assert ring[0].normal == pytest.approx([0, 0, 1])
    back = closest_points(circle_edge(2.0), ground, np.linalg.inv(pose((0.3, 0, 0), (0, 0, 1.0))))
    assert back[0].gap == pytest.approx(ring[0].gap, abs=1e-12)
    crossing = closest_points(
        line_edge((-1, 0, 0), (1, 0, 0)), line_edge((0, -1, 0), (0, 1, 0)), pose((0, 0, 0), (0.2, 0.1, 0.5))
    )
    assert [(one.gap, one.kind) for one in crossing] == [(pytest.approx(0.5), "least")]


def parabola(u):
    return (u * u, u, 0), (2 * u, 1, 0), (2, 0, 0)


def wrong_saddle(u, v):
    return (u, v, u * v), (1, 0, v), (0, 1, u), (0, 0, 0), (0, 0, 2), (0, 0, 0)


RIM, RING = torus_patch(15.95, 4.0, (-1.5, 0)), torus_patch(26.0, 6.0, (1.6, 3.1))
TILTED = pose((0.05, 0.1, 0), (0.2, 0.1, 0.5))
BENT = surface_patch(saddle, u=(-1, 1), v=(-1, 1))
EDGES = line_edge((-1, 0, 0), (1, 0, 0)), curve_edge(parabola, u=(-1, 1))
CASES = {
    "rim on rim": (RING, RIM, pose((0.01, 0.02, 0), (1.3, -2.1, 6))),
    "own surface": (BENT, sphere_patch(0.5), pose((1.5, 0.2, 0.1), (0.1, 0.05, 0.8))),
    "edge on cone": (cone_patch(3.0, 2.0, 1.0, inside=True), circle_edge(2.0), TILTED),
    "cone on edge": (circle_edge(2.5), cone_patch(3.0, 2.0, 1.0), TILTED),
    "two edges": (*EDGES, pose((0.2, 0.1, 0.3), (0.2, 0.1, 0.5))),
}


@pytest.mark.parametrize("case", CASES)
def test_contact_points_move_as_found_anew_at_each_instant(case):
    """(56) at gaps that are not zero, g', g'', slip and its rate: against solutions at displaced poses."""
    patch_A, patch_B, start = CASES[case]
    now = closest_points(patch_A, patch_B, start)[0]
    twist = Twist(np.array([0.3, -0.2, 0.5]), np.array([0.4, 0.3, -0.6]))

    def after(time):
        turned = pose(twist.turn * time, (0, 0, 0))
        # A constant twist about A's origin: the origin's velocity goes on in A's frame.
        flow = np.zeros((4, 4))
        flow[:3, :3] = [[0, 0.6, 0.3], [-0.6, 0, -0.4], [-0.3, 0.4, 0]]
        flow[:3, 3] = twist.velocity
        moved = (
            np.eye(4)
            + time * flow
            + (time * flow) @ (time * flow) / 2
            + np.linalg.matrix_power(time * flow, 3) / 6
        )
        assert np.allclose(moved[:3, :3], turned[:3, :3], atol=1e-6)
        return closest_from(patch_A, patch_B, moved @ start, now.on_A, now.on_B)

    rates = sliding(now, twist)
    step = 1e-4
    before, later = after(-step), after(step)
    gap = (later.gap - before.gap) / (2 * step)
    second = (later.gap - 2 * now.gap + before.gap) / step**2
    ends = [np.array([*each.on_B, *each.on_A]) for each in (before, later)]
    parameters = (ends[1] - ends[0]) / (2 * step)
    assert rates.gap == pytest.approx(gap, abs=AGREE)
    assert rates.gap_second == pytest.approx(second, rel=1e-4, abs=1e-4)
    assert rates.parameters == pytest.approx(parameters, rel=AGREE, abs=AGREE)
    slips = [[sliding(each, twist).slip[k] for each in (before, later)] for k in (0, 1)]
    assert rates.slip_second == pytest.approx([(b - a) / (2 * step) for a, b in slips], rel=AGREE, abs=AGREE)
    # What an acceleration adds is linear in it: g'' of B pushed along the normal from rest.
    rows = acceleration_rows(now)
    assert rows[0] @ [*now.normal, 0, 0, 0] == pytest.approx(1.0)


def test_the_printed_rates_hold_at_zero_gap_alone():
    """(56) with its corrected signs: equal to ours where the surfaces touch, wrong elsewhere."""
    patch_A, patch_B, place = CASES["rim on rim"]
    twist = Twist(np.array([0.3, -0.2, 0.5]), np.array([0.04, 0.03, -0.06]))
    for _ in range(60):  # to touch, along the normal
        now = closest_points(patch_A, patch_B, place)[0]
        if abs(now.gap) < 1e-13:
            break
        place = place.copy()
        place[:3, 3] -= now.gap * now.normal

    def printed(contact):
        there = contact.equations
        a, b, (e, f, g), (el, em, en) = there.jet_A, there.jet_B, there.forms_A.first, there.forms_A.second
        nu, nv = there.forms_B.normal_rates
        v, n = twist.at(b.r), there.forms_B.normal
        matrix = [
            [a.u @ nu, a.u @ nv, -el, -em],
            [a.v @ nu, a.v @ nv, -em, -en],
            [-b.u @ a.u, -b.v @ a.u, e, f],
            [-b.u @ a.v, -b.v @ a.v, f, g],
        ]
        right = [-twist.turn @ np.cross(n, a.u), -twist.turn @ np.cross(n, a.v), a.u @ v, a.v @ v]
        return np.linalg.solve(matrix, right)

    assert sliding(now, twist).parameters == pytest.approx(printed(now), abs=1e-9)
    place[:3, 3] += 2.0 * now.normal
    apart = closest_points(patch_A, patch_B, place)[0]
    assert apart.gap == pytest.approx(2.0)
    assert np.abs(sliding(apart, twist).parameters - printed(apart)).max() > 1e-3


def test_hand_over_from_rim_to_cylinder_keeps_gap_and_normal():
    """Where the rim's tube runs into the cylinder both patches give the same contact."""
    ring = torus_patch(26.0, 6.0, (1.6, 3.3))
    rim, side = torus_patch(15.95, 4.0, (-math.pi / 2, 0.3)), cylinder_patch(19.95, -0.5, 40)
    place = pose((0.0, 0.0, 0.0), (1.3, -2.1, 0.0))
    one = closest_points(ring, rim, place)[0]
    two = closest_points(ring, side, place)[0]
    assert one.on_B[1] == pytest.approx(0.0, abs=1e-9)
    assert one.gap == pytest.approx(two.gap, abs=1e-12)
    assert one.normal == pytest.approx(two.normal, abs=1e-9)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: cylinder_patch(0.0, 0, 1), "its radius is 0"),
        (lambda: torus_patch(2.0, 0.0), "its tube is 0"),
        (lambda: sphere_patch(-1.0), "its radius is -1"),
        (lambda: sphere_patch(1.0, (-1.6, 1.0)), "reach a pole"),
        (lambda: cone_patch(0.0, 0.0, 1.0), "radii 0 and 0"),
        (lambda: plane_patch((0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1), (0, 1)), "degenerate at u = "),
        (lambda: torus_patch(0.5, 1.0), "degenerate"),
        (lambda: cylinder_patch(1.0, 2.0, 2.0), "v goes from 2 to 2"),
        (lambda: surface_patch(wrong_saddle, u=(-1, 1), v=(-1, 1)), "its r_uv at"),
        (lambda: surface_patch(lambda u, v: ((u, v, 0), (1, 0, 0)), u=(0, 1), v=(0, 1)), "six vectors"),
        (lambda: curve_edge(lambda u: ((u * u, 0, 0), (2 * u, 0, 0), (2, 0, 0)), u=(-1, 1)), "stands still"),
    ],
)  # fmt: skip
def test_what_is_no_surface_is_refused_with_its_remedy(make, says):
    with pytest.raises(ModelError, match=says) as raised:
        make()
    assert raised.value.problems[0].remedy
    assert raised.value.problems[0].at.startswith(("surface ", "curve "))


def test_nearest_points_are_nearest_among_samples():
    """No sampled pair of points of two tubes is nearer than the least gap; a sample, seeded."""
    random = np.random.default_rng(5)
    for _ in range(2):
        one, other = torus_patch(3.0, 0.3), torus_patch(2.0, 0.4)
        place = pose(random.normal(size=3), random.normal(size=3) * 2 + [5, 0, 0])
        grids = [
            np.array(
                [
                    each.at(*at).r
                    for at in itertools.product(np.linspace(0, 6.2, 40), np.linspace(-3.1, 3.1, 12))
                ]
            )
            for each in (one, other)
        ]
        sampled = np.linalg.norm(
            grids[0][:, None] - (grids[1] @ place[:3, :3].T + place[:3, 3])[None], axis=2
        ).min()
        least = closest_points(one, other, place)[0]
        assert least.gap <= sampled <= least.gap + 0.2
