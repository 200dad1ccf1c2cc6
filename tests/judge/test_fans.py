"""Fans of directions: boundaries against closed forms, what is proved against exact predictions within."""

from __future__ import annotations

import math
import os
import random
from typing import Any

import numpy as np
import pytest
from flint import fmpq

import detent
from detent.judge.diodes import EnclosedPulls
from detent.model.reading import mechanism
from detent.motion.quasistatic.enclosed import StraightPushes
from detent.motion.quasistatic.exact import PawlRun, StraightPush, run_leg
from detent.motion.quasistatic.machine import fastener
from detent.motion.quasistatic.slice import SlicePoint
from detent.numeric.polynomial import real
from tests.prove.fasteners import random_fastener

FULL = os.environ.get("DETENT_PROVE") == "full"
SEEDS = range(500) if FULL else (1, 3, 7, 19)
FAR = 100.0  # past everything that a random fastener may meet


def _fan(example: str, first: float, last: float, **ask: Any) -> detent.Mechanism:
    plain = detent.load(example).with_("ask.mate.directions", None)
    return plain.with_("ask.mate.fan", {"from_deg": first, "to_deg": last})


def test_a_barb_is_free_from_the_direction_in_which_its_nose_passes_the_bump() -> None:
    """As assembled the nose is at (-21, -35), the tip of the bump at (-30, 0): it passes along (-9, 35)."""
    mating = detent.mate(_fan("diode_b", 104.3, 104.5))
    assert mating.diode is not None
    fan = mating.diode.fan
    assert fan
    (boundary,) = fan.boundaries
    assert (boundary.before, boundary.after) == ("jam", "apart")
    assert boundary.low <= math.atan2(35, -9) <= boundary.high
    assert boundary.high - boundary.low < 1e-12
    assert [piece.outcome for piece in fan.pieces if piece.proved] == ["holds", "apart"]
    share = (math.radians(104.5) - math.atan2(35, -9)) / math.radians(0.2)
    assert fan.share_apart[0] <= share <= fan.share_apart[1]
    assert fan.share_proved > 0.99
    assert mating.diode.total is False
    assert "it changes at 104.420773128°" in mating.words


def _wedge(first: float, last: float) -> StraightPushes:
    """All straight pushes from the drawing between two angles [rad]."""
    one, other = (np.array([math.cos(a), math.sin(a)]) for a in (first, last))
    return StraightPushes(np.zeros(2), (one + other) / 2, np.zeros((1, 2)), ((other - one) / 2)[None, :])


@pytest.mark.parametrize("sign", [1, -1])
def test_a_cap_is_held_up_to_where_its_flat_back_misses_the_rim(sign: int) -> None:
    """The back ends 0.7 mm beyond the rim's corner, 14.7 mm below it: 2.7263 degrees from straight back.

    On the back friction holds it, on the flank it slides off; boxes of wide wedges reach from there to rest.
    """

    def drawn(*points: tuple[float, float]) -> dict[str, Any]:
        return {"shape": {"outline": [[sign * x, y] for x, y in points]}}

    leg = [(8, -2), (8, -24), (9.2, -26), (11, -22.4), (10.4, -20.7), (9.5, -20.7), (9.5, -2)]
    cap = {
        "parts": {
            "cap": drawn((-9, 0), (9, 0), (9, 4), (-9, 4)),
            "leg": drawn(*leg),
            "rim": drawn((9.7, -6), (20, -6), (20, 0), (10.3, 0), (9.7, -0.8)) | {"fixed": True},
        },
        "joints": {
            "hinge": {
                "type": "revolute",
                "between": ["cap", "leg"],
                "at": [sign * 8.75, -4],
                "spring": {"stiffness": 1},
            }
        },
        "drives": {"push": {"part": "cap", "legs": [{"velocity": [0, 1], "distance": 50}]}},
        "touching": {"friction": 0.24, "ignore": ["cap:leg"]},
    }
    machine = fastener(detent.from_dict(cap))
    pulls = EnclosedPulls(machine, (PawlRun(end=SlicePoint(real(0), 0, real(0))),))
    missed = math.atan2(0.7, 14.7)

    def outcome(first: float, last: float) -> str | None:
        begin, end = sorted(math.pi / 2 + sign * angle for angle in (first, last))
        return pulls.outcome(_wedge(begin, end), (FAR, FAR))

    assert outcome(missed - 1e-3, missed - 9.9e-4) == "holds"
    assert outcome(missed + 9.9e-4, missed + 1e-3) == "apart"
    for wide in (math.radians(3.75), 0.1, 0.14):
        assert outcome(0.0, wide) is None


def test_a_wall_beside_the_barb_makes_it_total_and_a_proof_says_so() -> None:
    mating = detent.mate(_fan("diode_b_wall", 160, 164))
    assert mating.diode is not None
    assert mating.diode.total is True
    assert mating.diode.total_is == "proved"
    assert "a kinematic diode, total: proved of every direction from 160° to 164°" in mating.words


def test_the_work_of_a_fan_is_bounded_and_what_is_left_open_is_told() -> None:
    """With few steps little is proved, with more steps more; what is open is told."""
    few, more = (
        detent.mate(_fan("diode_b_wall", 100, 170).with_("ask.mate.fan.most_steps", most)).diode.fan
        for most in (800, 4000)
    )
    for fan, most in ((few, 800), (more, 4000)):
        assert fan.most_steps == most
        assert fan.steps <= most
        held = sum(piece.to - piece.from_ for piece in fan.pieces if piece.proved)
        assert fan.share_proved == pytest.approx(held / math.radians(70), abs=1e-9)
        assert fan.share_apart == (0.0, pytest.approx(1 - fan.share_proved))
    assert 0.05 < few.share_proved < more.share_proved < 1
    # What was not proved is tried, and a total of it is called so.
    assert all(
        piece.tried == 12 for piece in more.pieces if not piece.proved and piece.to - piece.from_ > 1e-3
    )
    mating = detent.mate(_fan("diode_b_wall", 100, 170).with_("ask.mate.fan.most_steps", 800))
    assert mating.diode.total_is == "sampled"
    assert f"its proofs ended at 800 steps with {100 * (1 - few.share_proved):.3g} % open" in mating.words


def test_directions_that_take_it_apart_are_found_where_nothing_is_proved() -> None:
    """The barb comes apart from 104.42° on: with hardly any proof the directions tried say so."""
    diode = detent.mate(_fan("diode_b", 100, 120).with_("ask.mate.fan.most_steps", 20)).diode
    assert diode.fan.share_proved < 0.5
    assert diode.total is False
    assert any(piece.outcome == "apart" for piece in diode.fan.pieces)


@pytest.mark.parametrize(
    ("first", "last", "problem"),
    [
        (200, 300, "contains the direction of the push, 270°"),
        (-100, 100, "contains the direction of the push, 270°"),
        (90, 90, "which is no fan"),
        (120, 60, "which is no fan"),
    ],
)
def test_a_fan_that_asks_for_nothing_is_refused(first: float, last: float, problem: str) -> None:
    with pytest.raises(detent.ModelError, match=problem):
        detent.mate(_fan("diode_b", first, last))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_shown_of_all_pushes_of_a_wedge_is_so_of_every_one_of_them(seed: int) -> None:
    """Random fasteners, the exact sweep at directions of a wedge that enclosures have decided."""
    machine = fastener(mechanism(random_fastener(seed)))
    rng = random.Random(seed)
    starts = [PawlRun(end=SlicePoint(real(0), 0, real(0)))]
    enclosed = EnclosedPulls(machine, tuple(starts))
    push = math.atan2(*(float(each) for each in machine.legs[0].velocity[::-1]))
    for width in (0.1, 0.01, 0.001, 1e-5):
        begin = push + rng.uniform(-0.4, 0.4)
        pushes = _wedge(begin, begin + width)
        outcome = enclosed.outcome(pushes, (FAR, FAR))
        for share in (-1, rng.uniform(-1, 1), 1) if outcome else ():
            x, y = (_exact(each) for each in (pushes.velocity + share * pushes.tilt[0]).tolist())
            run = run_leg(machine, StraightPush((fmpq(0), fmpq(0)), (x, y), real(0)), real(100), starts)
            assert (run.cause == "done") == (outcome == "apart"), (width, share)


def _exact(value: float) -> fmpq:
    return fmpq(*value.as_integer_ratio())
