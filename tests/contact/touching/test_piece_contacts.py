"""Pieces that stand as one touch as one: seams are faces, and real corners stay refused."""

import itertools
import math
import random

import numpy as np
import pytest
import shapely
from shapely.geometry.polygon import orient

import detent
from detent.contact.touching import Meeting, piece_contacts, touching_parts, without_buried
from detent.foundation import UnsupportedError
from detent.geometry.exact import Polytope
from detent.io import native
from detent.numeric import INFINITE, maximise
from tests.conftest import campaign

SIGNS = list(itertools.product((-1, 1), repeat=3))


def document(text, dimension=3):
    return native.loads_toml(f'format = "detent/1"\nunits = "1"\ndimension = {dimension}\n{text}')


def block(low, high):
    sides = ", ".join(f'"{b - a}"' for a, b in zip(low, high, strict=True))
    return f"{{ block = [{sides}], moves = [{{ move = [{', '.join(map(str, low))}] }}] }}"


def part(name, pieces, extra=""):
    return f"[parts.{name}]\n{extra}\nshape.union = [{', '.join(pieces)}]\n"


def places(text, dimension=3):
    """The points and unit normals found, rounded; None where refused."""
    try:
        touches = touching_parts(document(text, dimension))
    except UnsupportedError:
        return None
    positions = set()
    for _, _, point, normal in touches:
        n = np.array(normal, float)
        n /= np.linalg.norm(n)
        positions.add((tuple(np.round(np.array(point, float), 6) + 0.0), tuple(np.round(n, 6) + 0.0)))
    return positions


WHOLE = [((-2, -2, -1), (2, 2, 0))]
HALVES = [((-2, -2, -1), (0, 2, 0)), ((0, -2, -1), (2, 2, 0))]
QUARTERS = [
    ((-2, -2, -1), (0, 0, 0)), ((0, -2, -1), (2, 0, 0)), ((-2, 0, -1), (0, 2, 0)), ((0, 0, -1), (2, 2, 0)),
]  # fmt: skip
SHIFTED = [((-2, -2, -1), (0, 2, 0)), ((0, -2, -1), (2, 0, 0)), ((0, 0, -1), (2, 2, 0))]

TIP = "[parts.tip]\npose = {{ at = {at}, along = {along} }}\n"
TIP += "shape = {{ block = [1, 1, 1], moves = [{moves}] }}\n"
# A cube on a corner, on an edge along x or along y, and on a face whose side lies in the seam.
ON_A_CORNER = '{ turn_deg = 45, about = "x" }, { turn_deg = -40, about = "y" }'
ON_AN_EDGE = '{ turn_deg = 45, about = "x" }'
ACROSS = '{ turn_deg = -45, about = "y" }'
FLAT = ""


@pytest.mark.parametrize("floor", [HALVES, QUARTERS, SHIFTED])
@pytest.mark.parametrize("moves", [ON_A_CORNER, ON_AN_EDGE, ACROSS, FLAT])
@pytest.mark.parametrize("at", ["[0, 0, 0]", "[0, -1, 0]", "[1, 0, 0]"])
@pytest.mark.parametrize("along", ["[0, 1, 0]", "[3, 4, 0]"])
def test_a_cube_stands_on_a_seam_as_on_a_whole_block(floor, moves, at, along):
    tip = TIP.format(at=at, along=along, moves=moves)
    whole, split = (
        places(part("floor", [block(*b) for b in pieces], "fixed = true") + tip) for pieces in (WHOLE, floor)
    )
    assert whole
    assert split == whole


@pytest.mark.parametrize("moves", [ON_A_CORNER, ON_AN_EDGE, ACROSS, FLAT])
@pytest.mark.parametrize("order", [("left", "tip", "right"), ("tip", "left", "right")])
def test_two_grounded_parts_carry_what_stands_on_their_seam(moves, order):
    """Named so that the tip is the first of one pair and the second of the other."""
    drawn = {
        "left": part("left", [block(*HALVES[0])], "fixed = true"),
        "right": part("right", [block(*HALVES[1])], "fixed = true"),
        "tip": TIP.format(at="[0, 0, 0]", along="[1, 0, 0]", moves=moves),
    }
    split = document("".join(drawn[name] for name in order))
    whole = document(part("floor", [block(*WHOLE[0])], "fixed = true") + drawn["tip"])
    for kind in ("all", "contacting_separating"):
        assert len(detent.modes(split, kind=kind)) == len(detent.modes(whole, kind=kind))
    for first, _, _, normal in touching_parts(split):
        assert (float(normal[2]) > 0) == (first != "tip")


def test_parts_that_a_fixed_joint_holds_together_stand_as_one_and_loose_ones_do_not():
    two = part("left", [block(*HALVES[0])]) + part("right", [block(*HALVES[1])])
    tip = TIP.format(at="[0, 0, 0]", along="[1, 0, 0]", moves=ON_A_CORNER)
    weld = '[joints.weld]\ntype = "fixed"\nbetween = ["left", "right"]\nat = [0, 0, 0]\n'
    with pytest.raises(UnsupportedError, match="left and tip meet corner on corner"):
        touching_parts(document(two + tip))
    assert [
        (f[:2], float(f[3][2]) > 0) for f in touching_parts(document(two + tip + weld)) if "tip" in f
    ] == [(("left", "tip"), True)]


def test_a_pair_that_is_ignored_does_not_help_to_carry():
    two = "".join(
        part(n, [block(*b)], "fixed = true") for n, b in zip(("left", "right"), HALVES, strict=True)
    )
    tip = TIP.format(at="[0, 0, 0]", along="[1, 0, 0]", moves=ON_A_CORNER)
    ignored = '[touching]\nignore = ["right:tip"]\n'
    with pytest.raises(
        UnsupportedError, match=r"left and tip meet corner on corner at \(0, 0, 0\)"
    ) as refused:
        touching_parts(document(two + tip + ignored))
    assert "touching.ignore" in str(refused.value)


@pytest.mark.parametrize(("lower", "contacts"), [("0", 1), ("1/1000000", None)])
def test_a_tip_on_a_seam_needs_both_blocks_flush(lower, contacts):
    right = f'{{ block = [2, 4, 1], moves = [{{ move = [0, -2, "-1"] }}, {{ move = [0, 0, "-{lower}"] }}] }}'
    floor = part("floor", [block(*HALVES[0]), right], "fixed = true")
    positions = places(floor + TIP.format(at="[0, 0, 0]", along="[1, 0, 0]", moves=ON_A_CORNER))
    assert (positions and len(positions)) == contacts


@pytest.mark.parametrize("grounded", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_prisms_touch_as_their_outlines_do_in_the_plane(seed, grounded):
    """A fan of triangles about a point, a valley or a hill, and a triangle with its tip there.

    In the plane their union is one polygon; in space the same is drawn as prisms.
    """
    rng = random.Random(seed)
    heights = sorted(rng.sample(range(-3, 4), 3))
    rim = [(-4, rng.choice(heights)), (-1, -5), (1, -5), (4, rng.choice(heights))]
    fan = [[(0, 0), a, b] for a, b in itertools.pairwise(rim)]
    tip = [(0, 0), (1, 6), (-1, 6)]

    def scene(shape):
        if grounded:
            ground = "".join(f"[parts.g{i}]\nfixed = true\nshape.{shape(t)}\n" for i, t in enumerate(fan))
        else:
            ground = part("ground", [f"{{ {shape(t)} }}" for t in fan], "fixed = true")
        return ground + f"[parts.tip]\nshape.{shape(tip)}\n"

    def outline(points):
        return f"outline = {[list(p) for p in points]}"

    plane = places(scene(outline), 2)
    space = places(scene(lambda points: f"prism = {{ {outline(points)}, height = 1 }}"))
    assert (plane is None) == (rim[0][1] + rim[3][1] < 0)  # a hill
    if plane is not None:
        assert space == {((*p, z), (*n, 0.0)) for p, n in plane for z in (0.0, 1.0)}
    else:
        assert space is None


def grown(rng, size, start, avoid):
    cells = {start}
    while len(cells) < size:
        cell = list(rng.choice(sorted(cells)))
        cell[rng.randrange(3)] += rng.choice((-1, 1))
        cells |= {tuple(cell)} - avoid
    return cells


def octants(cells, point):
    """Which octants about a lattice point are filled."""
    return [s for s in SIGNS if tuple(x + (d - 1) // 2 for x, d in zip(point, s, strict=True)) in cells]


def blocked(a, b, v):
    """Whether octant b runs into octant a when it moves a little along v, which lies in no plane."""
    return all(x == y or (x > 0) == (z > 0) for x, y, z in zip(a, b, v, strict=True))


def oracle(fixed, moving):
    """Points and normals where cubes touch, by trying all directions; None where no planes bound them."""
    touches = set()
    for point in itertools.product(range(-9, 10), repeat=3):
        pairs = list(itertools.product(octants(fixed, point), octants(moving, point)))
        free = [v for v in SIGNS if not any(blocked(a, b, v) for a, b in pairs)]
        # Cubes face to face allow one side of a plane; what several allow together may have no inside.
        faces = {tuple((y - x) / 2 for x, y in zip(a, b, strict=True)) for a, b in pairs}
        faces = {n for n in faces if sum(map(abs, n)) == 1}
        sides = [{v[k] for v in free} for k in range(3)]
        normals = {tuple(float(s if j == k else 0) for j in range(3))
                   for k in range(3) for s in (-1, 1) if sides[k] == {s}} | faces  # fmt: skip
        above = [v for v in SIGNS if all(np.dot(n, v) > 0 for n in normals)]
        if sorted(above) != sorted(free):
            return None
        touches |= {(tuple(map(float, point)), n) for n in normals}
    return touches


def spanned(touch, among):
    """Whether a point lies between points with the same normal."""
    point, normal = touch
    same = np.array([p for p, n in among if n == normal])
    if not len(same):
        return False
    rows = np.vstack([same.T, np.ones(len(same))])
    wanted = np.append(point, 1.0)
    return maximise(np.zeros(len(same)), rows, wanted, wanted, least=0.0, most=INFINITE) is not None


@pytest.mark.parametrize("seed", range(40))
def test_cubes_heaped_up_touch_where_they_stop_each_other(seed):
    rng = random.Random(seed)
    fixed = grown(rng, rng.randrange(1, 7), (0, 0, 0), set())
    near = [
        q for q in itertools.product(range(-4, 5), repeat=3)
        if q not in fixed and any(max(abs(x - y) for x, y in zip(q, c, strict=True)) == 1 for c in fixed)
    ]  # fmt: skip
    moving = grown(rng, rng.randrange(1, 5), rng.choice(near), fixed)

    def drawn(cells):
        return [block(c, tuple(x + 1 for x in c)) for c in sorted(cells)]

    expected = oracle(fixed, moving)
    positions = places(part("fixed", drawn(fixed), "fixed = true") + part("moving", drawn(moving)))
    assert (positions is None) == (expected is None)
    if positions is not None:
        assert positions <= expected
        assert all(spanned(touch, positions) for touch in expected)


@pytest.mark.parametrize("upper", [1, 2, 3])
def test_a_box_on_a_floor_is_stopped_by_the_point_of_a_wedge_at_its_foot(upper):
    """The wedge lies between the directions (4, 1) and (4, `upper` + 1): the foot may rise along it."""
    floor, box = [(-4, -1), (4, -1), (4, 0), (-4, 0)], [(-2, 0), (0, 0), (0, 3), (-2, 3)]
    wedge = [(0, 0), (4, 1), (4, upper + 1)]
    pieces = [f"{{ outline = {[list(p) for p in each]} }}" for each in (floor, wedge)]
    drawn = part("floor", pieces, "fixed = true")
    steep = np.array([-(upper + 1), 4]) / np.hypot(upper + 1, 4)
    at_foot = {((0.0, 0.0), (0.0, 1.0)), ((0.0, 0.0), tuple(np.round(steep, 6)))}
    positions = places(f"{drawn}[parts.box]\nshape.outline = {[list(p) for p in box]}\n", 2)
    assert positions == at_foot | {((-2.0, 0.0), (0.0, 1.0))}


def convex_polygon(rng):
    while True:
        points = [(rng.randrange(5), rng.randrange(5)) for _ in range(rng.randrange(3, 6))]
        hull = shapely.MultiPoint(points).convex_hull
        if hull.geom_type == "Polygon":
            return [(int(x), int(y)) for x, y in orient(hull).exterior.coords[:-1]]


def touching_unions(rng):
    """Some convex polygons each, on a grid, that touch and do not overlap."""
    while True:
        both = [[convex_polygon(rng) for _ in range(rng.randrange(1, most))] for most in (4, 3)]
        a, b = (shapely.union_all([shapely.Polygon(p) for p in own]) for own in both)
        if a.intersects(b) and a.intersection(b).area == 0:
            return both


def test_unions_of_prisms_touch_as_unions_of_polygons():
    """In the plane an exact union decides, in space what pieces forbid together."""
    compared = 0
    for seed in range(campaign(60, 2000)):
        host, guest = touching_unions(random.Random(seed))

        def scene(shape, host=host, guest=guest):
            return part("host", [f"{{ {shape(p)} }}" for p in host], "fixed = true") + part(
                "guest", [f"{{ {shape(p)} }}" for p in guest]
            )

        def outline(points):
            return f"outline = {[list(p) for p in points]}"

        plane = places(scene(outline), 2)
        space = places(scene(lambda points: f"prism = {{ {outline(points)}, height = 1 }}"))
        assert (plane is None) == (space is None), seed
        if plane is not None:
            compared += 1
            expected = {((*p, z), (*n, 0.0)) for p, n in plane for z in (0.0, 1.0)}
            # Pieces that only meet in a point each have a corner there in the plane.
            assert space <= expected, seed
            assert all(spanned(touch, space) for touch in expected), seed
    assert compared > 10


def test_of_two_normals_that_stand_for_each_other_one_stays():
    """Between walls to the left and right, up and half up say the same."""
    corners = tuple(itertools.product((0, 1), repeat=3))
    faces = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    cube = Polytope(corners, faces)

    def met(*normals):
        return [Meeting(((0, 0, 0),), (n,), (cube, cube)) for n in normals]

    left, right, up, half = (1, 0, 0), (-1, 0, 0), (0, 0, 1), (1, 0, 1)
    for normals in itertools.permutations((left, right, up, half)):
        kept = [m.normals[0] for m in without_buried(met(*normals), 1e-9)]
        assert len(kept) == 3
        assert {left, right} < set(kept)
    assert [m.normals[0] for m in without_buried(met(left, up, half), 1e-9)] == [left, up]


def test_what_slices_of_two_cakes_do_to_each_other_is_asked_once_at_each_place(monkeypatch):
    rim = [
        (round(5 * math.cos(k * math.pi / 5), 3), round(5 * math.sin(k * math.pi / 5), 3)) for k in range(10)
    ]

    def cake(low):
        slices = ([[0, 0], list(p), list(q)] for p, q in zip(rim, [*rim[1:], rim[0]], strict=True))
        return [
            f"{{ prism = {{ outline = {three}, height = 1 }}, moves = [{{ move = [0, 0, {low}] }}] }}"
            for three in slices
        ]

    asked = []
    plainly = piece_contacts._amounts
    monkeypatch.setattr(
        piece_contacts, "_amounts", lambda where, *rest: asked.append(where) or plainly(where, *rest)
    )
    positions = places(part("lower", cake(-1), "fixed = true") + part("upper", cake(0)))
    assert positions == {((*p, 0.0), (0.0, 0.0, 1.0)) for p in rim}
    # The middle, the corners of the rim, and what lies between: each slice beside the next, and on its own.
    assert len(asked) == len({tuple(sorted(where)) for where in asked}) == 1 + 10 + 10
