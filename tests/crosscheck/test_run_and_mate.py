"""Fasteners run slowly and heavily damped by the rigid method: verdict and events of the exact method."""

from __future__ import annotations

import pytest

import detent
from detent.motion import Rigid


def damped(name):
    """With light parts, whose centres are on their hinges, and dampers that make them follow slowly."""
    tables = detent.load(name).to_dict()
    hinges = {joint["between"][1]: joint["at"] for joint in tables["joints"].values()}
    for part, table in tables["parts"].items():
        if not table.get("fixed"):
            table.update(mass=1e-3, inertia=1e-3, center=hinges.get(part, [0, 0]))
    for joint in tables["joints"].values():
        joint["damping"] = 0.05
    return detent.from_dict(tables)


@pytest.mark.parametrize(
    ("name", "ends"), [("ratchet_rack", "done"), ("snap_t", "blocked"), ("snap_t_holds", "blocked")]
)
def test_the_same_contacts_in_the_same_order_at_the_same_times(name, ends):
    """Up to where the exact method ends its first leg that is blocked, or its last."""
    legs = detent.mate(name).legs
    last = next((k for k, leg in enumerate(legs) if leg.end.cause == "blocked"), len(legs) - 1)
    until = float(legs[last].end.time)
    expected = [(float(e.time), c) for leg in legs[: last + 1] for e in leg.events for c in e.after]
    run = detent.run(damped(name), method=Rigid(), until=until + (1.0 if ends == "blocked" else 0.0))
    assert run.stop.cause == ends
    assert run.stop.time == pytest.approx(until, abs=0.01)
    found = []
    blocking = [event for event in run.events if ends == "blocked" and event.time == run.stop.time]
    # What blocks it ends a leg of `mate`, and is no event of its own there.
    assert all(set(event.after) <= set(blocking[-1].after) for event in blocking)
    assert bool(blocking) == (ends == "blocked")
    for event in run.events[: len(run.events) - len(blocking)]:
        for contact in event.after:
            if not found or found[-1][1] != contact:
                found.append((event.time, contact))
    assert [contact for _, contact in found] == [contact for _, contact in expected]
    assert [time for time, _ in found] == pytest.approx([time for time, _ in expected], abs=0.02)
    for joint, angle in legs[last].end.coordinates.items():
        assert run.states[joint][-1] == pytest.approx(float(angle), abs=2e-3)
