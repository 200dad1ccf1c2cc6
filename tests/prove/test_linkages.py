"""Random linkages against an independent solver: positions, limits, and what must not matter.

Every case is a crank and one to four groups (all five dyads, and the triangle on three arms), each part
with a frame of its own at random, driven over a random range of which many cases reach a limit.
"""

from __future__ import annotations

import numpy as np
import pytest

from detent.model.document import Mechanism
from detent.motion import move
from tests.conftest import campaign
from tests.kinematics.documents import mirrored, shuffled, with_inputs
from tests.kinematics.inputs import document_inputs
from tests.kinematics.oracle import BrokenError, Oracle
from tests.kinematics.random_linkages import DYADS, random_linkage

CASES = campaign(share=16, full=400)
PARALLEL = 129  # two slides become parallel behind a triangle on three arms
CLOSE = 1e-10  # of the size
AWAY = 10  # sizes: a marker on its way to infinity


def case(seed: int) -> Mechanism:
    return random_linkage(seed, groups=1 + seed % 4, kinds=DYADS if seed % 3 else (*DYADS, "triad"))


def worst(markers: dict, expected: dict, size: float) -> float:
    return (
        max(float(np.abs(np.asarray(markers[name]) - track).max()) for name, track in expected.items()) / size
    )


@pytest.mark.parametrize("seed", sorted({*range(CASES), PARALLEL}))
def test_a_random_linkage_moves_and_stops_as_the_independent_solver_says(seed):
    mechanism = case(seed)
    oracle = Oracle(mechanism)
    motion = move(mechanism)
    frames, broken = [], False
    for (x,) in document_inputs(mechanism):
        try:
            frames.append(oracle.to(x))
        except BrokenError:
            broken = True
            break
    reached = len(frames)
    moving = [name for name in oracle.places if not name.startswith("ground.")]
    expected = {name: np.array([f[name] for f in frames]) for name in moving}
    found = {name: np.asarray(track)[:reached] for name, track in motion.markers.items()}
    assert worst(found, expected, oracle.size) < CLOSE
    assert oracle.error < 1e-12
    if not broken:
        assert motion.stop == "done"
        return
    assert motion.stop == "limit"
    if max(abs(x) for point in oracle.markers().values() for x in point) > AWAY * oracle.size:
        # Two slides become parallel and meet nowhere; the oracle cannot follow them there.
        assert motion.stopped_at == pytest.approx(oracle.inputs[0], abs=2e-2)
    else:
        assert motion.stopped_at == pytest.approx(oracle.limit(), abs=1e-9)


@pytest.mark.parametrize("seed", range(0, CASES, 4))
def test_the_order_of_parts_and_joints_does_not_matter(seed):
    mechanism = case(seed)
    plain, other = move(mechanism), move(shuffled(mechanism, seed))
    size = Oracle(mechanism).size
    assert other.stop == plain.stop
    assert worst(other.markers, plain.markers, size) < CLOSE
    np.testing.assert_allclose(other.limits, plain.limits, atol=1e-9)


@pytest.mark.parametrize("seed", range(1, CASES, 4))
def test_a_mirrored_document_has_the_mirrored_motion(seed):
    mechanism = case(seed)
    plain, image = move(mechanism), move(mirrored(mechanism))
    turned = {name: np.asarray(track) * [1, -1] for name, track in plain.markers.items()}
    assert image.stop == plain.stop
    assert worst(image.markers, turned, Oracle(mechanism).size) < CLOSE
    np.testing.assert_allclose(np.sort(image.limits), np.sort(-np.array(plain.limits)), atol=1e-9)


@pytest.mark.parametrize("seed", range(2, CASES, 4))
def test_the_length_of_the_steps_does_not_matter(seed):
    mechanism = case(seed)
    inputs = [x for (x,) in document_inputs(mechanism)]
    coarse = move(mechanism)
    fine = move(
        with_inputs(
            mechanism, np.interp(np.arange(0, len(inputs) - 1 + 1e-9, 0.2), range(len(inputs)), inputs)
        )
    )
    assert fine.stop == coarse.stop
    count = len(coarse.inputs) - (coarse.stop == "limit")
    for name, track in coarse.markers.items():
        assert (
            np.abs(np.asarray(fine.markers[name])[::5][:count] - np.asarray(track)[:count]).max()
            < CLOSE * Oracle(mechanism).size
        )
