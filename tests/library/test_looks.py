"""What library parts look like: the arm is placed where the robot's published geometry puts it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from detent.geometry import Torus, leaves
from detent.io import native
from detent.library import brought, link_frames, solid_of
from tests.conftest import REFERENCE

WORKING_POINT = (4.6, -157.2, 27.5, 0.0, -50.3, 4.6)


def test_the_wrist_and_the_tool_stand_where_two_other_programs_put_them() -> None:
    expected = json.loads((REFERENCE / "assembly" / "puma_rect_working_point.expected.json").read_text())
    robot = expected["explain"]["robots"]["robot"]
    flange = link_frames(np.radians(WORKING_POINT))[-1]
    assert flange[:3, 3] == pytest.approx(robot["wrist"], abs=6e-6)
    assert flange[:3, 2] == pytest.approx(robot["tool_axis"], abs=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_upper_arm_and_forearm_keep_their_lengths(seed: int) -> None:
    frames = link_frames(np.random.default_rng(seed).uniform(-3, 3, 6))
    elbow = frames[2][:3, 3] - frames[1][:3, 3]
    assert np.linalg.norm(elbow) == pytest.approx(0.4318)
    assert np.linalg.norm(frames[4][:3, 3] - frames[3][:3, 3]) == pytest.approx(0.4318)
    for frame in frames:
        assert frame[:3, :3] @ frame[:3, :3].T == pytest.approx(np.eye(3))


def test_the_flange_is_given_in_the_documents_units() -> None:
    metres = native.load(REFERENCE / "assembly" / "puma_rect_working_point.toml")
    millimetres = native.load(REFERENCE / "assembly" / "rect_peg_puma_mu01_y4_z0.toml")
    one, two = (brought(m)["robot.flange"].matrix[:, 3] for m in (metres, millimetres))
    assert two == pytest.approx(1000 * one, rel=1e-9)


def test_an_o_ring_sits_on_its_groove() -> None:
    solid = solid_of(native.load(REFERENCE / "assembly" / "oring_bore.toml"), "ring")
    assert solid is not None
    ring = next(leaves(solid)).primitive
    assert isinstance(ring, Torus)
    assert ring.radius - ring.tube == 10
    assert 2 * float(ring.tube) == pytest.approx(3.15)
