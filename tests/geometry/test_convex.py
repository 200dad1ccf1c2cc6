"""Cut, pierced or bent inwards: a part touches as the same solid put together from blocks does."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest
import shapely
from scipy.spatial import ConvexHull, HalfspaceIntersection

import detent
from detent.contact.touching import touching_parts
from detent.foundation import UnsupportedError
from detent.geometry.exact import Polytope, common, convex_parts, solid_pieces, without
from detent.numeric import maximise
from tests.contact.touching.test_piece_contacts import (
    ACROSS,
    FLAT,
    ON_A_CORNER,
    ON_AN_EDGE,
    TIP,
    block,
    document,
    grown,
    part,
    places,
)


def difference(name, whole, holes, extra=""):
    return f"[parts.{name}]\n{extra}\nshape.difference = [{', '.join([whole, *holes])}]\n"


def drawn(name, cells, extra=""):
    """Cubes put together, and the block around them without the other cells."""
    low, high = (tuple(f(c[k] for c in cells) for k in range(3)) for f in (min, max))
    around = itertools.product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))
    cubes = [block(c, tuple(x + 1 for x in c)) for c in sorted(cells)]
    holes = [block(c, tuple(x + 1 for x in c)) for c in around if c not in cells]
    whole = block(low, tuple(x + 1 for x in high))
    return part(name, cubes, extra), difference(name, whole, holes, extra)


@pytest.mark.parametrize("seed", range(15))
def test_a_block_with_cells_cut_out_touches_as_the_cells_left(seed):
    rng = random.Random(seed)
    fixed = grown(rng, rng.randrange(2, 6), (0, 0, 0), set())
    near = {
        tuple(x + (d if k == axis else 0) for k, x in enumerate(c))
        for c in fixed for axis in range(3) for d in (-1, 1)
    }  # fmt: skip
    moving = grown(rng, rng.randrange(1, 4), rng.choice(sorted(near - fixed)), fixed)
    (joined, cut), (block_joined, block_cut) = drawn("a", fixed, "fixed = true"), drawn("b", moving)
    expected = places(joined + block_joined)
    assert places(cut + block_joined) == expected
    assert places(cut + block_cut) == expected


def test_a_peg_in_a_square_hole_touches_all_four_walls():
    plate = difference("plate", block((-2, -2, 0), (3, 3, 1)), [block((0, 0, -1), (1, 1, 2))], "fixed = true")
    bars = [
        ((-2, -2, 0), (0, 3, 1)),
        ((1, -2, 0), (3, 3, 1)),
        ((0, -2, 0), (1, 0, 1)),
        ((0, 1, 0), (1, 3, 1)),
    ]
    by_hand = part("plate", [block(*bar) for bar in bars], "fixed = true")
    peg = part("peg", [block((0, 0, -1), (1, 1, 4))])
    positions = places(plate + peg)
    assert len(positions) == 16  # two walls at each of eight corners
    assert positions == places(by_hand + peg)
    assert len(detent.modes(document(plate + peg))) == len(detent.modes(document(by_hand + peg)))
    wide = part("peg", [block((0, 0, -1), (1, Fraction(1, 2), 4))])
    assert len(places(plate + wide)) == 12  # three walls


SHAPES = {
    "an L": [(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)],
    "a U": [(0, 0), (5, 0), (5, 3), (3, 3), (3, 1), (2, 1), (2, 3), (0, 3)],
    "a valley": [(0, -2), (6, -2), (6, 2), (3, 0), (0, 2)],
    "a comb": [
        (0, -1),
        (7, -1),
        (7, 2),
        (6, 2),
        (6, 0),
        (4, 0),
        (4, 2),
        (3, 2),
        (3, 0),
        (1, 0),
        (1, 2),
        (0, 2),
    ],
}
GUESTS = {
    "an L": [[(1, 1), (2, 1), (2, 2), (1, 2)], [(1, 1), (3, 2), (2, 3)], [(1, 2), (2, 2), (2, 3)]],
    "a U": [[(2, 1), (3, 1), (3, 5), (2, 5)], [(2, 2), (3, 2), (3, 5)], [(0, 3), (2, 3), (1, 4)]],
    "a valley": [[(3, 0), (4, 5), (2, 5)], [(3, 0), (6, 2), (3, 6)]],
    "a comb": [[(4, 0), (6, 0), (6, 1), (4, 1)], [(3, 2), (4, 2), (4, 4), (3, 4)], [(1, 0), (3, 0), (2, 1)]],
}


@pytest.mark.parametrize(("host", "guest"), [(h, g) for h, own in GUESTS.items() for g in own])
@pytest.mark.parametrize("turn", [0, 25])
def test_a_prism_bent_inwards_touches_as_its_outline_does(host, guest, turn):
    def scene(shape):
        pose = f"pose.turn_deg = {turn}\n"
        return (
            f"[parts.host]\nfixed = true\n{pose}shape.{shape(SHAPES[host])}\n"
            f"[parts.guest]\n{pose}shape.{shape(guest)}\n"
        )

    def outline(points):
        return f"outline = {[list(p) for p in points]}"

    flat = places(scene(outline), 2)
    assert flat
    solid = places(scene(lambda points: f"prism = {{ {outline(points)}, height = 1 }}"))
    assert solid == {((*p, z), (*n, 0.0)) for p, n in flat for z in (0.0, 1.0)}


@pytest.mark.parametrize("host", SHAPES)
def test_a_polygon_with_a_hole_or_cut_to_size_touches_as_the_outline_left(host):
    """All hosts cut out of a large square, and again by taking away what is around them."""
    points = SHAPES[host]
    (x0, y0), (x1, y1) = np.min(points, axis=0) - 1, np.max(points, axis=0) + 1
    frame = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]

    def outline(ring):
        return f"{{ outline = {[[int(x) for x in p] for p in ring]} }}"

    around = f"{{ difference = [{outline(frame)}, {outline(points)}] }}"
    for guest in GUESTS[host]:
        other = f"[parts.guest]\nshape.outline = {[list(p) for p in guest]}\n"
        plain = places(f"[parts.host]\nfixed = true\nshape.outline = {[list(p) for p in points]}\n{other}", 2)
        for shape in (
            f"intersection = [{outline(frame)}, {outline(points)}]",
            f"difference = [{outline(frame)}, {around}]",
        ):
            assert places(f"[parts.host]\nfixed = true\nshape.{shape}\n{other}", 2) == plain


def test_a_square_fills_a_square_hole_in_the_plane():
    hole = "outline = [[0, 0], [1, 0], [1, 1], [0, 1]]"
    plate = "{ outline = [[-2, -2], [3, -2], [3, 3], [-2, 3]] }"
    drawn = f"[parts.plate]\nfixed = true\nshape.difference = [{plate}, {{ {hole} }}]\n"
    positions = places(f"{drawn}[parts.peg]\nshape.{hole}\n", 2)
    assert len(positions) == 8
    assert {p for p, _ in positions} == {(0, 0), (1, 0), (1, 1), (0, 1)}


CORNERS = list(itertools.product((-1, 1), repeat=3))
FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def turned_cube(rng):
    """A cube of side 2, turned about one axis by a rational sine and cosine, and shifted."""
    t = rng.choice([Fraction(1, 3), Fraction(2, 5), Fraction(-3, 4), Fraction(1, 7)])
    c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    k = rng.randrange(3)
    shift = [Fraction(rng.randrange(-6, 7), 4) for _ in range(3)]

    def placed(p):
        coordinates = list(p)
        x, y = p[k], p[(k + 1) % 3]
        coordinates[k], coordinates[(k + 1) % 3] = c * x - s * y, s * x + c * y
        return tuple(a + b for a, b in zip(coordinates, shift, strict=True))

    return Polytope(tuple(placed(p) for p in CORNERS), FACES)


def volume(piece):
    return ConvexHull(np.array(piece.points, float)).volume if piece is not None else 0.0


@pytest.mark.parametrize("seed", range(12))
def test_cubes_cut_by_each_other_have_the_corners_that_qhull_finds(seed):
    rng = random.Random(seed)
    cubes = [turned_cube(rng) for _ in range(3)]
    shared = common(cubes)
    rows = np.array([[*(float(x) for x in n), -float(sum(a * b for a, b in zip(n, p, strict=True)))]
                     for cube in cubes for n, p in cube.planes])  # fmt: skip
    rows /= np.linalg.norm(rows[:, :3], axis=1)[:, None]
    best = maximise([0, 0, 0, 1], np.hstack([rows[:, :3], np.ones((len(rows), 1))]), -math.inf, -rows[:, 3])
    if best is None or best[3] < 1e-9:
        assert shared is None
        return
    corners = HalfspaceIntersection(rows, best[:3]).intersections
    vertices = {tuple(np.round(np.array(p, float), 6) + 0.0) for p in shared.points}
    assert vertices == {tuple(np.round(p, 6) + 0.0) for p in corners}
    hull = ConvexHull(np.array(shared.points, float))
    for (n, p), face in zip(shared.planes, shared.faces, strict=True):
        heights = (np.array(shared.points, float) - np.array(p, float)) @ np.array(n, float)
        assert heights.max() <= 1e-9  # outward
        assert sorted(np.flatnonzero(np.abs(heights) < 1e-9)) == sorted(face)
    assert len(shared.points) - sum(map(len, shared.faces)) / 2 + len(shared.faces) == 2  # Euler
    one, *others = cubes
    left = [one]
    for other in others:
        left = [rest for piece in left for rest in without(piece, other)]
    shares = [common([one, *some]) for k in (1, 2) for some in itertools.combinations(others, k)]
    expected = 8 - volume(shares[0]) - volume(shares[1]) + volume(shares[2])
    assert sum(map(volume, left)) == pytest.approx(expected, abs=1e-9)
    assert hull.volume == pytest.approx(volume(shares[2]))


def corners(points):
    """Each vertex of a polygon between its neighbours."""
    around = [(float(x), float(y)) for x, y in points]
    return zip([around[-1], *around[:-1]], around, [*around[1:], around[0]], strict=True)


@pytest.mark.parametrize("seed", range(20))
def test_convex_parts_make_up_a_star_shaped_polygon(seed):
    rng = random.Random(seed)
    angles = sorted([0, 13, 26, *rng.sample([a for a in range(40) if a % 13], rng.randrange(1, 12))])
    reach = [rng.uniform(1, 5) for _ in angles]
    points = [
        (
            Fraction(round(100 * r * math.cos(math.tau * a / 40)), 100),
            Fraction(round(100 * r * math.sin(math.tau * a / 40)), 100),
        )
        for a, r in zip(angles, reach, strict=True)
    ]
    whole = shapely.Polygon([(float(x), float(y)) for x, y in points])
    assert whole.is_valid
    polygons = [shapely.Polygon([(float(x), float(y)) for x, y in own]) for own in convex_parts(points)]
    assert all(each.exterior.is_ccw for each in polygons)
    assert all(each.convex_hull.area == pytest.approx(each.area) for each in polygons)
    bent = sum(not shapely.LinearRing(corner).is_ccw for corner in corners(points))
    assert len(polygons) <= 2 * bent + 1
    assert sum(each.area for each in polygons) == pytest.approx(whole.area)
    assert shapely.union_all(polygons).symmetric_difference(whole).area < 1e-9


def test_a_disc_has_no_sides_to_cut_by():
    text = "[parts.a]\nshape.difference = [{ circle = 2 }, { outline = [[0, 0], [1, 0], [0, 1]] }]\n"
    text += "[parts.b]\nfixed = true\nshape.outline = [[-5, -3], [5, -3], [5, -2], [-5, -2]]\n"
    with pytest.raises(UnsupportedError, match="contacts of a round hole, or of a disc with holes"):
        touching_parts(document(text, 2))


@pytest.mark.parametrize("seed", range(16))
def test_a_block_cut_askew_through_the_point_of_contact_carries_as_before(seed):
    """One or two cuts, tilted and turned, and all pieces kept: a cube on a corner, an edge or a face."""
    rng = random.Random(seed)
    whole = block((-2, -2, -1), (2, 2, 0))
    pieces = [whole]
    for _ in range(rng.randrange(1, 3)):
        half = "{{ block = [20, 20, 20], moves = [{{ move = [0, -10, -10] }}, {}, {}] }}".format(
            f'{{ turn_deg = {rng.choice([0, 20, -30, 45])}, about = "y" }}',
            f"{{ turn_deg = {rng.choice([0, 30, 45, 90, 77, 200])} }}",
        )
        pieces = [
            f"{{ {how} = [{piece}, {half}] }}" for piece in pieces for how in ("intersection", "difference")
        ]
    tip = TIP.format(
        at="[0, 0, 0]",
        along=rng.choice(["[1, 0, 0]", "[0, 1, 0]", "[3, 4, 0]", "[1, 1, 0]"]),
        moves=rng.choice([ON_A_CORNER, ON_AN_EDGE, ACROSS, FLAT]),
    )
    expected = places(part("floor", [whole], "fixed = true") + tip)
    assert expected
    assert places(part("floor", pieces, "fixed = true") + tip) == expected


def test_an_intersection_of_many_parts_looks_no_further_than_what_is_left(monkeypatch):
    """Eight L-shapes of two pieces each, of which a square is left: not one look at each choice of eight."""
    asked = []
    monkeypatch.setattr(solid_pieces, "common", lambda both: asked.append(both) or common(both))
    bent = [f"{{ outline = [[0, 0], [{k}, 0], [{k}, 1], [1, 1], [1, {k}], [0, {k}]] }}" for k in range(2, 10)]
    square = "{ outline = [[0, 0], [1, 0], [1, 1], [0, 1]] }"
    resting = "[parts.box]\nshape = { outline = [[0, 1], [1, 1], [1, 2], [0, 2]] }\n"
    cut = f"[parts.floor]\nfixed = true\nshape.intersection = [{', '.join([*bent, square])}]\n"
    whole = f"[parts.floor]\nfixed = true\nshape = {square}\n"
    assert places(cut + resting, 2) == places(whole + resting, 2) != set()
    assert len(asked) < 2**6
