"""Contacts that share no dependence: built apart and multiplied, against all of them built at once."""

import numpy as np
import pytest

from detent.contact import Contacts
from detent.contact.modes import (
    Budget,
    Group,
    count_contacting_separating,
    count_modes,
    exact_space,
    float_space,
    groups,
    groups_exactly,
    modes,
    separated_groups,
    sliding_modes,
    with_contact,
    without_contact,
)
from detent.contact.modes import enumerate as enumeration
from detent.foundation import UnsupportedError
from detent.mechanics import GROUND
from detent.numeric.arrangement import assert_sound, unfaithful
from tests.contact.families import FAMILIES
from tests.contact.scenes import box_on_box, hand_with_ball

SMALL = 1500  # modes of a family that still multiply to a short list


def tower(boxes):
    """Boxes on top of each other, three contacts between any two."""
    corners = [(0, 0), (3, 0), (1, 2)]
    points = [(x, y, level) for level in range(boxes) for x, y in corners]
    bodies = [(level - 1 if level else GROUND, level) for level in range(boxes) for _ in corners]
    return Contacts.from_points(points, [(0, 0, 1)] * len(points), bodies=bodies)


def mixed(seed):
    """Two machines in coordinates that mix them, contacts in any order; each alone; and that order."""
    random = np.random.default_rng(seed)
    parts = []
    while len(parts) < 2:
        make, low, _ = FAMILIES[str(random.choice(sorted(FAMILIES)))]
        part = make(random, low).exact
        if len(modes(part)) <= SMALL:
            parts.append(part)
    widths = [part.degrees for part in parts]
    size = sum(widths)
    mixing = random.integers(-3, 4, (size, size)).astype(object) + 9 * np.eye(size, dtype=int)

    def wide(rows, at):
        padded = np.zeros((len(rows), size), object)
        padded[:, at : at + rows.shape[1]] = rows
        return padded @ mixing

    normal, tangent, held = [], [], []
    for part, at in zip(parts, (0, widths[0]), strict=True):
        normal += list(wide(part.normal, at))
        tangent += [wide(t, at) for t in part.tangent]
        held += list(wide(part.held, at))
    order = random.permutation(len(normal))
    rows = [normal[i] for i in order], [tangent[i] for i in order]
    return Contacts.from_rows(*rows, held=held, freedoms=size), parts, order


def at_once(monkeypatch, contacts, **how):
    """The modes without taking groups apart."""

    def whole(space):
        n, m = len(space.normal), len(space.tangent)
        return space, (Group(np.arange(n), np.arange(m), slice(0, space.rank)),)

    with monkeypatch.context() as patch:
        patch.setattr(enumeration, "separated_groups", whole)
        return modes(contacts, **how)


def pairs(found):
    """Every mode with each mode that bounds it, as text."""
    cell_complex, text = found.enumeration.complex, found.texts_of(found.cells)
    return {(text[c], text[g]) for c in range(len(cell_complex)) for g in cell_complex.boundary(c).tolist()}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_the_product_of_two_machines_is_what_they_are_together(seed, exact, monkeypatch):
    contacts, parts, _ = mixed(seed)
    mode_set = modes(contacts, exact=exact)
    assert len(mode_set) == len(modes(parts[0])) * len(modes(parts[1]))
    together = at_once(monkeypatch, contacts, exact=exact)
    assert mode_set.texts == together.texts
    assert pairs(mode_set) == pairs(together)
    assert mode_set.by_rank() == together.by_rank()
    assert mode_set.enumeration.contacting_separating == together.enumeration.contacting_separating
    assert_sound(mode_set.enumeration.complex, every=len(mode_set) < SMALL)
    assert unfaithful(mode_set.enumeration.complex) == 0


@pytest.mark.parametrize("seed", range(12))
def test_groups_never_hold_contacts_of_two_machines(seed):
    contacts, parts, order = mixed(seed)
    machine = (order >= len(parts[0])).astype(int)
    for space in (float_space(contacts), exact_space(contacts)):
        _, found = separated_groups(space)
        assert sorted(i for group in found for i in group.contacts) == list(range(len(contacts)))
        seen = [g for g in found if g.axes.stop > g.axes.start]
        assert len(seen) >= 2
        for group in seen:
            rows = np.concatenate([space.normal, space.tangent])
            owner = np.concatenate(
                [np.arange(len(contacts)), np.repeat(np.arange(len(contacts)), space.planes)]
            )
            blind = {i for i in group.contacts if not rows[owner == i].any()}
            assert len({machine[i] for i in group.contacts if i not in blind}) == 1


@pytest.mark.parametrize("kind", ["all", "contacting_separating"])
def test_modes_of_a_tower_are_a_power_of_those_of_one_box(kind):
    one = len(modes(tower(1), kind=kind))
    assert len(modes(tower(2), kind=kind)) == one**2
    assert (
        len(modes(tower(3), kind="contacting_separating"))
        == len(modes(tower(1), kind="contacting_separating")) ** 3
    )


@pytest.mark.parametrize(("planes", "bodies"), [(9, 3), (25, 3), (63, 2), (64, 2)])
def test_signs_of_many_planes_are_put_together(planes, bodies):
    """Bodies that each touch the ground in one point: up to 130 columns, beyond one and two words."""
    one = Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], planes=planes)
    unit = np.eye(bodies, dtype=int)
    normal = [np.kron(unit[k : k + 1], one.normal)[0] for k in range(bodies)]
    tangent = [np.kron(unit[k : k + 1], one.tangent[0]) for k in range(bodies)]
    mode_set = modes(Contacts.from_rows(normal, tangent))
    assert len(mode_set) == len(set(mode_set.texts)) == (4 * planes + 2) ** bodies
    assert_sound(mode_set.enumeration.complex)
    assert unfaithful(mode_set.enumeration.complex) == 0


def test_every_velocity_of_a_product_has_the_signs_of_its_mode():
    contacts, _, _ = mixed(3)
    rows, found = contacts.floats, modes(contacts)
    for mode in found:
        values = np.concatenate([rows.normal, *rows.tangent]) @ mode.velocity
        scale = np.linalg.norm(np.concatenate([rows.normal, *rows.tangent]), axis=1)
        signs = np.where(np.abs(values) < 1e-7 * scale, 0, np.sign(values))
        assert (signs[mode.signs != 2] == mode.signs[mode.signs != 2]).all()


def test_a_contact_added_to_a_product_joins_its_groups():
    """A contact between the ground and the upper box: what was independent is so no longer."""
    below = tower(2)
    more = Contacts.from_points([(7, 1, 2)], [(1, 0, 0)], bodies=[(GROUND, 1)])
    mode_set = with_contact(modes(below), more)
    assert len(separated_groups(float_space(below))[1]) == 2
    assert len(separated_groups(float_space(mode_set.contacts))[1]) == 1
    assert mode_set.texts == modes(below.joined(more)).texts
    assert without_contact(mode_set, len(below)).texts == modes(below).texts


def test_one_contacting_separating_mode_of_a_product_is_that_of_the_whole():
    contacts = box_on_box(1)
    whole = modes(contacts)
    for touching in sorted(whole.sliding_counts())[::9]:
        assert sliding_modes(contacts, touching).texts == whole.of(touching).texts


def test_a_product_beyond_the_memory_is_refused_with_its_number():
    one = len(modes(tower(1)))
    with pytest.raises(UnsupportedError, match=f"{one**4} modes, more than"):
        modes(tower(4), limits=Budget(memory=1 << 20))


@pytest.fixture(params=["listed", "walked"])
def counted(request, monkeypatch):
    """From complexes of few cells, or by a walk."""
    if request.param == "walked":
        monkeypatch.setattr("detent.contact.modes.enumerate.FEW", 0)


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("exact", [False, True])
def test_a_tower_too_high_to_list_is_counted_box_by_box(exact):
    one = {kind: len(modes(tower(1), kind=kind)) for kind in ("contacting_separating", "all")}
    seen = []
    mode_counts = count_modes(tower(12), exact=exact, watch=lambda *step: seen.append(step))
    assert mode_counts == {kind: number**12 for kind, number in one.items()}
    assert [step[0] for step in seen] == sorted(step[0] for step in seen)
    assert seen[-1] == (
        mode_counts["contacting_separating"],
        mode_counts["contacting_separating"],
        mode_counts["all"],
    )
    assert count_contacting_separating(tower(12), exact=exact) == mode_counts["contacting_separating"]


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("seed", range(6))
def test_counts_of_mixed_machines_multiply(seed):
    contacts, parts, _ = mixed(seed)
    assert count_modes(contacts)["all"] == len(modes(parts[0])) * len(modes(parts[1]))


@pytest.mark.usefixtures("counted")
def test_what_one_pair_holds_shut_is_not_counted_as_open_elsewhere():
    """Two contacts hold each other shut; apart, either could open."""
    normal = [[1, 0, 0], [-1, 0, 0], [0, 0, 1]]
    tangent = [[[0, 1, 0]], [], [[1, 0, 0]]]
    contacts = Contacts.from_rows(normal, tangent)
    assert count_modes(contacts)["all"] == len(modes(contacts)) == 6


def test_a_hand_that_holds_a_ball_is_one_group():
    assert len(separated_groups(float_space(hand_with_ball()))[1]) == 1


def test_groups_of_rows_are_the_same_in_floats_and_integers():
    random = np.random.default_rng(5)
    for _ in range(40):
        blocks = [random.integers(-4, 5, (k, int(random.integers(1, 4)))) for k in random.integers(1, 6, 3)]
        size = sum(b.shape[1] for b in blocks)
        rows = np.zeros((sum(len(b) for b in blocks), size), int)
        at = np.cumsum([[0, 0], *(b.shape for b in blocks)], axis=0)
        for b, (i, j) in zip(blocks, at, strict=False):
            rows[i : i + len(b), j : j + b.shape[1]] = b
        rows = rows @ (random.integers(-2, 3, (size, size)) + 7 * np.eye(size, dtype=int))
        exact = groups_exactly(rows.astype(object))
        length = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
        floats = groups(rows / length)
        assert floats is not None
        assert (np.equal.outer(floats, floats) == np.equal.outer(exact, exact)).all()
