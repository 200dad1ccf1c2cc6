"""Frames: exact where the document is, honest where it cannot be."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from detent.geometry import AXES, Frame
from detent.geometry import frame as frames

F = Fraction


def rotation_defect(frame: Frame) -> Fraction:
    """Largest entry of R Rᵀ - 1, exactly."""
    rows = frame.rows
    return max(
        abs(sum(a * b for a, b in zip(rows[i], rows[j], strict=True)) - (i == j))
        for i in range(3)
        for j in range(3)
    )


def random_axis(rng: random.Random) -> frames.Exact3:
    return F(rng.randint(-9, 9)), F(rng.randint(-9, 9), 7), F(rng.randint(1, 9), 3)


@pytest.mark.parametrize("seed", range(20))
def test_any_chain_of_turns_and_mirrors_is_rigid_to_the_last_digit(seed: int) -> None:
    rng = random.Random(seed)
    placed = frames.IDENTITY
    for _ in range(5):
        turned = frames.turn_deg(F(rng.randint(-4000, 4000), 10), random_axis(rng))
        placed = turned @ frames.mirror(random_axis(rng)) @ frames.along(random_axis(rng)) @ placed
    assert rotation_defect(placed) == 0
    assert placed.mirrored


@pytest.mark.parametrize("degrees", [F(7), F(-40), F(1, 10**9), F(179999, 1000), F(3607), F(-10000), F(200)])
def test_a_turn_is_the_one_asked_for_as_far_as_doubles_tell(degrees: Fraction) -> None:
    x, y, z = map(float, frames.turn_deg(degrees).direct(AXES["x"]))
    angle = math.radians(float(degrees % 360))
    assert (x, y, z) == pytest.approx((math.cos(angle), math.sin(angle), 0.0), abs=4e-16)


def test_quarter_turns_and_rational_directions_lose_nothing() -> None:
    assert frames.turn_deg(F(90)).direct(AXES["x"]) == AXES["y"]
    assert frames.turn_deg(F(-450)).direct(AXES["y"]) == AXES["x"]
    assert frames.along((F(3), F(4))).direct(AXES["x"]) == (F(3, 5), F(4, 5), 0)
    assert frames.along((F(1), F(2), F(-2))).direct(AXES["x"]) == (F(1, 3), F(2, 3), F(-2, 3))
    assert frames.turn_deg(F(90), (F(0), F(3), F(4))).approximated == ()
    assert frames.turn_deg(F(7)).approximated[0].asked == "7 deg"


def test_a_direction_of_irrational_length_says_which_rational_was_taken() -> None:
    placed = frames.along((F(1), F(1)))
    assert rotation_defect(placed) == 0
    t = placed.approximated[0].half_tangent
    assert placed.rows[0][0] == (1 - t * t) / (1 + t * t)
    assert float(t) == pytest.approx(math.tan(math.pi / 8), abs=1e-16)


def test_the_inverse_undoes_and_a_point_stays_on_the_axis() -> None:
    turned = frames.about(frames.turn_deg(F(5)), (F(0), F("7.5")))
    assert turned.apply((F(0), F("7.5"), F(3))) == (0, F("7.5"), 3)
    back = turned.inverse() @ turned
    assert (back.rows, back.origin) == (frames.IDENTITY.rows, frames.IDENTITY.origin)


def test_axes_put_z_along_the_axis_and_x_across() -> None:
    placed = frames.axes((F(2), F(1), F(2)), (F(1), F(0), F(0)))
    z = tuple(map(float, placed.direct(AXES["z"])))
    x = tuple(map(float, placed.direct(AXES["x"])))
    assert z == pytest.approx((2 / 3, 1 / 3, 2 / 3), abs=1e-15)
    wanted = (1 - 4 / 9, -2 / 9, -4 / 9)
    assert x == pytest.approx([c / math.hypot(*wanted) for c in wanted], abs=1e-15)
    assert rotation_defect(placed) == 0
