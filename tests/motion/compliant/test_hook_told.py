"""What is told of a hook: whether it is in, what it loses, what is left out."""

from __future__ import annotations

from functools import cache

import pytest

import detent
from detent.record import CompliantMating

HOOK = """
format = "detent/1"
units = "mm"
[parts.base]
fixed = true
[parts.hook]
shape.outline = [[0, 0], [10, 0], [10, 0.4], [5, 2.4], [3.4, 2.4], [2.6, 0.9], [0, 0.9]]
[parts.clip]
shape.outline = [[12, 0.9], [15, 0.9], [15, 5], [12, 5]]
[joints.beam]
type = "elastic"
between = ["base", "hook"]
at = [0, 0]
beam = { length = 18, height = [2, 1.2], width = 6, modulus = 2.9e9 }
[drives.push]
part = "clip"
legs = [{ velocity = [-1, 0], distance = 11 }, { back = true }]
[touching]
friction = 0
"""


@cache
def told(text: str) -> CompliantMating:
    mating = detent.mate(detent.loads(text))
    assert isinstance(mating, CompliantMating)
    return mating


def test_a_contact_that_comes_with_its_overlap_loses_nothing_and_energy_is_kept() -> None:
    """Without friction the drive gets back what was stored, less what is dissipated."""
    soft = told(HOOK + 'pairs."clip:hook" = { stiffness = 2e5 }\n')
    back = soft.legs[1]
    snaps = [float(event.detail.split()[0]) for event in back.events if event.kind == "snap"]
    assert min(snaps) > 0
    assert sum(snaps) == pytest.approx(back.force.dissipated, rel=1e-5)
    assert [event.kind for event in back.events][1:3] == ["contact", "snap"]
    assert "overlap already there" in back.events[1].detail
    assert sum(leg.force.work for leg in soft.legs) == pytest.approx(
        sum(leg.force.dissipated or 0.0 for leg in soft.legs), rel=0.02
    )


@pytest.mark.parametrize(
    ("travel", "answer"), [(5, "not yet"), (11, "not yet"), (11.5, "yes"), (11.8, "yes"), (14, "yes")]
)
def test_a_hook_on_its_ramp_or_peak_is_not_in_yet(travel: float, answer: str) -> None:
    """The clip's back end goes over the peak of the hook, which leans, a little before 11.6 mm."""
    text = HOOK.replace("{ velocity = [-1, 0], distance = 11 }, { back = true }", "LEG")
    text = text.replace("LEG", f"{{ velocity = [-1, 0], distance = {travel} }}")
    insertion = told(text).insertion
    assert insertion.answer == answer
    assert ("hook lies on clip/" in insertion.why) == (answer == "not yet")


def test_shear_of_a_stout_beam_is_left_out_by_name() -> None:
    stout = "joints.beam: shear in the beam (its length is only 9 times its thickness)"
    assert stout in told(HOOK).scope.left_out


def in_space(text: str) -> str:
    start, end = text.index("[parts.hook]"), text.index("[joints.beam]")
    outline = "[[0, 0], [10, 0], [10, 0.4], [5, 2.4], [3.4, 2.4], [2.6, 0.9], [0, 0.9]]"
    hook = f"prism = {{ outline = {outline}, height = 4 }}"
    hook += ', moves = [{ turn_deg = 90, about = "x" }, { move = [0, 2, 0] }]'
    clip = "block = [3, 12, 4.1], moves = [{ move = [12, -6, 0.9] }]"
    hook = hook.replace("prism = {", "shape = { prism = {", 1).replace("]\n", "]") + " }"
    parts = f"[parts.hook]\n{hook}\n[parts.clip]\nshape = {{ {clip} }}\n"
    text = text[:start] + parts + text[end:]
    text = text.replace("at = [0, 0]", "at = [0, 0, 0]").replace("[-1, 0]", "[-1, 0, 0]")
    return text.replace('units = "mm"', 'units = "mm"\ndimension = 3')


def test_a_push_that_turns_round_sticks_in_space_as_in_the_plane() -> None:
    """Events, and the work with its column: a step of the way must not pass over friction's reversal."""
    text = HOOK.replace("distance = 11", "distance = 5").replace("friction = 0", "friction = 0.3")
    flat, deep = told(text).legs[1], told(in_space(text)).legs[1]
    kinds = ["stick", "slide", "release"]
    assert [event.kind for event in flat.events] == [event.kind for event in deep.events] == kinds
    for one, other in zip(flat.events, deep.events, strict=True):
        assert one.travel == pytest.approx(other.travel, abs=1e-3)
    assert deep.force.work == pytest.approx(flat.force.work, rel=1e-4)


def test_of_several_hooks_a_leg_that_touches_nothing_is_told() -> None:
    legs = "legs = [{ velocity = [-1, 0], distance = 1 }, { velocity = [-1, 0], distance = 13 }]"
    twice = HOOK.replace("legs = [{ velocity = [-1, 0], distance = 11 }, { back = true }]", legs)
    twice += """
[parts.other]
shape.outline = [[0, 5.9], [10, 5.9], [10, 5.5], [5, 3.5], [3.4, 3.5], [2.6, 5], [0, 5]]
[joints.other_beam]
type = "elastic"
between = ["base", "other"]
at = [0, 5.9]
beam = { length = 18, height = [2, 1.2], width = 6, modulus = 2.9e9 }
"""
    first, second = told(twice).legs
    assert first.contact_sequence == ((),)
    assert first.force.work == 0
    assert any(len(names) == 2 for names in second.contact_sequence)


@pytest.mark.parametrize(
    ("ways", "answer", "last_leg"),
    [
        ((1, 13), "yes", 2),
        ((6, 8), "yes", 2),
        ((13, 1), "yes", 2),
        ((1, 4), "not yet", 2),
        ((0.5, 1), "nothing touched", 2),
    ],
)
def test_a_push_in_several_legs_is_in_as_one_leg_is(
    ways: tuple[float, float], answer: str, last_leg: int
) -> None:
    split = ", ".join(f"{{ velocity = [-1, 0], distance = {way} }}" for way in ways)
    text = HOOK.replace("{ velocity = [-1, 0], distance = 11 }", split)
    once = HOOK.replace("distance = 11", f"distance = {sum(ways)}")
    got, whole = told(text), told(once)
    assert (got.insertion.answer, got.insertion.last_leg) == (answer, last_leg)
    assert whole.insertion.answer == answer
    assert len(got.legs) == 3  # the way back is no leg of the insertion


def test_an_outline_that_crosses_itself_is_refused() -> None:
    """It bounds nothing that could be touched; a snap was told of it."""
    crossed = HOOK.replace("[5, 2.4], [3.4, 2.4]", "[3.4, 2.4], [5, 0]").replace("[2.6, 0.9]", "[2.6, -1]")
    with pytest.raises(detent.ModelError, match=r"parts\.hook\.shape\.outline: edges \d and \d cross"):
        detent.mate(detent.loads(crossed))
