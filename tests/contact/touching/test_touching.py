"""Documents whose parts touch have the modes of the contacts a person would write."""

from fractions import Fraction

import numpy as np
import pytest

import detent
from detent.contact.touching import contacts_of, touching_parts
from detent.foundation import ModelError, UnsupportedError
from detent.io import native


def document(text, dimension=2):
    return native.loads_toml(f'format = "detent/1"\nunits = "1"\ndimension = {dimension}\n{text}')


FLOOR = "[parts.floor]\nfixed = true\nshape.outline = [[-5, -1], [5, -1], [5, 0], [-5, 0]]\n"


def test_a_square_on_a_floor_touches_at_its_two_lower_corners():
    machine = document(FLOOR + "[parts.box]\nshape.outline = [[0, 0], [1, 0], [1, 1], [0, 1]]\n")
    assert {(p, n[1] > 0) for _, _, p, n in touching_parts(machine)} == {((0, 0), True), ((1, 0), True)}
    assert len(detent.modes(machine, exact=True)) == 10  # planar-edge-2


def test_an_overhanging_plate_touches_at_the_corner_below_it_too():
    table = "[parts.table]\nfixed = true\nshape.outline = [[0, -1], [2, -1], [2, 0], [0, 0]]\n"
    machine = document(table + "[parts.plate]\nshape.outline = [[1, 0], [3, 0], [3, 1], [1, 1]]\n")
    assert {p for _, _, p, _ in touching_parts(machine)} == {(1, 0), (2, 0)}
    assert all(n[1] > 0 and n[0] == 0 for _, _, _, n in touching_parts(machine))


@pytest.mark.parametrize(("height", "contacts"), [("1/1000000", 0), ("0", 2)])
def test_parts_that_do_not_meet_do_not_touch(height, contacts):
    box = (
        f'[parts.box]\npose = {{ at = [0, "{height}"] }}\nshape.outline = [[0, 0], [1, 0], [1, 1], [0, 1]]\n'
    )
    assert len(touching_parts(document(FLOOR + box))) == contacts


def test_a_turned_square_in_a_groove_touches_both_sides():
    groove = "[parts.groove]\nfixed = true\nshape.union = [{ outline = [[0, 0], [-4, 4], [-4, 0]] }, "
    groove += "{ outline = [[0, 0], [4, 0], [4, 4]] }]\n"
    box = "[parts.box]\npose = { turn_deg = 45 }\nshape.outline = [[0, 0], [2, 0], [2, 2], [0, 2]]\n"
    touches = touching_parts(document(groove + box))
    assert len(touches) == 4  # two corners on each side; both sides meet the lowest one
    assert {(round(float(n[0]) / abs(float(n[0]))), n[1] > 0) for _, _, _, n in touches} == {
        (1, True),
        (-1, True),
    }


def test_a_disc_touches_a_floor_and_another_disc():
    disc = "[parts.{}]\npose = {{ at = [{}, 1] }}\nshape.circle = 1\n"
    discs = disc.format("a", 0) + disc.format("b", 2)
    touches = touching_parts(document(FLOOR + discs))
    assert [(a, b) for a, b, _, _ in touches] == [("floor", "a"), ("floor", "b"), ("a", "b")]
    assert [tuple(map(float, p)) for _, _, p, _ in touches] == [(0, 0), (2, 0), (1, 1)]


BOX = "shape = {{ block = [1, 1, 1], moves = [{{ move = {} }}] }}\n"


def test_a_block_on_the_ground_has_the_modes_of_box_1():
    ground = (
        "[parts.ground]\nfixed = true\nshape = { block = [9, 9, 1], moves = [{ move = [-4, -4, -1] }] }\n"
    )
    machine = document(ground + "[parts.box]\n" + BOX.format([0, 0, 0]), 3)
    assert len(touching_parts(machine)) == 4
    assert len(detent.modes(machine, exact=True, planes=2)) == 196


def test_crossed_bars_touch_where_their_edges_cross():
    lower = "[parts.lower]\nfixed = true\nshape = { block = [4, 1, 1], moves = [{ move = [0, 0, -1] }] }\n"
    upper = "[parts.upper]\nshape = { block = [1, 4, 1], moves = [{ move = [1, -2, 0] }] }\n"
    touches = touching_parts(document(lower + upper, 3))
    assert {tuple(map(int, p)) for _, _, p, _ in touches} == {(1, 0, 0), (2, 0, 0), (1, 1, 0), (2, 1, 0)}
    assert all(n[2] > 0 and n[0] == n[1] == 0 for _, _, _, n in touches)


def test_an_ignored_pair_does_not_touch_and_friction_comes_from_the_pair():
    box = FLOOR + "[parts.box]\nshape.outline = [[0, 0], [1, 0], [1, 1], [0, 1]]\n"
    assert touching_parts(document(box + '[touching]\nignore = ["box:floor"]\n')) == []
    rubbed = contacts_of(
        document(box + '[touching]\nfriction = 0.1\npairs."floor:box" = { friction = 0.4 }\n')
    )
    assert rubbed.friction == (0.4, 0.4)


def test_shapes_that_are_not_understood_ask_for_contacts():
    holes = "[parts.a]\nshape.difference = [{ outline = [[0, 0], [1, 0], [0, 1]] }, { circle = 0.1 }]\n"
    with pytest.raises(UnsupportedError, match="contacts"):
        touching_parts(document(FLOOR + holes))


SQUARE = "[parts.{}]\n{}shape.outline = [[{x}, {y}], [{x1}, {y}], [{x1}, {y1}], [{x}, {y1}]]\n"


def square(name, x, y, extra=""):
    return SQUARE.format(name, extra, x=x, y=y, x1=x + 1, y1=y + 1)


def test_squares_that_meet_only_at_a_corner_have_no_normal_and_are_refused_by_name():
    both = square("low", 0, 0, "fixed = true\n") + square("high", 1, 1)
    with pytest.raises(UnsupportedError, match=r"low and high meet corner on corner at \(1, 1\)") as refused:
        touching_parts(document(both))
    assert 'touching.ignore = ["low:high"]' in str(refused.value)
    assert touching_parts(document(both + '[touching]\nignore = ["low:high"]\n')) == []


def test_a_wedge_that_points_at_a_corner_is_refused_and_one_that_rests_on_an_edge_is_not():
    wedge = "[parts.wedge]\npose = {{ at = [{}, 0] }}\nshape.outline = [[0, 0], [1, 3], [-1, 3]]\n"
    with pytest.raises(UnsupportedError, match="floor and wedge"):
        touching_parts(document(FLOOR + wedge.format(5)))
    assert len(touching_parts(document(FLOOR + wedge.format(4)))) == 1


@pytest.mark.parametrize(
    "shape",
    [
        "outline = [[5, 0], [4, -2], [6, -2]]",  # a corner in common
        "outline = [[0, -0.1], [1, -0.1], [1, 1], [0, 1]]",
        "circle = 0.25\npose.at = [0, 0]",
    ],
)
def test_parts_that_overlap_are_refused_and_not_called_free(shape):
    with pytest.raises(ModelError, match="overlaps part 'floor' as drawn"):
        touching_parts(document(f"{FLOOR}[parts.arm]\nshape.{shape}\n"))
    ignored = document(f'{FLOOR}[parts.arm]\nshape.{shape}\n[touching]\nignore = ["floor:arm"]\n')
    assert touching_parts(ignored) == []


def test_the_seam_of_a_floor_in_two_pieces_is_no_corner():
    floor = "[parts.floor]\nfixed = true\nshape.union = [{ outline = [[-5, -1], [1, -1], [1, 0], [-5, 0]] }, "
    floor += "{ outline = [[1, -1], [5, -1], [5, 0], [1, 0]] }]\n"
    touches = touching_parts(document(floor + square("box", 0, 0)))
    assert {p for _, _, p, _ in touches} == {(0, 0), (1, 0)}
    assert all(n[0] == 0 and n[1] > 0 for _, _, _, n in touches)


def test_a_point_in_the_middle_of_a_straight_edge_changes_nothing():
    floor = "[parts.floor]\nfixed = true\nshape.outline = [[-5, -1], [5, -1], [5, 0], [1, 0], [-5, 0]]\n"
    tip = "[parts.tip]\npose = { at = [1, 0] }\nshape.outline = [[0, 0], [1, 2], [-1, 2]]\n"
    assert [(p, n[0]) for _, _, p, n in touching_parts(document(floor + tip))] == [((1, 0), 0)]


def test_a_tip_in_a_notch_touches_both_of_its_sides():
    notch = "[parts.notch]\nfixed = true\nshape.outline = [[-4, -1], [4, -1], [4, 4], [0, 0], [-4, 4]]\n"
    tip = "[parts.tip]\nshape.outline = [[0, 0], [1, 4], [-1, 4]]\n"
    machine = document(notch + tip)
    assert {p for _, _, p, _ in touching_parts(machine)} == {(0, 0)}
    assert len(touching_parts(machine)) == 2
    text = "[parts.notch]\nfixed = true\n" + tip
    for normal in ("[-1, 1]", "[1, 1]"):
        text += f'[[contacts]]\nbetween = ["notch", "tip"]\npoint = [0, 0]\nnormal = {normal}\n'
    assert len(detent.modes(machine)) == len(detent.modes(document(text)))


CUBE = "[parts.{}]\n{}shape = {{ block = [1, 1, 1], moves = [{{ move = {} }}] }}\n"


@pytest.mark.parametrize(
    ("shift", "contacts"),
    [
        ([0, 0, 1], 4),  # face on face, the same outline
        (["1/2", "1/2", 1], 4),  # face on face, partly
        ([0, 0, "1000001/1000000"], 0),
        ([1, 0, 1], None),  # edge beside edge
        ([1, "1/2", 1], None),
        ([1, 1, 1], None),  # corner on corner
    ],
)
def test_cubes_touch_where_one_plane_separates_them(shift, contacts):
    shift = str(shift).replace("'", '"')
    pair = document(CUBE.format("low", "fixed = true\n", "[0, 0, 0]") + CUBE.format("high", "", shift), 3)
    if contacts is None:
        with pytest.raises(UnsupportedError, match="low and high meet corner on corner"):
            touching_parts(pair)
    else:
        assert len(touching_parts(pair)) == contacts


def test_a_corner_in_a_face_touches_once_an_edge_in_a_face_twice_and_a_corner_on_an_edge_has_no_normal():
    table = "[parts.table]\nfixed = true\nshape = { block = [4, 4, 1], moves = [{ move = [-2, -2, -1] }] }\n"
    lying = "[parts.prism]\nshape.prism = { outline = [[0, 0], [1, 1], [-1, 1]], height = 1 }\n"
    upright = 'pose = {{ at = {}, turn_deg = 90, about = "x" }}\n'
    for at, contacts in (("[0, 1, 0]", 2), ("[2, 1, 0]", None), ("[3, 1, 0]", 0)):
        machine = document(table + lying.replace("\nshape", "\n" + upright.format(at) + "shape"), 3)
        if contacts is None:
            with pytest.raises(UnsupportedError, match="table and prism"):
                touching_parts(machine)
        else:
            assert len(touching_parts(machine)) == contacts


@pytest.mark.parametrize("turn", [17, 90, 205])
@pytest.mark.parametrize("about", ["x", "y", "z"])
def test_a_turned_scene_touches_in_the_turned_points(turn, about):
    """A block on two others, one of them half below it; all on one frame that turns."""
    parts = [("low", "[0, 0, 0]"), ("side", "[1, 0, 0]"), ("high", '["1/2", "1/4", 1]')]
    drawn = "".join(CUBE.format(name, "", at) for name, at in parts)
    turned = "".join(
        CUBE.format(name, f'pose = {{ at = [1, 2, 3], turn_deg = {turn}, about = "{about}" }}\n', at)
        for name, at in parts
    )
    plain, moved = (touching_parts(document(text, 3)) for text in (drawn, turned))
    assert [f[:2] for f in plain] == [f[:2] for f in moved]
    angle = np.radians(turn)
    axis = np.eye(3)["xyz".index(about)]
    cross = np.cross(axis, np.eye(3)).T
    rotation = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross

    def places(found, change):
        return sorted(tuple(np.round(change(np.array(p, float)), 6) + 0.0) for _, _, p, _ in found)

    assert places(plain, lambda p: rotation @ p + [1, 2, 3]) == places(moved, lambda p: p)
    assert len(detent.modes(document(drawn, 3), kind="contacting_separating")) == len(
        detent.modes(document(turned, 3), kind="contacting_separating")
    )


def test_a_disc_in_a_corner_touches_both_walls():
    walls = (
        "[parts.walls]\nfixed = true\nshape.outline = [[-1, -1], [5, -1], [5, 0], [0, 0], [0, 5], [-1, 5]]\n"
    )
    touches = touching_parts(document(walls + "[parts.disc]\npose = { at = [2, 2] }\nshape.circle = 2\n"))
    assert sorted(tuple(map(float, p)) for _, _, p, _ in touches) == [(0, 2), (2, 0)]


def test_a_disc_on_a_corner_has_the_normal_through_its_centre():
    touches = touching_parts(document(FLOOR + "[parts.disc]\npose = { at = [8, 4] }\nshape.circle = 5\n"))
    assert [(tuple(map(float, p)), float(n[1]) / float(n[0])) for _, _, p, n in touches] == [((5, 0), 4 / 3)]


@pytest.mark.parametrize("more", ["[1, 0], [1, 0]", "[0.5, 0], [1, 0]"])
def test_a_vertex_written_twice_or_on_a_straight_side_changes_no_contact(more):
    box = f"[parts.box]\nshape.outline = [[0, 0], {more}, [1, 1], [0, 1]]\n"
    assert {p for _, _, p, _ in touching_parts(document(FLOOR + box))} == {(0, 0), (1, 0)}


@pytest.mark.parametrize("more", ["[1, 0], [1, 0]", "[0.5, 0], [1, 0]"])
def test_a_prism_stands_on_its_corners_whatever_else_its_outline_lists(more):
    floor = "[parts.floor]\nfixed = true\npose = { at = [-5, -5, -1] }\nshape.block = [10, 10, 1]\n"
    box = f"[parts.box]\nshape.prism = {{ outline = [[0, 0], {more}, [1, 1], [0, 1]], height = 1 }}\n"
    touches = touching_parts(document(floor + box, dimension=3))
    assert {p for _, _, p, _ in touches} == {(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)}
    assert all(n[2] > 0 and n[:2] == (0, 0) for _, _, _, n in touches)


def test_a_block_in_the_plane_has_no_contacts_of_its_own():
    with pytest.raises(UnsupportedError, match="contacts of a block"):
        touching_parts(document(FLOOR + "[parts.box]\nshape.block = [1, 1, 1]\n"))


@pytest.mark.parametrize(
    ("tangents", "words"),
    [("[[1, 0, 0.1]]", "is not at right angles"), ("[[1, 0, 1e-12]]", None)],
)
def test_a_given_tangent_lies_in_the_tangent_plane(tangents, words):
    text = (
        "[parts.floor]\nfixed = true\n[parts.box]\n[[contacts]]\nbetween = ['floor', 'box']\n"
        f"point = [0, 0, 0]\nnormal = [0, 0, 1]\ntangents = {tangents}\n"
    )
    if words is None:
        assert len(detent.modes(document(text, dimension=3))) == 4
    else:
        with pytest.raises(ModelError, match=rf"contacts\.0\.tangents\.0: {words}"):
            document(text, dimension=3)


def test_a_row_that_cannot_be_measured_is_named_as_the_document_has_it():
    with pytest.raises(ModelError, match=r"rows\.normal\.1\.0: the number is too large"):
        detent.modes(document("[rows]\nnormal = [[1, 0], [1e300, 0]]\n"))


SPLIT_FLOOR = (
    "[parts.floor]\nfixed = true\nshape.union = [ { outline = [[-5, -1], [0.5, -1], [0.5, 0], [-5, 0]] }, "
    "{ outline = [[0.5, -1], [5, -1], [5, 0], [0.5, 0]] } ]\n"
)


@pytest.mark.parametrize("floor", [FLOOR, SPLIT_FLOOR])
@pytest.mark.parametrize(
    ("shape", "points"),
    [
        ("outline = [[0, 0], [1, 0], [1, 1], [0, 1]]", [(0, 0), (1, 0)]),
        ("outline = [[0.5, 0], [1, 1], [0, 1]]", [(0.5, 0)]),  # its tip stands on the seam
        ("outline = [[0.5, 0], [1, 0], [1, 1], [0.5, 1]]", [(0.5, 0), (1, 0)]),
        ("union = [ { outline = [[0, 0], [1, 0], [1, 1], [0, 1]] }, "
         "{ outline = [[1, 0], [2, 0], [2, 1], [1, 1]] } ]", [(0, 0), (2, 0)]),
    ],
)  # fmt: skip
def test_a_part_in_pieces_touches_as_the_whole_does(floor, shape, points):
    touches = touching_parts(document(f"{floor}[parts.box]\nshape.{shape}\n"))
    assert sorted(tuple(float(x) for x in point) for _, _, point, _ in touches) == points


def block(low, high):
    sides = ", ".join(f"{b - a}" for a, b in zip(low, high, strict=True))
    return f"{{ block = [{sides}], moves = [ {{ move = [{', '.join(map(str, low))}] }} ] }}"


@pytest.mark.parametrize(
    "pieces",
    [
        [((0, 0, 0), (4, 4, 1))],
        [((0, 0, 0), (1, 4, 1)), ((1, 0, 0), (4, 4, 1))],
        [((0, 0, 0), (2, 4, 1)), ((1, 0, 0), (4, 4, 1))],  # they overlap
        [((0, 0, 0), (4, 4, 0.5)), ((0, 0, 0.5), (2, 2, 1)), ((2, 0, 0.5), (4, 2, 1)),
         ((0, 2, 0.5), (4, 4, 1))],
    ],
)  # fmt: skip
@pytest.mark.parametrize("turn", [0, 90, 30])
def test_a_floor_in_blocks_carries_a_box_as_one_block_does(pieces, turn):
    pose = f"pose.turn_deg = {turn}\n"
    floor = f"[parts.floor]\nfixed = true\n{pose}shape.union = [ {', '.join(block(*p) for p in pieces)} ]\n"
    box = (
        f"[parts.box]\n{pose}shape.union = [ {block((1, 1, 1), (2, 3, 2))}, {block((2, 1, 1), (3, 3, 2))} ]\n"
    )
    whole = contacts_of(document(floor + box, dimension=3))
    back = np.array([[np.cos(np.radians(turn)), np.sin(np.radians(turn))],
                     [-np.sin(np.radians(turn)), np.cos(np.radians(turn))]])  # fmt: skip
    corners = sorted(tuple((back @ site.point[:2]).round(9).tolist()) for site in whole.sites)
    assert corners == [(1.0, 1.0), (1.0, 3.0), (3.0, 1.0), (3.0, 3.0)]


@pytest.mark.parametrize(
    "pieces",
    [
        [((2, 1), (0, 0)), ((1, 1), (0, 1))],
        [((2, 1), (0, 0)), ((1, 2), (0, 0))],  # overlapping: no piece has a corner at the inner one
        [((1, 1), (0, 0)), ((1, 1), (1, 0)), ((1, 1), (0, 1))],
    ],
)
def test_a_foot_in_an_l_stands_on_its_outer_corners_however_it_is_pieced_together(pieces):
    """The inner corner lies between the others, and touches whenever they do."""
    shape = [{"block": [*size, 1], "moves": [{"move": [*at, 0]}]} for size, at in pieces]
    machine = (
        detent.Builder(dimension=3)
        .part("floor", fixed=True, shape={"block": [9, 9, 1], "moves": [{"move": [-4, -4, -1]}]})
        .part("foot", shape={"union": shape})
        .build()
    )
    contacts = contacts_of(machine)
    outer = [(0, 0), (0, 2), (1, 2), (2, 0), (2, 1)]
    assert sorted(site.point[:2] for site in contacts.sites) == outer
    assert len(detent.modes(contacts, kind="contacting_separating")) == 12


def test_solids_that_overlap_are_refused_and_not_called_free():
    for height, words in ("1/2", "overlaps part 'low'"), ("999999/1000000", "1e-06 deep"):
        pair = CUBE.format("low", "fixed = true\n", "[0, 0, 0]") + CUBE.format(
            "high", "", f'[0, 0, "{height}"]'
        )
        with pytest.raises(ModelError, match=words):
            touching_parts(document(pair, 3))


def test_a_document_that_asks_for_exact_modes_has_them():
    text = f"{FLOOR}[parts.box]\nshape.outline = [[0, 0], [1, 0], [1, 1], [0, 1]]\n"
    assert not detent.modes(document(text)).enumeration.exact
    assert detent.modes(document(f"{text}[ask.modes]\nexact = true\n")).enumeration.exact


def test_an_exact_answer_says_which_rational_stands_for_a_turn():
    """At 45 degrees corners lie on dividing directions of others, which a rational turn just misses."""
    floor = f"[parts.floor]\nfixed = true\nshape.union = [ {block((-4, -4, -1), (4, 4, 0))} ]\n"
    box = "[parts.box]\nshape.block = [1, 1, 1]\npose = { at = [1, 1, 0], turn_deg = TURN }\n"
    tilted = document(floor + box.replace("TURN", "45"), dimension=3)
    assert len(detent.modes(tilted)) == 340
    assert detent.modes(tilted).answer().taken == ()
    exactly = detent.modes(tilted, exact=True).answer()
    assert exactly.counts.all == 404
    (words,) = exactly.taken
    assert words.startswith("box: 45 deg: cos = ")
    quarter = document(floor + box.replace("TURN", "90"), dimension=3)
    assert detent.modes(quarter, exact=True).answer().taken == ()


def test_discs_at_rational_places_leave_a_document_rational():
    """Discs on a floor, on a slope of 3 in 4 and on each other touch at fractions, so all rows stay exact."""
    machine = document(
        FLOOR
        + '[parts.wheel]\nshape.circle = "1/3"\npose.at = [0, "1/3"]\n'
        + '[parts.roller]\nshape.circle = "1/3"\npose.at = ["2/3", "1/3"]\n'
        + "[parts.slope]\nfixed = true\nshape.outline = [[-5, 0], [-1, 0], [-5, 3]]\n"
        + '[parts.ball]\nshape.circle = "1/2"\npose.at = [-2.7, 1.9]\n'
    )
    contacts = contacts_of(machine)
    assert all(isinstance(x, Fraction) for rows in (contacts.normal, *contacts.tangent) for x in rows.flat)
    at = {site.name: site.point for site in contacts.sites}
    assert at == {
        "floor:wheel": (0, 0),
        "floor:roller": (2 / 3, 0),
        "wheel:roller": (1 / 3, 1 / 3),
        "slope:ball": (-3, 1.5),
    }


@pytest.mark.parametrize("ignored", [True, False])
def test_a_shape_of_unknown_contacts_counts_only_where_it_may_touch(ignored):
    """A ring on a box: its round hole has no sides; where the document lets it touch nothing, nobody asks."""
    ring = "[parts.ring]\nshape.difference = [{ circle = 2 }, { circle = 1 }]\n"
    apart = '[touching]\nignore = ["ring:floor", "box:ring"]\n' if ignored else ""
    box = "[parts.box]\nshape.outline = [[0, 0], [1, 0], [1, 1], [0, 1]]\n"
    machine = document(FLOOR + box + ring + apart)
    if not ignored:
        with pytest.raises(UnsupportedError, match=r"parts\.ring\.shape: contacts of a round hole"):
            touching_parts(machine)
        return
    assert touching_parts(machine) == touching_parts(document(FLOOR + box))
    # The ring is free: with every mode of the box its velocity is any.
    assert len(detent.modes(machine, exact=True)) == 10
