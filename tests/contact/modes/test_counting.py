"""Counted or listed, the number of modes is the same."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from detent.contact import Contacts
from detent.contact.modes import Budget, count_modes, counts, modes, stream_texts
from detent.foundation import ModelError, UnsupportedError
from detent.numeric.arrangement import Referee, faces_inside, walk_floats, walk_integers
from tests.contact.families import FAMILIES, draw
from tests.contact.scenes import box_against_walls, box_on_box, hand_with_ball


@pytest.fixture(autouse=True)
def walks(monkeypatch):
    """What is few would be read from its complex, with nothing left to compare it with."""
    monkeypatch.setattr("detent.contact.modes.enumerate.FEW", 0)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_count_is_the_length_of_the_list(family):
    for seed in range(20, 22):
        contacts = draw(family, seed).floats
        mode_set = modes(contacts)
        assert count_modes(contacts) == {
            "contacting_separating": mode_set.enumeration.contacting_separating,
            "all": len(mode_set),
        }


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("exact", [False, True])
def test_every_word_of_signs_is_a_mode_of_the_lattice_with_its_own_count_or_refused(family, exact):
    """All words of 0 and +, for contacts few enough; the whole list says which exist and how often."""
    contacts = draw(family, 5).floats
    few = contacts
    while len(few) > 5:
        few = few.without(len(few) - 1)
    known = modes(few, exact=exact).sliding_counts()
    for word in map("".join, itertools.product("0+", repeat=len(few))):
        if word in known:
            expected = {"contacting_separating": 1, "all": known[word]}
            assert count_modes(few, touching=word, exact=exact) == expected
        else:
            with pytest.raises(ModelError, match="no velocity has these signs"):
                count_modes(few, touching=word, exact=exact)


def test_one_mode_is_counted_where_all_of_them_could_never_be_listed():
    """Forty blocks side by side: 2^40 ways to lift them, each block that rests slides in nine."""
    points = [(3.0 * k, 0.0, 0.0) for k in range(40)]
    contacts = Contacts.from_points(points, [(0, 0, 1)] * 40, bodies=[(-1, k) for k in range(40)])
    assert count_modes(contacts, touching="0" * 18 + "+" * 22)["all"] == 9**18


@pytest.mark.parametrize("nudge", [Fraction(1, 10**11), Fraction(0), Fraction(-1, 10**11)])
def test_contacts_that_nearly_oppose_each_other_lift_or_not_as_integers_say(nudge):
    """Both rows lift together only if they are not opposite; however little they miss it."""
    contacts = Contacts.from_rows([[1, 0], [-1, nudge]], [[[0, 1]], [[0, 1]]])
    if nudge:
        assert count_modes(contacts, touching="++")["all"] == 1
    else:
        with pytest.raises(ModelError, match="no velocity has these signs"):
            count_modes(contacts, touching="++")


@pytest.mark.parametrize(("scene", "total"), [(box_against_walls(2), 228), (box_on_box(1), 9996)])
def test_the_paper_s_scenes_are_counted(scene, total):
    assert count_modes(scene)["all"] == total


def test_integers_count_the_same():
    assert count_modes(box_against_walls(1), exact=True) == {"contacting_separating": 10, "all": 196}


def test_progress_names_every_contacting_separating_mode():
    seen = []
    count_modes(box_against_walls(1), watch=lambda *step: seen.append(step))
    assert [done for done, _, _ in seen] == list(range(1, 11))
    assert seen[-1] == (10, 10, 196)


def test_the_count_is_the_list_for_hands_with_fewer_contacts():
    """Not in general position: the fingers move while the ball rests."""
    hand = hand_with_ball()
    for seed in range(3):
        kept = np.sort(np.random.default_rng(seed).choice(12, 4, replace=False))
        part = replace(
            hand,
            normal=hand.normal[kept],
            tangent=tuple(hand.tangent[i] for i in kept),
            friction=tuple(hand.friction[i] for i in kept),
            sites=tuple(hand.sites[i] for i in kept),
        )
        for exact in (False, True):
            # Rounded to decimals, the links of one finger are no longer in quite so special a position.
            mode_set = modes(part, exact=exact)
            expected = {
                "contacting_separating": mode_set.enumeration.contacting_separating,
                "all": len(mode_set),
            }
            assert count_modes(part, exact=exact) == expected


def test_planes_that_nearly_share_a_line_are_decided_in_integers():
    """Three planes of sliding that miss a common line by 1e-10: 51 sectors, rays and the origin, not 13."""
    apart = Fraction(1, 10**10)
    normal = [[1, 0, 0, 0]]
    together = Contacts.from_rows(normal, [[[0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, 0]]])
    nearly = Contacts.from_rows(normal, [[[0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, apart]]])
    assert count_modes(together)["all"] == 13 + 1
    assert count_modes(nearly)["all"] == 27 + 1 == len(modes(nearly))


def test_an_interrupted_count_has_what_was_counted_by_then():
    seen = []
    for touching, own, every in counts(box_against_walls(1)):
        seen.append(own)
        assert (len(touching), every) == (4, 10)
        if len(seen) == 3:
            break
    assert 0 < sum(seen) < 196


def test_a_listing_beyond_its_limits_is_refused_with_a_lower_bound_before_it_grows():
    cells = []
    limits = Budget(memory=100 << 20, watch=lambda done, total, count: cells.append(count))
    with pytest.raises(UnsupportedError, match=r"at least \d+ modes, more than .*--count.*--stream"):
        modes(hand_with_ball(), limits=limits)
    assert max(cells) < 200_000


def _unit(rows):
    rows = np.array(rows, float)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _faces(normal, planes):
    """Faces inside the cone, in floats and in integers."""
    normal, planes = np.array(normal).reshape(-1, len(planes[0])), np.array(planes)
    ints = normal.astype(int).astype(object), planes.astype(int).astype(object)
    span = np.linalg.svd(_unit(np.concatenate([normal, planes])), full_matrices=False)
    turned = span[2][span[1] > 1e-9].T
    referee = Referee(np.zeros((0, len(planes[0])), object), *ints)
    floats = walk_floats(
        _unit(normal @ turned) if len(normal) else np.zeros((0, turned.shape[1])),
        _unit(planes @ turned),
        lambda: referee,
    )
    number = faces_inside(floats, len(planes))
    assert number == faces_inside(walk_integers(*ints), len(planes))
    return number


@pytest.mark.parametrize(("n", "faces"), [(2, 3), (3, 13), (4, 75), (5, 541)])
def test_planes_between_all_pairs_of_coordinates_have_as_many_faces_as_there_are_rankings_with_ties(n, faces):
    """The braid arrangement: its faces are the ordered set partitions."""
    axes = np.eye(n, dtype=int)
    planes = [axes[i] - axes[j] for i in range(n) for j in range(i)]
    assert _faces(np.zeros((0, n)), planes) == faces


@pytest.mark.parametrize(("n", "faces"), [(2, 17), (3, 147), (4, 1697)])
def test_planes_of_the_cube_s_mirrors_have_as_many_faces_as_signed_rankings(n, faces):
    """Type B: OEIS A080253."""
    axes = np.eye(n, dtype=int)
    pairs = [(i, j) for i in range(n) for j in range(i)]
    planes = [*axes, *(axes[i] - axes[j] for i, j in pairs), *(axes[i] + axes[j] for i, j in pairs)]
    assert _faces(np.zeros((0, n)), planes) == faces


def test_rankings_inside_a_corner_are_all_of_them():
    """All rankings with ties occur among positive numbers; with x the largest, those where it leads."""
    axes = np.eye(4, dtype=int)
    planes = [axes[i] - axes[j] for i in range(4) for j in range(i)]
    assert _faces(axes, planes) == 75
    ahead = [axes[0] - axes[k] for k in (1, 2, 3)]
    rest = [axes[i] - axes[j] for i in (1, 2, 3) for j in range(1, i)]
    assert _faces(ahead, rest) == 13


def test_a_half_plane_cut_by_k_lines_has_k_rays_and_k_plus_1_sectors():
    for k in (1, 2, 5):
        assert _faces([[1, 0]], [[j, 1] for j in range(k)]) == 2 * k + 1


def test_planes_in_general_position_follow_zaslavsky():
    """Faces of codimension i: C(m, i) times the regions of m - i planes in d - i dimensions."""
    for m, d in ((5, 3), (7, 4), (9, 3)):
        planes = [[(k + 1) ** j for j in range(d)] for k in range(m)]  # Vandermonde: any d are independent
        regions = [2 * sum(math.comb(m - i - 1, j) for j in range(d - i)) for i in range(d)]
        assert _faces(np.zeros((0, d)), planes) == 1 + sum(math.comb(m, i) * regions[i] for i in range(d))


def test_very_many_contacts_in_a_plane_are_refused_in_words_not_by_lack_of_memory():
    """Sixteen hundred planes of sliding in three dimensions: some 5 x 10^6 modes while all touch."""
    points = np.random.default_rng(0).uniform(-1, 1, (800, 2))
    contacts = Contacts.from_points([(x, y, 0.0) for x, y in points], [(0.0, 0.0, 1.0)] * len(points))
    with pytest.raises(UnsupportedError, match="planes divide more than"):
        count_modes(contacts)


def test_more_planes_than_a_walk_holds_are_counted_by_a_complex():
    """Seventy lines through one point divide the sliding plane into 280 parts and the point."""
    contacts = Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], planes=70)
    assert count_modes(contacts)["all"] == 4 * 70 + 1 + 1


@pytest.mark.parametrize(
    "ask", [count_modes, lambda contacts, limits: list(stream_texts(contacts, limits=limits))]
)
def test_a_count_or_a_stream_that_runs_out_of_time_says_how_far_it_came(ask):
    """The time is over once the contacting/separating modes are known."""
    limits = Budget()

    limits.watch = lambda done, total, cells: setattr(limits, "until", 0.0 if total == 10 else None)
    with pytest.raises(
        UnsupportedError,
        match=r"in 1 of 10 contacting/separating modes up to \+{4}; allow more \(--seconds\)",
    ):
        ask(box_against_walls(1), limits=limits)
