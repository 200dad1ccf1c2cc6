"""Runs of many steps: what they keep is bounded, and is read a part at a time."""

import numpy as np
import pytest

import detent
from detent.motion.penalty import choosing
from detent.motion.rigid import rigid_run
from detent.motion.running import along

PENALTY = detent.Penalty(stiffness=1e5, damping=1e6)
METHODS = pytest.mark.parametrize(
    ("method", "where", "until"),
    [(detent.Rigid(), rigid_run, 300), (PENALTY, choosing, 30)],
    ids=["rigid", "penalty"],
)


@METHODS
def test_a_run_ends_where_it_keeps_all_that_it_may(method, where, until, monkeypatch):
    """As the run that may keep more is then; below a bound that is not reached nothing changes."""
    monkeypatch.setattr(choosing, "_LOGGED", 500)
    whole = detent.run("escapement", until=until, method=method)
    monkeypatch.setattr(where, "MOST_KEPT", 1e5)
    cut = detent.run("escapement", until=until, method=method)
    assert (whole.stop.cause, cut.stop.cause) == ("done", "interrupted")
    assert f"{cut.steps} steps, all that a run keeps: ask for less time" in cut.stop.detail
    assert 0 < cut.steps < whole.steps
    steps, same = cut.run.evidence.along.steps, whole.run.evidence.along.steps[: cut.steps]
    np.testing.assert_array_equal(steps[:-1], same[:-1])
    assert cut.stop.detail in cut.words


def test_logs_of_a_few_steps_are_joined_to_one(monkeypatch):
    whole = detent.run("escapement", until=8, method=PENALTY)
    monkeypatch.setattr(choosing, "_LOGGED", 200)
    joined = detent.run("escapement", until=8, method=PENALTY)
    assert [event.before + event.after for event in joined.events[:9]] == [
        event.before + event.after for event in whole.events[:9]
    ]
    for name, column in whole.states.items():  # a step more at the end of each log: as its accuracy
        np.testing.assert_allclose(joined.states[name], column, atol=1e-3)


def test_columns_are_the_same_in_parts(monkeypatch):
    """Of more rows than are placed at once, steps among them that begin and end between two parts."""
    running = detent.run("escapement", until=37)
    steps = running.run.evidence.along
    times = steps.looks(8)
    at_once = steps.at(times)
    monkeypatch.setattr(along, "_AT_ONCE", 7)
    coordinates, speeds = steps.coordinates_at(times)
    for name in running.states:
        np.testing.assert_array_equal(coordinates[name], at_once.coordinates[name])
        np.testing.assert_array_equal(speeds[name], at_once.speeds[name])
    np.testing.assert_array_equal(steps.kinetic_at(times), at_once.kinetic)
