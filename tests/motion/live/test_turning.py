"""A part turned to a direction: held, with the joints closed, up to where `move` says that it ends."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import detent
from detent.foundation import ModelError
from detent.kinematics.equations import residual_and_jacobian, rows_of
from detent.motion.live import turned


@pytest.mark.parametrize("degrees", [90, -30, 200, 359])
@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "jansen_leg"])
def test_a_crank_is_where_it_was_turned_to_and_every_joint_closes(name, degrees):
    mechanism = detent.load(name)
    crank = "I" if name == "four_bar" else "crank"
    system, poses = turned(mechanism, None, crank, math.radians(degrees))
    angle = poses[system.parts.index(crank), 2]
    assert math.remainder(angle - math.radians(degrees), 2 * math.pi) == pytest.approx(0, abs=1e-12)
    assert np.abs(residual_and_jacobian(rows_of(system), poses)[0]).max() <= system.tolerance.length


@pytest.mark.parametrize("part", ["II", "III"])
def test_a_rocker_is_refused_beyond_the_range_that_move_finds(part):
    """Two methods: closings in short steps here, the swept crank with its extremes there."""
    mechanism = detent.load("four_bar")
    angles = np.unwrap(np.asarray(detent.move(mechanism).poses[part])[:, 2])
    swept = math.degrees(angles.max() - angles.min())
    with pytest.raises(ModelError, match="do not let it turn so far") as refused:
        turned(mechanism, None, part, math.pi + float(angles[0]))
    low, high = (float(v) for v in re.findall(r"([+-][\d.]+)°", str(refused.value)))
    assert (
        high - low >= swept - 0.02
    )  # rounded in words; between the positions of the sweep it goes a little farther
    assert high - low == pytest.approx(swept, abs=0.2)


def test_what_is_fixed_does_not_turn():
    with pytest.raises(ModelError, match="is fixed"):
        turned(detent.load("four_bar"), None, "ground", 1.0)
