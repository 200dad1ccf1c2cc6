"""What lies on a drive path, told by one type: of each kind one linkage on which it is known beforehand."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from detent.kinematics import closed_pose, drive_path_of, make_plan
from detent.kinematics.paths import PathEvent, closed_walk, walk_in_segments
from detent.library import linkages
from detent.model.document import Mechanism
from detent.model.machine import plane_linkage_of
from detent.model.reading import convert
from tests.kinematics.closed_forms import four_bar_limits
from tests.kinematics.test_part_rates import parallelogram


def events_of(mechanism: Mechanism) -> tuple[PathEvent, ...]:
    system = plane_linkage_of(mechanism)
    path = drive_path_of(mechanism, system)
    plan = make_plan(system, closed_pose(system, mechanism.start), path.inputs)
    walk = closed_walk if plan.closed_form else walk_in_segments
    return walk(plan, path, True).points


def test_two_branches_meet_at_a_change_point_which_answers_call_a_change():
    mechanism = parallelogram(-180, 7)
    (event,) = events_of(mechanism)
    assert event.kind == "change_point"
    assert event.recorded_kind == "change"
    assert event.at == pytest.approx(0.5, abs=1e-9)
    assert event.inputs == pytest.approx([-math.pi / 2], abs=1e-9)
    (shown,) = detent.move(mechanism).limit_points
    assert (shown.kind, shown.parts, shown.detail) == ("change", event.parts, event.detail)


def test_a_limit_is_where_the_closed_form_has_it_and_names_the_dyad():
    mechanism = linkages.four_bar(4, 3, 3.5, 2)
    event = events_of(mechanism)[0]
    assert event.kind == event.recorded_kind == "limit"
    assert set(event.parts) == {"coupler", "rocker"}
    assert event.row >= 0
    assert event.joint == -1
    angle = math.radians(40) + float(event.inputs[0])
    limits = [s * x for x in four_bar_limits(4, 3, 3.5, 2) for s in (1, -1)]
    assert min(abs(math.remainder(angle - x, 2 * math.pi)) for x in limits) < 1e-12


def crank(limit_deg: float, to_deg: float) -> Mechanism:
    data = {
        "parts": {
            "ground": {"fixed": True, "markers": {"A": [0, 0]}},
            "crank": {"markers": {"A": [0, 0], "B": [0, -1]}},
        },
        "joints": {
            "A": {
                "type": "revolute",
                "between": ["ground.A", "crank.A"],
                "limits": {"min_deg": -100, "max_deg": limit_deg},
            }
        },
        "drives": {"A": {"joint": "A", "from_deg": 0, "to_deg": to_deg, "steps": 9}},
    }
    return convert.mechanism(data)


@pytest.mark.parametrize(("to_deg", "stops"), [(30.0 - 1e-6, False), (30.0 + 1e-6, True)])
def test_a_joint_at_its_own_limit_is_named_just_beyond_it_and_not_just_before(to_deg, stops):
    events = events_of(crank(30.0, to_deg))
    assert [event.kind for event in events] == ["limit"] * stops
    for event in events:
        assert event.joint == 0
        assert event.parts == ("ground", "crank")
        np.testing.assert_allclose(event.inputs, [math.radians(30)], atol=1e-12)
