"""Joints found from shapes and the same joints written by hand: one graph, one mobility, the same rows."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from detent.infer import resolved
from detent.mechanics import constraint_rows_at
from detent.model import Mechanism, compile_system
from tests.conftest import DATA

Z, X = [0, 0, 1], [1, 0, 0]


def joint(kind: str, first: str, second: str, at: list[object], along: list[int]) -> dict[str, object]:
    return {"type": kind, "between": [first, second], "at": at, "along": along}


WRITTEN = {
    "escapement": {
        "lever": joint("revolute", "frame", "lever", [0, "7.5", 0], Z),
        "bwheel": joint("revolute", "frame", "bwheel", [0, 20, 0], Z),
        "ewheel": joint("revolute", "frame", "ewheel", [0, 0, 0], Z),
    },
    "crank": {
        "crank": joint("revolute", "frame", "crankshaft", [0, 0, 0], Z),
        "frame_piston": joint("prismatic", "frame", "piston", [104, 0, 0], X),
        "crankshaft_rod": joint("revolute", "crankshaft", "rod", [24, 18, 0], Z),
        "rod_piston": joint("revolute", "rod", "piston", [104, 0, 0], Z),
    },
}


def by_hand(name: str) -> Mechanism:
    return detent.load(name).with_("joints", WRITTEN[name])


@pytest.mark.parametrize("name", WRITTEN)
def test_the_same_rows_and_the_same_mobility(name: str):
    found, written = (compile_system(m) for m in (resolved(detent.load(name)), by_hand(name)))
    assert [joint.name for joint in found.joints] == [joint.name for joint in written.joints]
    rows = [constraint_rows_at(system, system.drawn) for system in (found, written)]
    assert rows[0].names == rows[1].names
    assert np.array_equal(rows[0].matrix, rows[1].matrix)
    explained = [detent.explain(m) for m in (detent.load(name), by_hand(name))]
    assert explained[0].mobility.actual == explained[1].mobility.actual
    assert explained[0].subsystems == explained[1].subsystems
    assert explained[0].interactions == explained[1].interactions
    assert {joint.compared for joint in explained[1].joints} == {"agrees"}


def test_the_same_motion():
    found, written = detent.move("crank"), detent.move(by_hand("crank"))
    for part, poses in found.poses.items():
        assert np.array_equal(poses, written.poses[part])


@pytest.mark.parametrize(("found", "written"), [("ratchet", "ratchet_ccw"), ("rotary_to_rocking",) * 2])
def test_the_same_run(found: str, written: str):
    """The gallery's machines have pins and holes; the reference's the same parts with joints written."""
    drawn, given = detent.load(found), detent.load(DATA / "reference" / "machines" / f"{written}.toml")
    explained = [detent.explain(machine) for machine in (drawn, given)]
    assert [j.inferred for j in explained[0].joints] == [True, True]
    assert [j.inferred for j in explained[1].joints] == [False, False]
    assert explained[0].mobility.actual == explained[1].mobility.actual
    assert explained[0].interactions == explained[1].interactions
    runs = [detent.run(machine, method=detent.Rigid(), until=8.0) for machine in (drawn, given)]
    for joint, column in runs[0].states.items():
        assert column == pytest.approx(runs[1].states[joint], abs=1e-5)
