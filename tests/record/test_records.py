"""Records: frozen, deterministic, never a NaN."""

import csv
import io
import json

import numpy as np
import pytest

from detent.record import (
    EVENT_KINDS,
    Certificate,
    Event,
    Evidence,
    Interval,
    JointState,
    Stop,
    Trajectory,
    Verdict,
    encode,
    read_trajectory,
)


def swing():
    times = np.linspace(0.0, 1.0, 5)
    return Trajectory(
        times=times,
        coordinates={"A": np.sin(times)},
        speeds={"A": np.cos(times)},
        events=(
            Event(time=0.5, kind="contact", joint="A", coordinate=0.4794, after=("bar/0.e3:pawl/0.v2",)),
            Event(
                time=1.0,
                kind="jam",
                exact=Certificate(polynomial=(-2, 0, 1), interval=("1", "3/2"), digits="1.4142"),
            ),
        ),
        stop=Stop(time=1.0, cause="jam", coordinates={"A": 0.84}),
    )


def test_the_same_record_gives_the_same_bytes():
    assert swing().to_json() == swing().to_json()


def test_a_trajectory_says_what_happened_and_why_it_stopped():
    data = json.loads(swing().to_json())
    assert [event["kind"] for event in data["events"]] == ["contact", "jam"]
    assert data["stop"]["cause"] == "jam"
    assert data["speed_ran"] == "plain"


def test_csv_has_a_header_and_gives_every_number_back():
    rows = list(csv.reader(io.StringIO(swing().to_csv())))
    assert rows[0] == ["time [s]", "A", "A.speed"]
    assert [float(x) for x in rows[3]] == [0.5, np.sin(0.5), np.cos(0.5)]


def test_a_state_is_one_row():
    assert swing().state(0) == JointState(time=0.0, coordinates={"A": 0.0}, speeds={"A": 1.0})


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_a_record_with_nan_is_never_written(bad):
    for record in (
        Verdict(
            question="q", answer="a", confidence="computed", evidence=(Evidence(statement="s", value=bad),)
        ),
        Trajectory(times=np.array([0.0, bad])),
        Event(time=bad, kind="jam"),
    ):
        with pytest.raises(AssertionError, match="a record holds"):
            record.to_json()


def test_records_cannot_be_changed():
    with pytest.raises(AttributeError):
        swing().stop = None  # type: ignore[misc]


def test_numpy_numbers_are_written_as_numbers():
    assert encode({"a": np.float64(0.5), "b": np.arange(3)}) == '{"a":0.5,"b":[0,1,2]}'


# As version 0.1.0 wrote it, before trajectories had forces, energies and contacts.
SAVED_BEFORE = (
    '{"times":[0.0,0.5,1.0],"times_are":"time","coordinates":{"A":[0.0,1.0,2.0]},"speeds":{},'
    '"poses":{"bar":[[0.0,0.0,0.0],[0.5,0.5,0.5],[1.0,1.0,1.0]]},'
    '"events":[{"time":0.5,"kind":"contact","joint":"A","coordinate":1.0,"after":["bar/0.e3:pawl/0.v2"]},'
    '{"time":1.0,"kind":"blocked","subjects":["bar"]}],'
    '"stop":{"time":1.0,"cause":"blocked"},"units":"m","speed_ran":"plain"}'
)


def test_a_trajectory_saved_by_an_earlier_version_is_read():
    read = read_trajectory(SAVED_BEFORE)
    assert read.events == (
        Event(time=0.5, kind="contact", joint="A", coordinate=1.0, after=("bar/0.e3:pawl/0.v2",)),
        Event(time=1.0, kind="blocked", subjects=("bar",)),
    )
    assert read.stop == Stop(time=1.0, cause="blocked")
    assert read.poses["bar"].shape == (3, 3)
    assert (read.forces, read.energy, read.contacts, read.method) == ({}, {}, (), "")


def full():
    times = np.array([0.0, 1.0])
    return Trajectory(
        times=times,
        coordinates={"A": times},
        speeds={"A": times},
        poses={"bar": np.zeros((2, 3)), "ball": np.zeros((2, 7))},
        velocities={"bar": np.ones((2, 3)), "ball": np.ones((2, 6))},
        events=tuple(Event(time=1.0, kind=kind, mode_before="0+", impulse=0.5) for kind in EVENT_KINDS),
        stop=Stop(time=1.0, cause="stick", coordinates={"A": 1.0}, detail="held"),
        method="penalty",
        contacts=(Interval(from_=0.0, to=1.0, contacts=("bar/0.e1:ball/0.a0",)),),
        forces={"drive push": (1.0, None)},
        energy={"stored": (0.0, 0.5)},
        legs=((0.0, 1.0),),
        notes=("taken as given",),
        certified="no event was stepped over",
    )


def test_a_trajectory_comes_back_as_it_was_written():
    assert read_trajectory(full().to_json()).to_json() == full().to_json()


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("forces", {"drive push": [1.0]}, "1 rows for 2 times"),
        ("energy", {"heat": [0.0, 0.0]}, "heat"),
        ("velocities", {"bar": [[0.0] * 7] * 2}, "rows of 3 or 6"),
        ("events", [{"time": 0.0, "kind": "bump"}], "bump"),
    ],
)
def test_a_trajectory_that_does_not_fit_together_is_refused(key, value, problem):
    data = json.loads(full().to_json())
    with pytest.raises(ValueError, match=problem):
        read_trajectory(json.dumps({**data, key: value}))
