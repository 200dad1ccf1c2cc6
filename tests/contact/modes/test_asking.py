"""The obvious calls of Python: arrays of any kind, modes by their signs, ranges, what a document asks."""

import re
from pathlib import Path

import numpy as np
import pytest

import detent
from detent.contact.forces import balance
from detent.contact.modes import modes_of_many, round_modes
from detent.io import native

POINTS, NORMALS = [[1, 2], [3, 1]], [[1, 1], [0, 2]]


def box_on_ground():
    return detent.Contacts.from_points([[0, 0], [1, 0]], [[0, 1], [0, 1]], friction=0.5)


def document(**asked):
    return (
        detent.Builder()
        .part("ground", fixed=True, shape={"outline": [[-2, -1], [3, -1], [3, 0], [-2, 0]]})
        .part("box", shape={"outline": [[0, 0], [1, 0], [1, 1], [0, 1]]})
        .ask("modes", **asked)
        .build()
    )


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int64, np.float32, float, object])
def test_arrays_of_any_numbers_mean_the_same_contacts(kind):
    asked = detent.Contacts.from_points(np.array(POINTS, kind), np.array(NORMALS, kind))
    assert detent.modes(asked).texts == detent.modes(detent.Contacts.from_points(POINTS, NORMALS)).texts


def test_large_integers_of_an_array_do_not_overflow():
    points, normals = [[10**10, 0], [0, 10**10]], [[0, 10**10], [10**10, 1]]
    rows = detent.Contacts.from_points(np.array(points), np.array(normals)).normal.tolist()
    assert rows == detent.Contacts.from_points(points, normals).normal.tolist()


def test_a_mode_is_in_the_set_by_its_signs_and_a_range_of_modes_is_a_set():
    mode_set = detent.modes(box_on_ground())
    assert "00|++" in mode_set
    assert "00|+-" not in mode_set
    assert mode_set["00|++"] in mode_set
    assert mode_set["00|++"] not in mode_set.of("0+")
    assert [str(mode) for mode in mode_set[2:5]] == [mode_set[k].text for k in (2, 3, 4)]
    assert repr(mode_set["00|++"]) == "Mode('00|++')"


def test_a_mode_of_another_set_is_found_by_its_signs_not_by_its_number():
    contacts = box_on_ground()
    alone = detent.modes(contacts, touching="00")
    mode_set = detent.modes(contacts)
    for mode in alone:
        assert mode_set.neighbours(mode).texts == mode_set.neighbours(mode.text).texts
        assert mode_set.star(mode).texts == mode_set.star(mode.text).texts
    with pytest.raises(detent.ModelError, match="no mode '00'"):
        mode_set.neighbours(detent.modes(contacts, kind="contacting_separating")["00"])


def test_planes_for_contacts_that_have_theirs_are_refused_and_so_is_what_is_no_list_of_signs():
    with pytest.raises(detent.ModelError, match="dividing planes already"):
        detent.modes(box_on_ground(), planes=1)
    with pytest.raises(detent.ModelError, match="does not give one sign"):
        detent.modes(box_on_ground(), touching=[0, 0])
    with pytest.raises(detent.ModelError, match="not a list"):
        detent.Contacts.from_points([[0, 0]], [[0, 1]], bodies=3)
    with pytest.raises(detent.ModelError, match="not a list"):
        detent.Contacts.from_points([[0, 0]], [[0, 1]], tangents=[None])
    mode_set = detent.modes(box_on_ground())
    with pytest.raises(detent.ModelError, match=r'write \(3, "sticking"\)'):
        mode_set.where("0=sticking")
    with pytest.raises(detent.ModelError, match="0 is not a mode"):
        mode_set.neighbours(0)


def test_one_way_of_touching_that_is_not_there_is_answered_with_where_to_look():
    twice = detent.Contacts.from_points([[0, 0], [0, 0]], [[0, 1], [0, 1]])
    with pytest.raises(detent.ModelError, match="kind='contacting_separating' lists"):
        detent.modes(twice).of("0+")


def test_modes_of_the_round_cone_are_read_one_by_one_and_need_sticking_told_from_sliding():
    mode_set = detent.modes(box_on_ground())
    assert list(round_modes(mode_set)) == ["++|..", "+0|.*", "+0|.0", "0+|*.", "0+|0.", "00|**", "00|00"]
    with pytest.raises(detent.ModelError, match="do not tell sticking from sliding"):
        round_modes(detent.modes(box_on_ground(), kind="contacting_separating"))


def test_a_document_is_asked_as_it_says_unless_the_call_says_otherwise():
    machine = document(kind="contacting_separating")
    assert detent.modes(machine).kind == "contacting_separating"
    assert len(detent.modes(machine, kind="all")) == 10
    assert len(detent.modes(machine, touching="00")) == 3


def test_documents_are_configurations_too():
    assert [len(found) for found in modes_of_many([document(), box_on_ground()])] == [10, 10]


def test_modes_that_move_a_part_are_asked_by_its_name():
    mode_set = detent.modes(document())
    assert mode_set.moving("box").texts == mode_set.moving([0, 1, 2]).texts
    assert len(mode_set.moving("box")) == 9  # all but rest
    with pytest.raises(detent.ModelError, match="no part 'ground' moves; they are box"):
        mode_set.moving("ground")


ROWS = """
format = "detent/1"
[rows]
normal = [[0, 1, 0], [0, 1, 1]]
tangent = [[[1, 0, 0]], [{second}]]
[touching]
friction = 0.3
"""


def test_rows_of_a_document_have_the_friction_that_it_gives_to_all():
    mode_set = detent.modes(native.loads_toml(ROWS.format(second="[1, 0, 0]")))
    assert mode_set.contacts.friction == (0.3, 0.3)
    assert balance(mode_set["00|00"], [0.29, -1, -0.5]).possible
    assert not balance(mode_set["00|00"], [0.31, -1, -0.5]).possible


def test_rows_without_a_tangent_ask_for_it_where_it_is_given():
    mode_set = detent.modes(native.loads_toml(ROWS.format(second="")))
    for ask in (lambda: round_modes(mode_set), lambda: balance(mode_set["00|0"], [0.0, -1, -0.5])):
        with pytest.raises(
            (detent.ModelError, detent.UnsupportedError), match="`tangent` has a list per contact"
        ):
            ask()


def test_what_the_page_shows_planners_runs_as_it_stands():
    page = (Path(__file__).parents[3] / "docs" / "rooms" / "contact.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    told = {}
    for block in blocks:
        exec(block, told)
    assert len(told["mode_set"]) == 10
    assert len(detent.modes(told["in_space"])) == 18  # 8 sectors, 8 rays, sticking, separating
    assert told["balance"](told["mode_set"]["00|00"], told["weight"]).possible
    assert [each.text for each in told["slides"]] == ["00|++"]
    assert told["fewer"].texts == detent.modes(told["more"].contacts.without(0)).texts
