"""What `explain` says of rings and hooks: their figures in closed form, and what locks by full runs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import detent

SINKS = """
format = "detent/1"
units = "mm"

[parts.base]
fixed = true

[parts.hook]
shape.outline = [[1, 0], [12, 0], [12, 0.5], [4, 3.5], [2.5, 3.5]]

[parts.counterpart]
shape.outline = [[14, 1], [20, 1], [20, 5], [14, 5]]

[joints.spring]
type = "elastic"
between = ["base", "hook"]
at = [0, 0]
stiffness = [[10000]]
free = ["y"]

[drives.push]
part = "counterpart"
legs = [{ velocity = [-1, 0], distance = 22 }, { back = true }]

[touching]
friction = MU
"""


def told(document: str, name: str) -> dict[str, Any]:
    machine = detent.load(document) if "\n" not in document else detent.loads(document)
    found: dict[str, Any] = detent.explain(machine).connections[name]
    return found


def test_a_hook_that_only_sinks_locks_by_the_cotangents_of_its_angles() -> None:
    hook = told(SINKS.replace("MU", "0.25"), "spring")
    (ramp,), (back,) = hook["ramps"], hook["returns"]
    assert ramp["angle_deg"] == pytest.approx(math.degrees(math.atan2(3, 8)))
    assert back["angle_deg"] == pytest.approx(math.degrees(math.atan2(3.5, 1.5)))
    assert ramp["locks_from_friction"] == pytest.approx(8 / 3)
    assert back["locks_from_friction"] == pytest.approx(1.5 / 3.5)
    assert hook["stiffness"][0][0] == 10000


def test_a_return_locks_above_the_friction_that_is_told_and_not_below() -> None:
    bound = told(SINKS.replace("MU", "0.25"), "spring")["returns"][0]["locks_from_friction"]
    causes = [
        detent.mate(detent.loads(SINKS.replace("MU", f"{share * bound:.6f}"))).legs[1].end.cause
        for share in (0.99, 1.01)
    ]
    assert causes == ["done", "jam"]


def test_a_hook_on_a_beam_locks_by_the_beams_compliance_at_the_corner_that_locks_first() -> None:
    (ramp,) = told("snap_hook", "beam")["ramps"]
    compliance = np.linalg.inv([[45544.77, 638.81], [638.81, 14.28542]])  # of (w, -w')
    normal = np.array([-3.0, -8.0]) / math.hypot(3, 8)  # towards the hook
    slides = np.array([8.0, -3.0]) / math.hypot(3, 8)  # of the hook past what comes along -x

    def locks(x: float, y: float) -> float:
        """A force at a point moves the beam's tip by (F_y, M): counter-clockwise, -w' is clockwise."""
        rates = np.array([[0.0, 1e-3 * y], [1.0, -1e-3 * x]])  # of the point by (w, -w')
        gives = rates @ compliance @ rates.T
        return float((normal @ gives @ normal) / (normal @ gives @ slides))

    assert ramp["locks_from_friction"] == pytest.approx(min(locks(12, 0.5), locks(4, 3.5)), rel=1e-5)


def test_faces_beside_the_counterpart_are_no_slopes_and_a_face_across_the_push_is_a_return() -> None:
    hook = told("hook_on_plate", "wall")
    assert [each["face"] for each in hook["ramps"]] == ["hook/0.f3"]
    assert [round(each["angle_deg"], 9) for each in hook["returns"]] == [90.0]


def test_a_ring_is_told_with_its_squeeze_line_load_and_bore_in_words_and_data() -> None:
    explained = detent.explain("oring")
    ring = explained.connections["ring"]
    a = 10e-3 + 3.15e-3 - 13e-3
    assert ring["squeeze [mm]"] == pytest.approx(1e3 * a)
    assert ring["line_load [N/m]"] == pytest.approx(16e6 * a + 43e9 * a * a)
    assert (ring["bore"], ring["bore_radius [mm]"]) == ("bore", pytest.approx(13.0))
    assert "squeezed by 0.15 mm, 4.76 % of its section, carrying 3368 N/m" in explained.words


def test_what_a_mating_would_refuse_is_said_and_not_raised() -> None:
    ring = 'format = "detent/1"\ndimension = 3\nunits = "mm"\n[parts.ring]\nlibrary = "oring"\n'
    ring += "set = { inner_diameter = 20, section = 3.15, pressure = [16e6, 43e9] }\n"
    (why,) = detent.explain(detent.loads(ring)).connections.values()
    assert "no drive pushes a part along legs" in why["why_not"]


def test_stress_that_is_not_told_is_named_with_its_reason() -> None:
    on_a_foot = detent.mate("hook_on_plate").scope.left_out
    on_a_matrix = detent.mate(detent.loads(SINKS.replace("MU", "0"))).scope.left_out
    reason = "joints.wall: stress and strain, largest at the foot"
    assert any(line.startswith(reason) for line in on_a_foot)
    assert "joints.spring: stress and strain, which a matrix does not tell" in on_a_matrix
