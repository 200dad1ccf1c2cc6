"""What does not change the modes, what a set of modes answers, and what it says to nonsense."""

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import detent
from detent.contact import Contacts
from detent.contact.modes import Budget, modes, round_modes, sliding_modes, stream
from detent.foundation import ModelError, UnsupportedError
from tests.contact.families import FAMILIES, draw
from tests.contact.scenes import box_against_walls, box_on_box, peg_in_hole, planar_fan

SCENES = [
    box_against_walls(1),
    box_against_walls(2),
    peg_in_hole(4),
    draw("closed", 3),
    draw("duplicated", 2),
]


@pytest.mark.parametrize("contacts", SCENES)
def test_the_order_of_contacts_does_not_change_the_modes(contacts):
    order = np.random.default_rng(0).permutation(len(contacts))
    turned = Contacts.from_rows(
        contacts.normal[order], [contacts.tangent[i] for i in order], held=contacts.held
    )
    assert modes(turned).by_rank() == modes(contacts).by_rank()


@pytest.mark.parametrize("contacts", SCENES)
def test_the_length_of_rows_does_not_change_the_modes(contacts):
    c = contacts.floats
    stretch = np.random.default_rng(1).uniform(1e-3, 1e3, len(c))
    stretched = Contacts.from_rows(
        c.normal * stretch[:, None], [7 * t / s for t, s in zip(c.tangent, stretch, strict=True)], held=c.held
    )
    assert modes(stretched).texts == modes(c).texts


@pytest.mark.parametrize("contacts", SCENES)
def test_a_rigid_motion_does_not_change_the_modes(contacts):
    """Rows see the velocity through any invertible change of it; a rigid motion's adjoint is one."""
    c = contacts.floats
    turn, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))
    x, y, z = 3.0, -2.0, 5.0
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    adjoint = np.block([[turn, skew @ turn], [np.zeros((3, 3)), turn]])
    moved = Contacts.from_rows(c.normal @ adjoint, [t @ adjoint for t in c.tangent], held=c.held)
    assert modes(moved).texts == modes(c).texts


@pytest.mark.parametrize("count", [4, 5, 9, 30])
def test_a_planar_fan_of_k_contacts_has_2k_plus_6_modes(count):
    assert len(modes(planar_fan(count))) == 2 * count + 6


@pytest.mark.parametrize("family", FAMILIES)
def test_every_sample_velocity_has_the_signs_of_its_mode(family):
    contacts = draw(family, 11)
    mode_set = modes(contacts)
    c = contacts.floats
    rows = np.concatenate([c.normal, *c.tangent])
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    for mode in mode_set:
        value = rows @ mode.velocity
        seen = mode.signs != 2
        assert (np.sign(np.where(np.abs(value) < 1e-9, 0, value))[seen] == mode.signs[seen]).all()
        assert np.abs(c.held @ mode.velocity).max(initial=0) < 1e-9


def test_modes_of_one_contacting_separating_mode_are_those_of_the_whole():
    contacts = box_against_walls(2)
    whole = modes(contacts)
    for touching, own in stream(contacts):
        assert own.texts == whole.of(touching).texts
    assert sum(len(own) for _, own in stream(contacts)) == len(whole)


def of_zero_rows(mode):
    """A cell is open in the velocities on which its zero rows vanish: their dimension is its own."""
    contacts = mode.modes.contacts.floats
    planes = [t if k else t[:0] for t, k in zip(contacts.tangent, mode.modes.planes, strict=True)]
    rows = np.concatenate([contacts.normal, *planes])[mode.signs == 0]
    return contacts.degrees - np.linalg.matrix_rank(np.concatenate([contacts.held, rows]))


ONE_EDGE = Contacts.from_points([(0, 0)], [(0, 1)], friction=0.5)  # rotation about it is noticed by nothing


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("contacts", [*SCENES, ONE_EDGE, *(draw(family, 6) for family in FAMILIES)])
def test_the_dimension_of_a_mode_is_that_of_all_its_velocities(contacts, exact):
    for kind in ("all", "contacting_separating"):
        mode_set = modes(contacts, kind=kind, exact=exact)
        dimensions = [of_zero_rows(mode_set[text]) for text in mode_set.texts]
        assert mode_set.columns()["dimension"].tolist() == dimensions
        answer = mode_set.answer()
        assert {int(k) + answer.unnoticed: n for k, n in answer.by_rank.items()} == Counter(dimensions)
    for _, narrow in stream(contacts, exact=exact):
        assert all(mode.dimension == of_zero_rows(mode) for mode in narrow)


def test_a_part_on_one_point_that_sticks_still_rotates_about_it():
    table = modes(ONE_EDGE).words.splitlines()
    assert [line.split()[:2] for line in table if "sticks" in line] == [["0|0", "1"]]
    assert modes(ONE_EDGE)["0|0"].words == "mode 0|0, dimension 1: 0 sticks"


def test_neighbours_are_mutual_and_differ_by_one_dimension():
    mode_set = modes(box_against_walls(1))
    for mode in mode_set:
        for near in mode_set.neighbours(mode):
            assert abs(near.dimension - mode.dimension) == 1
            assert mode.text in mode_set.neighbours(near).texts


def test_neighbours_reach_across_contacting_separating_modes():
    mode_set = modes(box_against_walls(1))
    lifted = {near.text.partition("|")[0] for near in mode_set.neighbours("0000|00000000")}
    assert lifted == {"0000", "++00", "0+0+", "+0+0", "00++"}  # tipping over an edge, or turning in place


def test_the_star_of_rest_is_every_mode():
    mode_set = modes(box_against_walls(1))
    assert len(mode_set.star("0000|00000000")) == len(mode_set)


def test_filters_keep_the_states_they_name():
    mode_set = modes(box_against_walls(1))
    parts = [len(mode_set.where((2, state))) for state in ("separating", "sticking", "sliding")]
    assert sum(parts) == len(mode_set)
    assert all(mode.state(2) == "sliding" for mode in mode_set.where((2, "sliding")))
    assert len(mode_set.where((0, "touching"), (1, "separating"), (2, "separating"))) == 9


def test_modes_that_move_a_body_are_told_from_those_that_do_not():
    mode_set = modes(box_on_box(1))
    assert (
        len(mode_set.moving(range(6))) == len(mode_set) * 50 // 51
    )  # the lower box has 51 planar modes, one at rest


@pytest.mark.parametrize("exact", [False, True])
def test_a_mode_moves_what_any_of_its_velocities_moves_not_only_its_sample(exact):
    """A point over a line: while it separates, it may also slide along or turn; at rest it may turn."""
    mode_set = modes(Contacts.from_points([(0, 0)], [(0, 1)]), exact=exact)
    assert mode_set.moving([0]).texts == ["+|.", "0|+", "0|-"]
    assert mode_set.moving([1]).texts == ["+|."]
    assert mode_set.moving(2).texts == mode_set.texts
    assert mode_set.moving([]).texts == []


def test_a_part_that_no_contact_touches_may_always_move():
    mode_set = modes(Contacts.from_points([(0, 0)], [(0, 1)], bodies=[(-1, 1)]))
    assert mode_set.moving([0, 1, 2]).texts == mode_set.texts


def test_a_round_cone_merges_all_directions_of_sliding():
    """A point on a plane separates, sticks or slides, however many planes divide the sliding."""
    for planes in (2, 3, 4, 7):
        one = Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], planes=planes)
        divided = modes(one)
        assert len(divided) == 4 * planes + 2
        assert round_modes(divided).texts == ("+|.", "0|*", "0|0")


def test_round_modes_do_not_depend_on_how_sliding_is_divided():
    """The two ends of an edge: both slide, or one sticks and the edge swings about it."""
    points = [(0, 0, 0), (1, 0, 0)]
    counts = {
        len(round_modes(modes(Contacts.from_points(points, [(0, 0, 1)] * 2, planes=planes))))
        for planes in (2, 3, 5)
    }
    assert len(counts) == 1


def test_one_plane_in_space_cannot_tell_sticking_from_sliding():
    with pytest.raises(ModelError, match="do not tell sticking from sliding"):
        round_modes(modes(Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], planes=1)))


def test_no_contacts_leave_one_mode_free():
    mode_set = modes(Contacts.from_rows([], freedoms=6))
    assert (mode_set.texts, mode_set.rank) == (["|"], 0)
    assert len(modes(Contacts.from_points([], []))) == 1


def test_nearly_parallel_rows_are_flagged_and_decided_in_integers():
    tilt = Fraction(1, 10**8)
    near = Contacts.from_rows([[1, 0], [1, tilt]], [[[0, 1]], [[0, 1]]])
    mode_set = modes(near)
    assert mode_set.enumeration.exact
    assert mode_set.enumeration.flagged > 0
    assert (
        mode_set.texts == modes(Contacts.from_rows([[1, 0], [1, 1]], [[[0, 1]], [[0, 1]]]), exact=True).texts
    )


@pytest.mark.parametrize(
    "tilt", [Fraction(1, 10**2), Fraction(3, 10**4), Fraction(1, 10**4), Fraction(3, 10**6)]
)
def test_contacts_that_lift_only_at_enormous_speeds_are_decided_exactly(tilt):
    """Each can lift alone, at a speed of tilt^-3: no program is sure of it, nor is the rank of the rows."""
    thin = Contacts.from_rows([[0, -1 - tilt, tilt], [-2 * tilt, tilt, -1], [2 * tilt, 0, 1]])
    exactly = modes(thin, exact=True)
    assert len(exactly) == 8
    mode_set = modes(thin)
    assert mode_set.texts == exactly.texts
    assert mode_set.enumeration.exact or tilt > Fraction(1, 10**3)


def test_rows_apart_by_rounding_alone_are_one():
    mode_set = modes(Contacts.from_rows(np.array([[1.0, 0.0], [1.0, 1e-15]])))
    assert (mode_set.texts, mode_set.enumeration.exact) == (["++|", "00|"], False)


def test_many_contacts_in_one_plane_are_their_corners_and_the_rest_follow():
    """A foot with a fine tread: only the corners of its outline can lift alone."""
    side = np.linspace(-1, 1, 40)
    points = [(x, y, 0.0) for x in side for y in side]
    rows = np.array([[1.0, y, -x] for x, y, _ in points])
    mode_set = modes(Contacts.from_rows(rows))
    assert len(mode_set) == 10  # four corners, four edges, all, none


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Contacts.from_points([(0, 0, 0)], [(0, 0, 0)]), "is zero"),
        (lambda: Contacts.from_points([(0, 0, 0)], [(0, 1)]), "has 2 numbers, not 3"),
        (lambda: Contacts.from_rows([[1, 0, 0], [0, 1]]), "a row of 2 numbers, not 3"),
        (lambda: Contacts.from_rows([[0, 0, 0]]), "is zero"),
        (lambda: Contacts.from_rows([[1, float("nan")]]), "not finite"),
        (lambda: Contacts.from_rows([[1, 0]], [[[1, 0]], [[1, 0]]]), "2 entries for 1 contacts"),
        (lambda: Contacts.from_rows([]), "how many degrees of freedom"),
        (lambda: Contacts.from_rows([[1, 0]], friction=-1), "negative"),
        (lambda: modes(box_against_walls(1))["0+0+|++++++++"], "no velocity has these signs"),
        (lambda: modes(box_against_walls(1))["0"], "write 4 signs for the contacts, a bar, 8"),
        (lambda: sliding_modes(box_against_walls(1), "0+++++"), "one sign"),
        (lambda: sliding_modes(box_against_walls(1), "+00+"), "no contacting/separating mode"),
        (lambda: sliding_modes(peg_in_hole(4), "+0000000"), "no contacting/separating mode"),
        (lambda: modes(box_against_walls(1)).where((9, "sliding")), "no contact 9"),
        (lambda: modes(box_against_walls(1)).where((0, "flying")), "no state 'flying'"),
        (lambda: modes(box_against_walls(1), kind="some"), "no kind 'some'"),
        (
            lambda: modes(box_against_walls(1), kind="contacting_separating").where((0, "sticking")),
            "do not tell whether contact 0 sticks",
        ),
        (lambda: Contacts.from_points([(0, 0, 0, 0)], [(0, 1, 0, 0)]), "points of 4 numbers"),
        (lambda: Contacts.from_points([(0, 0)], [(0, 1e-300)]), r"normal\.0: is longer than .* scale it"),
        (lambda: Contacts.from_rows([[5e-324, 0]]), r"normal\.0: is longer than"),
        (lambda: Contacts.from_rows([[1, 0]], [[[0, 1e200]]]), r"tangent\.0\.0: is longer than"),
        (lambda: Contacts.from_rows([[Fraction(10) ** 400, 0]]), r"normal\.0: is longer than"),
        (lambda: Contacts.from_rows([1, 2]), r"normal\.0: 1 is not a list"),
        (lambda: Contacts.from_rows(np.zeros((1, 2, 2))), "is not a real number"),
        (lambda: Contacts.from_rows([], freedoms=-1), "freedoms: -1 is not a number of degrees of freedom"),
        (lambda: Contacts.from_points([("a", 0)], [(0, 1)]), r"points\.0: 'a' is not a real number"),
        (lambda: Contacts.from_points([(0, 0)], [(0, 1)], bodies=[(-2, 0)]), r"\(-2, 0\) is not a pair"),
        (lambda: Contacts.from_points([(0, 0)], [(0, 1)], bodies=[(0.5, 1)]), r"\(0.5, 1\) is not a pair"),
        (lambda: Contacts.from_points([(0, 0)], [(0, 1)], bodies=[(0, 0)]), "does not touch itself"),
        (
            lambda: Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], planes=1.5),
            "1.5 is not a number of dividing",
        ),
        (lambda: Contacts.from_points([], [], planes=-1), "planes: -1 is not a number of dividing planes"),
        (
            lambda: Contacts.from_points([(0, 0)], [(0, 1)], tangents=[[(1, 0)]], planes=1001),
            "planes: 1001 is not a number of dividing planes",
        ),
        (lambda: Contacts.from_points([(0, 0)], [(0, 1)], friction="a"), "'a' is not a coefficient"),
        (
            lambda: Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], tangents=[[(1, 0)]]),
            "has 2 numbers beside a normal of 3",
        ),
        (lambda: Contacts.from_points([(0, 0)], [(0, 1)], tangents=[[(0, 0)]]), r"tangents\.0: is zero"),
        (
            lambda: Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], tangents=[[(1, 0, 1)]]),
            "not at right angles to the normal",
        ),
        (lambda: modes(box_against_walls(1)).moving([6]), "there are 6 entries of the velocity"),
        (lambda: detent.modes(3), "an int has no contacts"),
        (
            lambda: detent.modes(box_against_walls(1), touching="0000", kind="contacting_separating"),
            "leaves out what `touching` asks for",
        ),
        (
            lambda: Contacts.from_points([(0, 0), (1, 0)], [(0, 1)] * 2, tangents=[[(1, 0)]]),
            "1 lists for 2 points",
        ),
    ],
)
def test_nonsense_is_answered_in_words(call, words):
    with pytest.raises(ModelError, match=words):
        call()


@pytest.mark.parametrize("friction", [np.float32(0.5), np.array(0.5), Fraction(1, 2), [0.5]])
def test_a_coefficient_may_be_any_kind_of_number(friction):
    assert Contacts.from_points([(0, 0)], [(0, 1)], friction=friction).friction == (0.5,)


@pytest.mark.parametrize("planes", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_points_given_as_floats_depend_on_each_other_in_integers_too(planes, seed):
    """Two points of one body keep their distance: rounded products must not hide it from exact modes."""
    points = np.random.default_rng(seed).normal(size=(2, 3))
    contacts = Contacts.from_points(points, -points, planes=planes)
    mode_set = modes(contacts)
    assert not mode_set.enumeration.exact
    assert sorted(modes(contacts, exact=True).texts) == sorted(mode_set.texts)
    other_set = sliding_modes(contacts, "00", exact=True)
    assert sorted(other_set.texts) == sorted(mode_set.of("00").texts)


def test_a_listing_beyond_its_memory_is_refused_with_the_ways_around():
    with pytest.raises(UnsupportedError, match="stream them"):
        modes(box_on_box(1), limits=Budget(memory=1 << 16))


def test_a_listing_beyond_its_time_is_refused():
    with pytest.raises(UnsupportedError, match="time for this listing ran out"):
        modes(box_on_box(1), limits=Budget(seconds=0.0))


def test_progress_is_told_after_the_normals_and_after_every_contact():
    seen = []
    modes(box_against_walls(1), limits=Budget(watch=lambda *step: seen.append(step)))
    assert [done for done, _, _ in seen] == [4, 6, 8, 10, 12]
    assert seen[-1][2] == 196


def test_the_first_small_answer_of_a_process_does_not_wait_for_a_compiler():
    code = (
        "import sys, detent; from tests.contact.scenes import box_against_walls;"
        "assert len(detent.modes(box_against_walls(1))) == 196; assert 'numba' not in sys.modules"
    )
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", code], cwd=root, check=True, env={**os.environ, "DETENT_SPEED": ""})


def test_ten_thousand_contacts_on_a_line_are_two():
    """Only the outer ones count; all the others lie between them and touch where both do."""
    places = np.linspace(-1, 1, 10_000)
    crowd = Contacts.from_points([(x, 0.0) for x in places], [(0.0, 1.0)] * len(places))
    pair = Contacts.from_points([(-1.0, 0.0), (1.0, 0.0)], [(0.0, 1.0)] * 2)
    mode_set = modes(crowd)
    assert len(mode_set) == len(modes(pair)) == 10
    assert {int((row[: len(crowd)] == 0).sum()) for row in mode_set.signs} == {0, 1, len(crowd)}


@pytest.mark.parametrize("example", ["planar_grasp", "peg_in_hole"])
def test_the_rank_of_contacts_that_last_is_the_same_in_integers(example):
    """It is the dimension of the velocities of some mode, the largest there is."""
    in_floats, in_integers = (detent.modes(detent.load(example), exact=exact) for exact in (False, True))
    assert in_floats.rank == in_integers.rank == max(in_integers.by_rank())
