"""The snap hook on a beam beside the curve that was computed from assumed data
(`tests/data/reference/assembly`).

That curve follows the seed's three kinds of contact in a sequence that its author chose: the ramp on the
counterpart's corner, the two corners of the peak on its face, the return on its other corner. Bent down, the
hook leans by a tenth of a radian, and between the two corners of its peak the counterpart's corner meets the
peak's own edge. The reference leaves that contact out, and is inside the hook there.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shapely import Polygon
from shapely.affinity import rotate, translate

import detent
from detent.record import CompliantMating

REFERENCE = Path(__file__).parents[1] / "data" / "reference" / "assembly"
EXPECTED = json.loads((REFERENCE / "snap_hook_beam.expected.json").read_text())["mate"]["legs"][0]
# Where the counterpart's corner passes the edge of the peak [mm], as `detent mate` has it.
ON_THE_PEAK = (9.678, 11.152)
NEAR_A_JUMP = 0.1


@cache
def leg() -> Any:
    mating = detent.mate(detent.load(REFERENCE / "snap_hook_beam.toml"))
    assert isinstance(mating, CompliantMating)
    return mating.legs[0]


def test_the_curve_is_the_reference_away_from_jumps_and_from_the_contact_that_it_leaves_out() -> None:
    rows = np.array(leg().force.curve_travel_push_lift)
    jumps = [event.travel for event in leg().events if event.kind == "snap"]
    peak, highest, compared = EXPECTED["force"]["peak_push"], EXPECTED["force"]["peak_lift"], 0
    for travel, push, lift in EXPECTED["force"]["curve_travel_push_lift"]:
        if ON_THE_PEAK[0] < travel < ON_THE_PEAK[1] or min(abs(travel - j) for j in jumps) < NEAR_A_JUMP:
            continue
        assert np.interp(travel, rows[:, 0], rows[:, 1]) == pytest.approx(push, abs=0.02 * peak)
        assert np.interp(travel, rows[:, 0], rows[:, 2]) == pytest.approx(lift, abs=0.02 * highest)
        compared += 1
    assert compared >= 44


def test_peaks_jumps_and_pull_in_are_those_of_the_reference() -> None:
    force = leg().force
    assert force.peak_push == pytest.approx(EXPECTED["force"]["peak_push"], rel=0.02)
    assert force.peak_at_travel_mm == pytest.approx(EXPECTED["force"]["peak_at_travel_mm"], abs=0.06)
    assert force.pull_in == pytest.approx(EXPECTED["force"]["pull_in"], rel=0.02)
    assert force.peak_lift == pytest.approx(EXPECTED["force"]["peak_lift"], rel=0.02)


def test_contacts_are_those_of_the_reference_but_where_it_is_inside_the_hook() -> None:
    """The overlap at a state of the reference, by polygons: contact of the peak's first corner on the
    face.
    """
    here, there = leg().contact_sequence, EXPECTED["contact_sequence"]
    assert [list(names) for names in (*here[:2], *here[3:])] == [*there[:2], *there[3:]]
    assert (list(here[2]), there[2]) == (["counterpart/0.v0:hook/0.e3"], ["counterpart/0.e0:hook/0.v3"])
    travel, push, lift = next(row for row in EXPECTED["force"]["curve_travel_push_lift"] if row[0] > 11)
    arm = 4.33  # of the peak's first corner, where the reference has its contact [mm]
    moment = -arm * lift + 3.45 * push
    compliance = np.linalg.inv([[45544.77, 638.81], [638.81, 14.28542]])
    w, turned = compliance @ [-lift, -1e-3 * moment]
    outline = Polygon([[1, 0], [12, 0], [12, 0.5], [4, 3.5], [2.5, 3.5]])
    hook = translate(rotate(outline, -turned, (0, 0), use_radians=True), 0, 1e3 * w)
    counterpart = Polygon([[14 - travel, 1], [20 - travel, 1], [20 - travel, 5], [14 - travel, 5]])
    common = hook.intersection(counterpart)
    assert common.area > 0.05
    depth = common.bounds[3] - common.bounds[1]
    assert depth == pytest.approx(-math.tan(-turned) * 1.36, rel=0.15)
    assert depth > 0.1
