"""How far two features are apart, against shapely's distance of segments and of arcs as fine chains."""

import math

import numpy as np
import pytest
import shapely

from detent.contact import feature_distance

HERE = np.array([0.0, 0.0, 1.0, 0.0])
LINKS = 1000  # of a chain
CHAIN = 5e-5  # how far a chain is from its arc, at most


def turned(angle, x=0.0, y=0.0):
    return np.array([x, y, math.cos(angle), math.sin(angle)])


def arc(centre, radius, start, sweep, side=1.0):
    """A row of the table of features, and where its chain begins and how far it goes."""
    ends = [f(start + share * sweep) for share in (0, 1) for f in (math.cos, math.sin)]
    wide = 2.0 if sweep >= math.tau else float(sweep > math.pi)
    return np.array([*centre, radius, side, *ends, wide]), (start, sweep)


def random_arc(generator, radius, side=1.0):
    sweeps = math.tau, generator.uniform(0.2, 3.1), generator.uniform(3.2, 6.0)
    centre = 0.3 * generator.normal(size=2)
    return arc(centre, radius, generator.uniform(0, math.tau), sweeps[generator.integers(3)], side)


def edge(ax, ay, bx, by):
    return np.array([ax, ay, bx, by, 0.0, 0.0, 0.0, 0.0, 0.0]), None


def placed(points, pose):
    x, y, c, s = pose
    return np.asarray(points) @ np.array([[c, s], [-s, c]]) + [x, y]


def drawn(feature, pose=HERE):
    row, span = feature
    if span is None:
        return shapely.LineString(placed(row[:4].reshape(2, 2), pose))
    if row[2] == 0.0:
        return shapely.Point(*placed(row[:2], pose))
    angles = span[0] + span[1] * np.linspace(0, 1, LINKS + 1)
    return shapely.LineString(
        placed(row[:2] + row[2] * np.column_stack([np.cos(angles), np.sin(angles)]), pose)
    )


def distance(first, second, pose):
    data = np.array([first[0], second[0]])
    formula = 0 if first[1] is None else 1
    return feature_distance(data, np.array([formula, 0, 1, 0, 0]), pose)


def overlap(first, second, pose):
    """Whether the edge and the whole disc, or the two whole discs, reach into each other."""
    centre = placed(second[0][:2], pose)
    row = first[0]
    if first[1] is None:
        return drawn(first).distance(shapely.Point(*centre)) <= second[0][2]
    return row[3] * (math.dist(centre, row[:2]) - row[2]) <= second[0][2]


def on_free_sides(first, second, pose, nearest):
    """Whether the shortest line leaves both features where there is no material."""
    on_first, on_second = nearest.coords
    row, centre = first[0], placed(second[0][:2], pose)
    outside = math.dist(on_first, centre) >= second[0][2]
    return outside and (first[1] is None or row[3] * (math.dist(on_second, row[:2]) - row[2]) >= 0)


FIRST = {
    "edge": lambda g: edge(*g.normal(size=4)),
    "disc": lambda g: random_arc(g, g.uniform(0.1, 1.0)),
    "hole": lambda g: random_arc(g, g.uniform(0.5, 2.0), -1.0),
    "corner": lambda g: random_arc(g, 0.0),
}
SECOND = {
    "disc": lambda g: random_arc(g, g.uniform(0.1, 1.0)),
    "corner": lambda g: random_arc(g, 0.0),
}


@pytest.mark.parametrize("second", SECOND)
@pytest.mark.parametrize("first", FIRST)
def test_features_that_are_apart_are_apart_by_their_distance(first, second):
    generator = np.random.default_rng([list(FIRST).index(first), list(SECOND).index(second)])
    apart = 0
    for _ in range(300):
        one, other = FIRST[first](generator), SECOND[second](generator)
        pose = turned(generator.uniform(0, math.tau), *(1.2 * generator.normal(size=2)))
        a, b = drawn(one), drawn(other, pose)
        expected, seen = a.distance(b), distance(one, other, pose)
        assert seen >= 0
        if seen == 0:
            assert expected < CHAIN or overlap(one, other, pose)
        elif expected > CHAIN and on_free_sides(one, other, pose, shapely.shortest_line(a, b)):
            assert seen == pytest.approx(expected, abs=CHAIN)
            apart += 1
    assert apart > 60, "too few are apart to say something"


@pytest.mark.parametrize("angle", [0.0, 0.4, 2.5])
@pytest.mark.parametrize("gap", [1e-9, 0.1])
def test_features_that_face_each_other_are_apart_by_their_gap_and_meet_at_none(gap, angle):
    """An upper half disc under an edge, under a half disc, and inside a hole; apart, then overlapping."""
    half = arc((0.0, 0.0), 0.5, 0.0, math.pi)
    facing = arc((0.0, 0.0), 0.25, math.pi, math.pi)
    hole = arc((0.0, 0.0), 2.0, math.pi / 4, math.pi / 2, -1.0)
    above = edge(-1.0, 0.0, 1.0, 0.0)  # material on its left
    c, s = math.cos(angle), math.sin(angle)
    for first, below in ((above, 0.5), (facing, 0.75), (hole, -1.5)):
        for away, expected in ((gap, gap), (-gap, 0.0)):
            row = np.array(first[0])
            # The first turns with the pose of the second, so that what they see of each other stays.
            points = (
                [slice(0, 2), slice(2, 4)] if first[1] is None else [slice(0, 2), slice(4, 6), slice(6, 8)]
            )
            for part in points:
                row[part] = c * row[part] + s * np.array([-row[part][1], row[part][0]])
            down = below + away
            pose = turned(angle, s * down, -c * down)
            assert distance((row, first[1]), half, pose) == pytest.approx(expected, abs=1e-12)
    # Turned away, its ends are what is nearest.
    pose = turned(math.pi, 0.0, -1.0)
    assert distance(above, half, pose) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(40))
def test_a_half_disc_meets_a_corner_on_its_round_side_however_it_is_turned(seed):
    """The middle of its two ends is rounding: half of all half discs met nothing on half of their side."""
    generator = np.random.default_rng(seed)
    start, off = generator.uniform(0, math.tau), generator.uniform(0.02, math.pi - 0.02)
    half, corner = arc((0.3, -0.2), 0.5, start, math.pi), arc((0.0, 0.0), 0.0, 0.0, math.pi)
    away = start + off
    pose = turned(0.0, 0.3 + 0.6 * math.cos(away), -0.2 + 0.6 * math.sin(away))
    assert distance(half, corner, pose) == pytest.approx(0.1, abs=1e-12)
    tangent = np.array([-math.sin(away), math.cos(away)])
    middle = half[0][:2] + 0.6 * np.array([math.cos(away), math.sin(away)])
    line = edge(*(middle + tangent), *(middle - tangent))
    assert distance(line, half, HERE) == pytest.approx(0.1, abs=1e-12)
    sunk = edge(
        *(half[0][:2] + 0.4999999 * (middle - half[0][:2]) / 0.6 + tangent),
        *(half[0][:2] + 0.4999999 * (middle - half[0][:2]) / 0.6 - tangent),
    )
    assert distance(sunk, half, HERE) == 0.0
