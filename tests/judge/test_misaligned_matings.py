"""Rigid matings in a batch: each is that of its document written out; outcomes by what stops the peg."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from detent.foundation import ModelError, UnsupportedError
from detent.judge import MisalignedMatings, mate_batch
from detent.record import RigidMating


def designs(name: str, count: int, spread: float, tilt: float, seed: int = 3) -> MisalignedMatings:
    random = np.random.default_rng(seed)
    offsets = random.uniform(-spread, spread, (count, 3))
    return MisalignedMatings.read(detent.load(name), offsets, random.uniform(-tilt, tilt, (count, 3)))


@pytest.mark.parametrize("name", ["rect_peg_carrier", "rect_peg_puma", "round_peg_carrier"])
def test_each_of_a_batch_is_the_mating_of_its_document_to_the_last_digit(name: str) -> None:
    every = designs(name, 4, 1.5, 0.4)
    batch = mate_batch(every)
    number = 2
    mating = detent.mate(every.document(number))
    assert isinstance(mating, RigidMating)
    (leg,) = mating.legs
    assert batch["depth"][number] == leg.end.depth
    assert batch["push"][number] == pytest.approx(-leg.force.extreme, rel=1e-9)
    assert batch["overlap"][number] == leg.penetration_um
    assert (batch["outcome"][number] == "in") == (leg.end.cause == "done")


# A peg of 10 x 10 with a chamfer of 1, 1 mm before a hole of 10.2 x 10.2, on a carrier that does not tilt.
PEG = """
format = "detent/1"
units = "mm"
dimension = 3
[parts.carrier]
[parts.peg]
shape = { block = [30, 10, 10], edges = [{ face = "+x", chamfer = 1 }], moves = [{ move = [-31, -5, -5] }] }
mass = 1
center = [-40, 0, 0]
principal = [1e-3, 1e-3, 1e-3]
[parts.plate]
fixed = true
shape.difference = [
  { block = [20, 40, 40], moves = [{ move = [0, -20, -20] }] },
  { block = [18, 10.2, 10.2], moves = [{ move = [0, -5.1, -5.1] }] },
]
[joints.grip]
type = "elastic"
between = ["carrier", "peg"]
at = [-40, 0, 0]
stiffness = [20000, 20000, 20000, 20000, 20000, 20000]
damping = [200, 200, 200, 20, 20, 20]
[drives.push]
part = "carrier"
legs = [{ velocity = [30, 0, 0], distance = 12, ramp = 600 }]
[touching]
friction = FRICTION
[ask.mate]
method = "rigid"
"""


def outcomes(friction: float, offsets: list[list[float]]) -> list[str]:
    mechanism = detent.loads(PEG.replace("FRICTION", str(friction)))
    return mate_batch(MisalignedMatings.read(mechanism, offsets))["outcome"].tolist()


def test_the_chamfer_catches_what_it_reaches_and_no_more() -> None:
    """The tip is 8 wide and the hole 10.2: beside it by 1.1, it stands on the block's face."""
    found = outcomes(0.1, [[0, 0, 0], [0, 1.05, 0], [0, 1.15, 0], [0, 0, -1.05], [0, 0, -1.15]])
    assert found == ["in", "in", "missed the chamfer", "in", "missed the chamfer"]


def test_a_chamfer_hangs_at_the_rim_from_the_friction_at_which_it_does_not_slide() -> None:
    """A face of 45 degrees slides below a coefficient of one."""
    assert outcomes(0.8, [[0, 0.6, 0]]) == ["in"]
    assert outcomes(1.2, [[0, 0.6, 0]]) == ["blocked at the rim"]


def test_a_hole_that_the_peg_begins_in_is_told_and_ends_no_other() -> None:
    mechanism = detent.loads(PEG.replace("FRICTION", "0.1"))
    batch = mate_batch(MisalignedMatings.read(mechanism, [[-3, 0, 0.5], [0, 0, 0]]))
    assert batch["outcome"].tolist() == ["overlaps", "in"]
    assert "plate" in batch.reasons[0]


def test_what_is_no_rigid_mating_and_no_row_of_numbers_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="rigid"):
        MisalignedMatings.read(detent.load("robot_oring_near"), [[0, 0, 0]])
    with pytest.raises(ModelError, match="offsets"):
        MisalignedMatings.read(detent.load("rect_peg_carrier"), [[0, 0]])
    with pytest.raises(ModelError, match="tilts_deg"):
        MisalignedMatings.read(detent.load("rect_peg_carrier"), np.zeros((3, 3)), np.zeros((2, 3)))


def test_pegs_pushed_into_a_corner_of_their_hole_are_decided() -> None:
    """Eight contacts on six freedoms: pivots with as little give as rounding ended some of these runs."""
    offsets = [[0, 2.642205374849091, -4.387935238957524], [0, 1.2700934591854816, -3.578429683993742]]
    mechanism = detent.load("rect_peg_carrier")
    batch = mate_batch(MisalignedMatings.read(mechanism, [*offsets, [0, 0.001, 0.5313677]]))
    assert batch["outcome"].tolist() == ["in"] * 3
    assert (batch["overlap"] < 0.1).all()
