"""Records: frozen, deterministic, never a NaN."""

import csv
import io
import json

import numpy as np
import pytest

from detent.record import Certificate, Event, Evidence, State, Stop, Trajectory, Verdict, encode


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
    assert rows[0] == ["time", "A", "A.speed"]
    assert [float(x) for x in rows[3]] == [0.5, np.sin(0.5), np.cos(0.5)]


def test_a_state_is_one_row():
    assert swing().state(0) == State(time=0.0, coordinates={"A": 0.0}, speeds={"A": 1.0})


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
