"""Records: frozen, deterministic, never a NaN."""

import csv
import io
import json
import pickle
import sys
import types

import numpy as np
import pytest
from msgspec.structs import replace

import detent
from detent.record import (
    EVENT_KINDS,
    Certificate,
    Event,
    Evidence,
    Interval,
    JointState,
    Motion,
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


@pytest.mark.parametrize(
    ("units", "header"),
    [
        ("in", ["time [s]", "A [rad]", "S [in]", "A.speed [rad/s]", "S.speed [in/s]"]),
        ("1", ["time", "A [rad]", "S", "A.speed", "S.speed"]),
    ],
)
def test_speeds_of_a_trajectory_have_their_unit(units, header):
    columns = {"A": np.zeros(2), "S": np.zeros(2)}
    known = {"A": "rad", "S": "" if units == "1" else units}
    made = Trajectory(
        times=np.zeros(2), coordinates=columns, speeds=columns, units=units, coordinate_units=known
    )
    assert list(made.columns()) == header
    assert made.to_csv().splitlines()[0] == ",".join(header)


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


def test_records_do_not_change():
    """Arrays and tables too, at any depth; and a copy of one is free."""
    motion = detent.move("four_bar")
    with pytest.raises(ValueError, match="read-only"):
        motion.markers["I.B"][0] = 0
    with pytest.raises(TypeError, match="do not change"):
        motion.markers["I.B"] = motion.inputs
    with pytest.raises(ValueError, match="read-only"):
        motion.inputs += 1
    again = pickle.loads(pickle.dumps(motion))
    assert again.to_json() == motion.to_json()
    with pytest.raises(TypeError, match="do not change"):
        again.markers.clear()
    dict(again.markers).clear()
    assert again.markers


def test_what_is_undefined_is_nan_in_python_and_null_in_json():
    motion = Motion(
        inputs=[0.0, 1.0],
        markers={"a.B": [[0.0, 0.0], [1.0, 0.0]]},
        poses={"a": [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]},
        velocities={"a.B": [[1.0, 2.0], None]},
        forces={"drive d": [None, 3.0], "B": [[1.0, None], [None, None]]},
        force_components={"drive d": ("[N m]",), "B": ("x [N]", "y [N]")},
        drives=("d",),
        coordinate_units=("rad",),
    )
    assert np.isnan(motion.velocities["a.B"][1]).all()
    written = json.loads(encode({"nested": [motion]}))["nested"][0]
    assert written["velocities"]["a.B"] == [[1.0, 2.0], None]
    assert written["forces"] == {"drive d": [None, 3.0], "B": [[1.0, None], [None, None]]}
    columns = motion.columns()
    assert list(columns)[:3] == ["d [rad]", "a.B.x [m]", "a.B.y [m]"]
    assert columns["a.B.vx [m/rad]"][0] == 1.0
    assert np.isnan(columns["force B x [N]"][1])
    header, first, second = motion.to_csv().splitlines()
    assert header.split(",") == list(columns)
    assert [float(cell) for cell in first.split(",")[:3]] == [column[0] for column in columns.values()][:3]
    assert second.endswith(",3.0,,")
    with pytest.raises(AssertionError, match=r"a record holds nan at \.markers"):
        replace(motion, markers={"a.B": [[0.0, np.nan], [1.0, 0.0]]}).to_json()


def test_tables_are_data_frames_where_pandas_is(monkeypatch):
    """A stand-in for pandas shows what it is handed; without it the remedy is the extra."""
    motion, batch = detent.move("four_bar"), detent.move_designs(["four_bar"] * 2).batch
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=dict))
    assert list(motion.to_dataframe()) == list(motion.columns())
    assert next(iter(motion.run.trajectory.to_dataframe())) == "crank [rad]"
    assert batch.to_dataframe()["design"].tolist() == [0, 1]
    assert ",".join(batch.to_dataframe()) == batch.to_csv().splitlines()[0]
    motion.to_dataframe()["crank [rad]"][0] = 7.0  # a frame may be changed
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(detent.UnsupportedError, match="table"):
        motion.to_dataframe()


def test_forces_of_a_run_have_their_unit():
    snap = detent.load("snap_holds")
    for units, end in (("mm", " [N]"), ("1", "")):
        run = detent.predict(snap.with_("units", units)).trajectory
        assert f"force drive push{end}" in run.columns()
        again = detent.read_trajectory(run.to_json())
        assert list(again.columns()) == list(run.columns())


def test_reasons_that_are_not_listed_are_counted():
    reasons = tuple(f"too long by {k}" for k in range(1, 24))
    batch = detent.Batch(columns={"done": np.zeros(23)}, units={}, reasons=reasons, counts={}, shared={})
    assert batch.words.splitlines()[-1].strip() == "… and 3 more reasons"
