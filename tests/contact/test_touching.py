"""Documents whose parts touch have the modes of the contacts a person would write."""

import pytest

import detent
from detent.contact.document import contacts_of
from detent.contact.touching import touching_parts
from detent.foundation.errors import UnsupportedError
from detent.io import native


def document(text, dimension=2):
    return native.loads_toml(f'format = "detent/1"\nunits = "1"\ndimension = {dimension}\n{text}')


FLOOR = "[parts.floor]\nfixed = true\nshape.outline = [[-5, -1], [5, -1], [5, 0], [-5, 0]]\n"


def test_a_square_on_a_floor_touches_at_its_two_lower_corners():
    found = document(FLOOR + "[parts.box]\nshape.outline = [[0, 0], [1, 0], [1, 1], [0, 1]]\n")
    assert {(p, n[1] > 0) for _, _, p, n in touching_parts(found)} == {((0, 0), True), ((1, 0), True)}
    assert len(detent.modes(found, exact=True)) == 10  # planar-edge-2


def test_an_overhanging_plate_touches_at_the_corner_below_it_too():
    table = "[parts.table]\nfixed = true\nshape.outline = [[0, -1], [2, -1], [2, 0], [0, 0]]\n"
    found = document(table + "[parts.plate]\nshape.outline = [[1, 0], [3, 0], [3, 1], [1, 1]]\n")
    assert {p for _, _, p, _ in touching_parts(found)} == {(1, 0), (2, 0)}
    assert all(n[1] > 0 and n[0] == 0 for _, _, _, n in touching_parts(found))


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
    found = touching_parts(document(groove + box))
    assert len(found) == 4  # two corners on each side; both sides meet the lowest one
    assert {(round(float(n[0]) / abs(float(n[0]))), n[1] > 0) for _, _, _, n in found} == {
        (1, True),
        (-1, True),
    }


def test_a_disc_touches_a_floor_and_another_disc():
    disc = "[parts.{}]\npose = {{ at = [{}, 1] }}\nshape.circle = 1\n"
    discs = disc.format("a", 0) + disc.format("b", 2)
    found = touching_parts(document(FLOOR + discs))
    assert [(a, b) for a, b, _, _ in found] == [("floor", "a"), ("floor", "b"), ("a", "b")]
    assert [tuple(map(float, p)) for _, _, p, _ in found] == [(0, 0), (2, 0), (1, 1)]


BOX = "shape = {{ block = [1, 1, 1], moves = [{{ move = {} }}] }}\n"


def test_a_block_on_the_ground_has_the_modes_of_box_1():
    ground = (
        "[parts.ground]\nfixed = true\nshape = { block = [9, 9, 1], moves = [{ move = [-4, -4, -1] }] }\n"
    )
    found = document(ground + "[parts.box]\n" + BOX.format([0, 0, 0]), 3)
    assert len(touching_parts(found)) == 4
    assert len(detent.modes(found, exact=True, planes=2)) == 196


def test_crossed_bars_touch_where_their_edges_cross():
    lower = "[parts.lower]\nfixed = true\nshape = { block = [4, 1, 1], moves = [{ move = [0, 0, -1] }] }\n"
    upper = "[parts.upper]\nshape = { block = [1, 4, 1], moves = [{ move = [1, -2, 0] }] }\n"
    found = touching_parts(document(lower + upper, 3))
    assert {tuple(map(int, p)) for _, _, p, _ in found} == {(1, 0, 0), (2, 0, 0), (1, 1, 0), (2, 1, 0)}
    assert all(n[2] > 0 and n[0] == n[1] == 0 for _, _, _, n in found)


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
