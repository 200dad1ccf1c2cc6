"""What is read from a run: extremes between rows, totals of contacts, rows where they are asked for."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent

AWAY = 0.3


def spring_pendulum() -> detent.Mechanism:
    """A wheel on a spring, half a turn a second, that no row needs to catch at its extremes."""
    return detent.from_dict(
        {
            "units": "m",
            "parts": {
                "frame": {"fixed": True, "markers": {"O": [0, 0]}},
                "wheel": {"markers": {"O": [0, 0]}, "mass": 1, "center": [0, 0], "inertia": 2},
            },
            "joints": {
                "O": {
                    "type": "revolute",
                    "between": ["frame.O", "wheel.O"],
                    "spring": {"stiffness": 2 * math.pi**2, "rest": 0},
                }
            },
            "start": {"O": {"at": AWAY}},
        }
    )


def test_ranges_are_those_between_the_rows_too():
    running = detent.run(spring_pendulum(), until=2, times=[0.5, 1.5])
    assert running.times.tolist() == [0.5, 1.5]
    assert np.abs(running.states["O"]).max() < 1e-5
    assert running.ranges["O"] == pytest.approx((-AWAY, AWAY), abs=1e-3)


def test_rest_is_where_the_spring_turns_it_back():
    running = detent.run(spring_pendulum(), until=2.5)
    assert [t for t in running.energy_minima if t > 0] == pytest.approx([1, 2], abs=1e-3)
    assert running.events == ()
    assert running.contacts == ()
    assert "nothing touched" in running.words


def test_rows_end_where_the_run_ends():
    machine = spring_pendulum()
    assert detent.run(machine, until=1, every=0.3).times.tolist() == pytest.approx([0, 0.3, 0.6, 0.9, 1])
    assert detent.run(machine, until=0.9, every=0.3).times.tolist() == pytest.approx([0, 0.3, 0.6, 0.9])
    with pytest.raises(detent.ModelError, match="times of a run"):
        detent.run(machine, until=1, times=[-1])


def test_a_drive_put_in_place_of_the_document_s_turns_the_joint():
    drive = detent.from_dict(
        {**spring_pendulum().to_dict(), "drives": {"d": {"joint": "O", "speed": 2}}}
    ).drives
    running = detent.run(spring_pendulum().with_("start.O.at", 0), until=1, drives=drive)
    assert running.states["O"][-1] == pytest.approx(2, abs=1e-9)
    kept = float(running.energy["stored"][-1] - running.energy["stored"][0] - running.energy["input"][-1])
    told = [words for words in running.scope.left_out if "put in" in words]
    assert bool(told) == (abs(kept) > 1e-3 * 2 * 2**2 / 2), "energy that is not counted is named"


def test_energy_that_friction_takes_is_counted_or_named():
    """A box slides down: what is not in the account of energies is said to be left out."""
    box = {"density": 1, "shape": {"outline": [[0, 0], [1, 0], [1, 0.2], [0, 0.2]]}}
    floor = {"fixed": True, "shape": {"outline": [[-1, -1], [9, -1], [9, 0], [-1, 0]]}}
    data = {"units": "m", "gravity": [4, -9.81], "parts": {"floor": floor, "box": box}}
    running = detent.run(detent.from_dict({**data, "touching": {"friction": 0.3}}), until=1)
    travel = (4 - 0.3 * 9.81) / 2
    assert running.states["box.x"][-1] == pytest.approx(travel, rel=1e-6)
    heat = 0.3 * 9.81 * 0.2 * travel
    counted = float(running.energy["dissipated"][-1])
    named = [words for words in running.scope.left_out if "took" in words]
    assert counted == pytest.approx(heat, rel=1e-4) or named[0].startswith(f"{heat - counted:.4g} J")
    smooth = detent.run(detent.from_dict({**data, "touching": {"friction": 0}}), until=1)
    assert not any("took" in words for words in smooth.scope.left_out)


def test_totals_count_how_often_a_contact_began():
    """A ball that keeps e = 0.8 of its speed lands at t0, then after 2 e t0, then after 2 e² t0."""
    data = {
        "units": "m",
        "gravity": [0, -9.81],
        "parts": {
            "floor": {
                "fixed": True,
                "shape": {"outline": [[-1, -1], [1, -1], [1, 0], [-1, 0]]},
                "markers": {"S": {"at": [0, 1], "along": [0, 1]}},
            },
            "ball": {
                "shape": {"outline": [[0, 1], [0.2, 1.4], [-0.2, 1.4]]},
                "mass": 1,
                "center": [0, 1.3],
                "inertia": 0.1,
                "markers": {"S": {"at": [0, 1], "along": [0, 1]}},
            },
        },
        "joints": {"S": {"type": "prismatic", "between": ["floor.S", "ball.S"]}},
        "touching": {"restitution": 0.8},
    }
    running = detent.run(detent.from_dict(data), until=2)
    first = math.sqrt(2 / 9.81)
    lands = [first]
    for bounce in range(1, 3):
        lands.append(lands[-1] + 2 * 0.8**bounce * first)
    hits = [event for event in running.events if event.kind == "impact"]
    assert [event.time for event in hits] == pytest.approx(lands[: len(hits)], rel=1e-7)
    (total,) = running.contacts
    assert total.count == len(hits) == sum(t < 2 for t in lands)
    assert total.peak_impulse == pytest.approx(1.8 * 9.81 * first, rel=1e-7)
    assert total.parts == ("floor", "ball")


@pytest.mark.parametrize(("until", "every", "rows"), [(1.1, 0.1, 12), (3, 0.3, 11), (1, 0.3, 5), (2, 5, 2)])
def test_rows_are_evenly_apart_and_the_end_is_one_of_them(until, every, rows):
    times = detent.run(spring_pendulum(), until=until, every=every).times
    assert len(times) == rows
    assert times[-1] == until
    assert times[:-1] == pytest.approx(every * np.arange(rows - 1))


def test_rows_are_said_in_one_way():
    with pytest.raises(detent.ModelError, match="beside `every`"):
        detent.run(spring_pendulum(), until=2, every=0.1, times=[1])
    with pytest.raises(detent.ModelError, match="after the run's end at 2"):
        detent.run(spring_pendulum(), until=2, times=[1, 3])
    asked = spring_pendulum().with_("ask", {"run": {"until": 2, "times": [0, 1, 2]}})
    assert detent.run(asked).times.tolist() == [0, 1, 2]
    assert len(detent.run(asked, every=0.5).times) == 5


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ({"until": 2, "every": 1, "times": [1]}, "beside `every`"),
        ({"until": 2, "times": [1, 3]}, "after `until`"),
        ({"until": 2, "times": [-1]}, "at least zero"),
        ({"until": 2, "every": 0}, "above zero"),
        ({"until": 2, "accuracy": -1}, "above zero"),
    ],
)
def test_rows_that_a_document_cannot_mean_are_told_when_it_is_read(run, words):
    with pytest.raises(detent.ModelError, match=words):
        spring_pendulum().with_("ask", {"run": run})


def bar_and_stop(stop: float) -> detent.Mechanism:
    """A bar that turns about its end, in the frame's plane; a block of the frame stands in its way."""
    block = [[stop, 1], [stop + 1, 1], [stop + 1, 2], [stop, 2]]
    disc = [[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [-0.2, 0.2]]
    return detent.from_dict(
        {
            "units": "m",
            "parts": {
                "frame": {"fixed": True, "shape": {"union": [{"outline": block}, {"outline": disc}]}},
                "bar": {"shape": {"outline": [[0, -0.1], [3, -0.1], [3, 0.1], [0, 0.1]]}, "inertia": 2},
            },
            "joints": {"O": {"type": "revolute", "between": ["frame", "bar"], "at": [0, 0]}},
            "start": {"O": {"speed": 1}},
        }
    )


def test_pairs_drawn_into_each_other_are_named():
    """The bar lies over the frame at its pin: it passes the block, and the answer says why."""
    running = detent.run(bar_and_stop(1), until=1)
    assert not running.events
    assert "contacts of frame:bar, drawn into each other at their joint" in running.scope.left_out


def test_times_that_are_asked_for_may_begin_after_the_run_does():
    """Energy is then told with the time of the first row: sums count from the start, it would not balance."""
    running = detent.run(spring_pendulum(), until=1, times=[0.5, 1])
    assert "stored at 0.5 s" in running.words
    assert "stored at first" not in running.words
    assert "stored at first" in detent.run(spring_pendulum(), until=1, times=[0, 1]).words


def test_a_run_shorter_than_the_times_of_its_document_is_refused_by_name():
    asked = spring_pendulum().with_("ask.run", {"until": 2, "times": [1, 1.5]})
    assert detent.run(asked, until=1.2).times.tolist() == [1]
    with pytest.raises(detent.ModelError, match="all lie after the run's end"):
        detent.run(asked, until=0.5)


def test_a_run_that_stops_before_the_times_asked_for_ends_with_a_row_where_it_stopped():
    """A slide driven at 1 m/s into a wall 0.25 m away."""
    block = {
        "shape": {"outline": [[0, 0], [1, 0], [1, 1], [0, 1]]},
        "mass": 1,
        "center": [0, 0],
        "inertia": 1,
    }
    wall = {"fixed": True, "shape": {"outline": [[1.25, 0], [2, 0], [2, 1], [1.25, 1]]}}
    machine = detent.from_dict(
        {
            "units": "m",
            "parts": {"wall": wall, "block": block},
            "joints": {
                "s": {"type": "prismatic", "between": ["wall", "block"], "at": [0, 0], "along": [1, 0]}
            },
            "drives": {"push": {"joint": "s", "speed": 1}},
        }
    )
    running = detent.run(machine, until=1, times=[0.5, 1])
    assert running.stop.cause == "blocked"
    assert running.times.tolist() == pytest.approx([0.25], abs=1e-6)
    assert "blocked" in running.words


def test_a_speed_of_smoothed_friction_is_named_as_left_out() -> None:
    """It belongs to parts that give way: friction of rigid ones has its full size at any speed."""
    asked = detent.load("ratchet_free").with_("touching.smooth", 0.1)
    assert any(line.startswith("touching.smooth") for line in detent.run(asked, until=0.01).scope.left_out)
    told = detent.mate(detent.load("snap_t").with_("touching.smooth", 0.1)).scope.left_out
    assert any(line.startswith("touching.smooth") for line in told)
    with pytest.raises(detent.ModelError, match="must be above zero"):
        asked.with_("touching.smooth", 0)


def test_a_ring_that_nothing_leads_over_time_is_asked_of_mate() -> None:
    with pytest.raises(detent.UnsupportedError, match=r"parts\.ring: an O-ring gives way.*`detent mate`"):
        detent.run("oring", until=0.1)


@pytest.mark.parametrize("example", ["rect_peg_carrier", "round_peg_puma", "robot_snap_hook"])
def test_the_long_run_of_parts_that_are_led_is_asked_of_mate(example: str) -> None:
    with pytest.raises(detent.UnsupportedError, match=r"drives\.insert: .*a mating.*`detent mate`"):
        detent.outlook(example)
