"""Forces over many turns of a drive: what repeats is looked at once, what does not all the way."""

from __future__ import annotations

import math
from typing import Any

import pytest

import detent
from detent.kinematics.equations import forces

LEFT = 1.0 + 1e-9


def driven(turns: int, steps: int, *, at_speed: bool = False, **joint: Any) -> detent.Mechanism:
    """The four-bar with a weight on its coupler, its crank turned some times; more on its pin."""
    data = detent.load("four_bar").to_dict()
    (drive,) = data["drives"].values()
    drive |= {"from_deg": 0, "to_deg": 360 * turns, "steps": steps}
    if at_speed:
        drive["speed"] = 7
    data["joints"][drive["joint"]] |= joint
    data["parts"]["II"] |= {"mass": 2, "center": [1, 1], "inertia": 1}
    data["gravity"] = [0, -9.81]
    data.pop("ask", None)
    return detent.from_dict(data)


@pytest.fixture
def balances(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many balances were computed."""
    count = [0]
    balance = forces.Statics.balance

    def counted(*args: Any, **more: Any) -> Any:
        count[0] += 1
        return balance(*args, **more)

    monkeypatch.setattr(forces.Statics, "balance", counted)
    return count


@pytest.mark.parametrize("at_speed", [False, True])
def test_forty_turns_have_the_extremes_of_one_and_cost_their_positions_more(balances, at_speed):
    once = detent.move(driven(1, 30, at_speed=at_speed))
    of_one, balances[0] = balances[0], 0
    often = detent.move(driven(40, 410, at_speed=at_speed))  # no two turns have the same positions
    assert balances[0] < 411 + 2 * of_one
    for name, peak in once.force_peaks.items():
        for end in ("least", "most"):
            if end in peak:
                assert often.force_peaks[name][end] == pytest.approx(peak[end], rel=1e-8)
                assert often.force_peaks[name][f"{end}_at"] <= math.tau * LEFT


def test_a_spring_that_winds_up_is_followed_to_the_last_turn():
    """Without weight the drive carries the spring alone: its torque is stiffness times the angle."""
    data = driven(40, 410, spring={"stiffness": 3, "rest": 0}).to_dict()
    del data["gravity"]
    (peak,) = [
        p for name, p in detent.move(detent.from_dict(data)).force_peaks.items() if name.startswith("drive")
    ]
    assert max(abs(peak["least"]), abs(peak["most"])) == pytest.approx(3 * 40 * math.tau, rel=1e-9)


def test_a_drive_that_goes_there_and_back_is_followed_all_the_way():
    """At speed its forces differ where it turns back: nothing is left out there."""
    data = driven(1, 1, at_speed=True).to_dict()
    (drive,) = data["drives"].values()
    for key in ("from_deg", "to_deg", "steps"):
        drive.pop(key)
    drive["inputs_deg"] = [*range(0, 1081, 30), *range(1050, 719, -30)]
    motion = detent.move(detent.from_dict(data))
    for name, rows in motion.forces.items():
        if name.startswith("drive"):
            assert motion.force_peaks[name]["most"] >= max(rows) * (1 - 1e-12)
            assert motion.force_peaks[name]["least"] <= min(rows) + 1e-12 * abs(min(rows))
