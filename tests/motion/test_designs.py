"""Many designs at once: each as if it were asked alone, in exact arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely

from detent.foundation import ModelError
from detent.model.reading import mechanism
from detent.motion.quasistatic.exact import LegRun, run_plan
from detent.motion.quasistatic.floats import decide
from detent.motion.quasistatic.machine import fastener
from tests.prove.fasteners import document

PAWL = np.array([[-4.0, -12.0], [0.0, -12.0], [1.0, 0.0], [-1.0, 1.0]])
WALL = np.array([[-8.0, -30.0], [4.0, -30.0], [2.0, -20.0], [-3.0, -18.0]])
HINGE, VELOCITY = np.zeros(2), np.array([0.25, -1.0])


def alone(pawl: Any, wall: Any, friction: float, duration: float) -> LegRun:
    leg = {"velocity": VELOCITY.tolist(), "for": duration}
    machine = document(pawl.tolist(), [wall.tolist()], friction, [leg])
    return run_plan(fastener(mechanism(machine))).legs[0]


def assert_as_alone(ends: Any, pawls: Any, walls: Any, frictions: Any, duration: float) -> None:
    for i in range(len(pawls)):
        leg = alone(pawls[i], walls[i], float(frictions[i]), duration)
        story = leg.pawl_runs[0]
        assert ends.causes[i] == leg.cause, i
        assert ends.times[i] == pytest.approx(float(leg.end), abs=1e-9), i
        assert ends.angles[i] == pytest.approx(story.end.angle() if story.end else None, abs=1e-7), i
        assert ends.events[i] == len(story.events), i


def test_each_design_ends_as_it_would_alone() -> None:
    rng = np.random.default_rng(5)
    pawls = PAWL + rng.normal(0, 0.8, (60, 4, 2))
    walls = WALL + rng.normal(0, 0.8, (60, 4, 2))
    frictions = rng.uniform(0, 0.6, 60)
    ends = decide(pawls, walls, hinges=HINGE, velocities=VELOCITY, durations=60, frictions=frictions)
    assert len(set(ends.causes)) > 1
    assert_as_alone(ends, pawls, walls, frictions, 60)


def test_designs_full_of_ties_go_to_exact_arithmetic_and_end_as_alone() -> None:
    rng = np.random.default_rng(6)
    pawls = PAWL + rng.integers(-1, 2, (60, 4, 2)) * np.array([[1], [1], [0], [0]])
    walls = WALL + rng.integers(-2, 3, (60, 4, 2))
    frictions = rng.integers(0, 3, 60) / 4
    ends = decide(pawls, walls, hinges=HINGE, velocities=VELOCITY, durations=60, frictions=frictions)
    assert 0 < len(ends.exact) < 60
    assert_as_alone(ends, pawls, walls, frictions, 60)


def test_what_is_given_once_counts_for_all_and_either_way_round() -> None:
    frictions = np.array([0.0, 0.1, 0.5])
    once = decide(PAWL, WALL, hinges=HINGE, velocities=VELOCITY, durations=60, frictions=frictions)
    each = decide(
        np.stack([PAWL[::-1]] * 3),
        np.stack([WALL[::-1]] * 3),
        hinges=np.zeros((3, 2)),
        velocities=np.stack([VELOCITY] * 3),
        durations=np.full(3, 60.0),
        frictions=frictions,
    )
    assert once.causes == each.causes
    np.testing.assert_allclose(once.times, each.times, rtol=1e-12)


def test_the_largest_angle_is_passed_underway() -> None:
    ends = decide(PAWL, WALL, hinges=HINGE, velocities=VELOCITY, durations=60)
    leg = alone(PAWL, WALL, 0.0, 60)
    angles = [abs(h.place.angle()) for h in leg.pawl_runs[0].events]
    assert ends.largest_angles[0] == pytest.approx(max(angles), abs=1e-9)


@pytest.mark.parametrize(("up", "cause"), [(8.5, "overlap"), (6.0 - 1e-6, "done")])
def test_a_design_that_overlaps_at_the_start_says_so(up: float, cause: str) -> None:
    """The wall's top is 6 below the pawl's foot."""
    ends = decide(PAWL, WALL + np.array([0.0, up]), hinges=HINGE, velocities=(0.0, 1.0), durations=5)
    assert ends.causes == [cause]


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"durations": [5.0, 0.0]}, "durations.1"),
        ({"frictions": [-0.1, 0.0]}, "frictions.0"),
        ({"velocities": (0.0, 0.0)}, "velocities.0"),
        ({"stiffnesses": [1.0, -1.0]}, "stiffnesses.1: below zero; give a stiffness"),
        ({"frictions": [np.nan, 0.0]}, "frictions"),
        ({"frictions": [0.0, 0.0], "durations": [1.0, 2.0, 3.0]}, "designs"),
        *(
            ({name: value}, f"{name}: an array of the shape {np.shape(value)}; give a point (x, y)")
            for name in ("hinges", "velocities")
            for value in ((1.0, 2.0, 3.0), (1.0,), 1.0, [[1.0, 2.0, 3.0]], np.ones((2, 2, 2)))
        ),
        ({"hinges": [(1.0, 2.0), (3.0,)]}, "hinges: not an array of numbers; give a point"),
        ({"frictions": [[0.1]]}, "frictions: an array of the shape (1, 1); give a number"),
        ({"durations": "long"}, "durations: not an array of numbers; give a number"),
    ],
)
def test_designs_that_make_no_sense_are_refused_by_name(change: dict[str, Any], at: str) -> None:
    arguments = {"hinges": HINGE, "velocities": VELOCITY, "durations": 5.0} | change
    with pytest.raises(ModelError) as found:
        decide(PAWL, WALL, **arguments)
    assert at in str(found.value)


@pytest.mark.parametrize("numbers", [1, 3])
def test_outlines_are_of_points_of_the_plane(numbers: int) -> None:
    """A third number is not left out without a word, nor is a missing one an error of NumPy."""
    points = np.resize(np.asarray(PAWL, float), (len(PAWL), numbers))
    arguments = {"hinges": HINGE, "velocities": VELOCITY, "durations": 5.0}
    for pawls, walls, name in ((points, WALL, "pawls"), (PAWL, points[None], "obstacles")):
        with pytest.raises(ModelError, match=f"{name}: an array of the shape .*give an outline of points"):
            decide(pawls, walls, **arguments)


def test_designs_whose_edges_cross_are_not_answered() -> None:
    """Which ones shapely calls invalid; the others are answered as without them."""
    pawls = np.array(PAWL) + np.random.default_rng(3).normal(0, 2.0, (200, len(PAWL), 2))
    pawls[1::2] = pawls[1::2, ::-1]  # clockwise ones are turned
    sound = shapely.is_valid(shapely.polygons(pawls))
    assert 20 < sound.sum() < 180
    arguments = {"hinges": HINGE, "velocities": VELOCITY, "durations": 60, "frictions": 0.2, "stiffnesses": 2}
    ends = decide(pawls, WALL, **arguments)
    assert [cause != "crossed" for cause in ends.causes] == sound.tolist()
    assert [
        not reason.startswith("edges of the pawl cross at (") for reason in ends.batch.reasons
    ] == sound.tolist()
    assert ends.batch.counts["crossed"] == (~sound).sum()
    assert np.isnan([ends.peaks_in[~sound], ends.peaks_out[~sound]]).all()
    without = decide(pawls[sound], WALL, **arguments)
    np.testing.assert_array_equal(ends.peaks_in[sound], without.peaks_in)


@pytest.mark.parametrize("up", [0.0, 1e-12])
def test_an_outline_that_touches_itself_is_told_exactly(up: float) -> None:
    """The notch's foot lies on the lower edge, or a little above it."""
    wall = [[-5, -10], [5, -10], [5, 0], [1, 0], [0, -10 + up], [-1, 0], [-5, 0]]
    ends = decide(PAWL + np.array([0.0, 40.0]), wall, hinges=(0, 60), velocities=(0, -1), durations=1)
    assert ends.causes == ["crossed" if up == 0 else "done"]
