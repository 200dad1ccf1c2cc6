"""A hook on an elastic joint beside the fasteners of rigid parts, which are decided exactly.

A joint that frees the rotation alone is a hinge with a spring: forces are the same. A beam is one to first
order: hinged where its tip rotates about, under a load where the hook's peak is, and as stiff there. Hooks
of less height bend it less, and the difference shrinks with them.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import detent

RAMP = [[1, 0], [12, 0], [12, 0.5], [4, 3.5], [2.5, 3.5]]


def document(hook: list[list[float]], face: float, joints: dict[str, Any], friction: float) -> dict[str, Any]:
    return {
        "format": "detent/1",
        "units": "mm",
        "parts": {
            "base": {},
            "hook": {"shape": {"outline": hook}},
            "counterpart": {
                "fixed": True,
                "shape": {"outline": [[14, face], [20, face], [20, face + 4], [14, face + 4]]},
            },
        },
        "joints": joints,
        "drives": {"push": {"part": "base", "legs": [{"velocity": [1, 0], "distance": 9}]}},
        "touching": {"friction": friction},
        "ask": {"mate": {"method": "quasistatic" if "hinge" in joints else "compliant"}},
    }


def hinge(at: list[float], stiffness: float) -> dict[str, Any]:
    spring = {"stiffness": stiffness}
    return {"hinge": {"type": "revolute", "between": ["base", "hook"], "at": at, "spring": spring}}


def mated(data: dict[str, Any]) -> Any:
    return detent.mate(detent.loads(json.dumps(data), format="json"))


@pytest.mark.parametrize("friction", [0, 0.25])
def test_an_elastic_joint_that_frees_the_rotation_alone_is_a_hinge(friction: float) -> None:
    at, stiffness = [-30, 0], 20.0
    joint = {"between": ["base", "hook"], "at": at}
    elastic = {"beam": joint | {"type": "elastic", "stiffness": [stiffness], "free": ["turn_z"]}}
    soft = mated(document(RAMP, 1.0, elastic, friction)).legs[0]
    exact = mated(document(RAMP, 1.0, hinge(at, stiffness), friction)).legs[0]
    travel, push = exact.force.travel, exact.force.on_drive
    assert soft.force.peak == pytest.approx(exact.force.peak, rel=1e-4)
    rows = np.array(soft.force.curve_travel_push_lift)
    for k in range(1, len(travel) - 1):
        if travel[k - 1] < travel[k] < travel[k + 1]:
            assert np.interp(travel[k], rows[:, 0], rows[:, 1]) == pytest.approx(
                push[k], abs=2e-3 * exact.force.peak
            )
    kinds = [event.kind for event in exact.events]
    assert [event.kind for event in soft.events if event.kind == "contact"] == [
        kind for kind in kinds if kind == "contact"
    ]


@pytest.mark.parametrize(
    ("friction", "scales", "ratio"), [(0.25, (0.05, 0.005), 0.1), (0, (0.2, 0.02), 0.01)]
)
def test_a_beam_hook_and_the_hinge_that_stands_for_it_agree_to_first_order(
    friction: float, scales: tuple[float, float], ratio: float
) -> None:
    """At a tenth of the height the forces of the two differ by a tenth as much, without friction by a
    hundredth.

    The leg ends with the counterpart's corner 5 mm beyond the beam's tip, on the ramp: there the hinge is
    matched.
    """
    beam = {"length": 40, "height": [5, 2.7], "width": 20, "modulus": 2.7e9}
    joint = {"type": "elastic", "between": ["base", "hook"], "at": [0, 0], "beam": beam}
    differences = []
    for scale in scales:
        hook = [[x, scale * y] for x, y in RAMP]
        elastic = document(hook, scale * 1.0, {"beam": joint}, friction)
        told = detent.explain(detent.loads(json.dumps(elastic), format="json")).elastic["beam"]
        c = told["compliance"]  # w and -w' by F and M; at a force F across, there, M = -F x
        x = 5e-3
        deflects = c[0][0] - 2 * x * c[0][1] + x * x * c[1][1]
        turns = -c[1][0] + x * c[1][1]
        arm = deflects / turns
        pivot = [1e3 * (x - arm), 0]
        soft = mated(elastic).legs[0].force.peak
        hinged = document(hook, scale * 1.0, hinge(pivot, arm**2 / deflects), friction)
        differences.append(float(mated(hinged).legs[0].force.peak) / soft - 1)
    assert 1e-4 < abs(differences[0]) < 0.05
    assert differences[1] / differences[0] == pytest.approx(ratio, rel=0.15)
