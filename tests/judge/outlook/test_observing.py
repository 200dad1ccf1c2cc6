"""A faulty machine's run, recorded as one would measure it: the sound document names the tooth."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from detent.judge import read_measured
from tests.judge.outlook.full_runs import full_run

SLOW = 1.004  # times the document's: a real clock


def recorded(name: str, every: float, *joints: str, noise: float = 0.0, slow: float = 1.0) -> str:
    run = full_run(name, 60.0).evidence
    times = np.arange(0.0, run.along.end, every)
    columns = run.along.at(times).coordinates
    rng = np.random.default_rng(1)
    rows = [np.degrees(columns[joint]) + noise * rng.normal(size=len(times)) for joint in joints]
    lines = ["time," + ",".join(f"{joint} [deg]" for joint in joints)]
    lines += [",".join(f"{value:.5f}" for value in row) for row in zip(times * slow, *rows, strict=True)]
    return "\n".join(lines)


def heard(name: str, deaf: float = 0.25, slow: float = 1.0) -> str:
    """Blows, but for those that come so soon after another one."""
    kept: list[float] = []
    for event in full_run(name, 60.0).evidence.events:
        if event.kind == "impact" and (not kept or event.time - kept[-1] > deaf):
            kept.append(event.time)
    return "\n".join(["tick", *(f"{time * slow:.4f}" for time in kept)])


def diagnosis(text: str, sound: str = "escapement") -> detent.Outlook:
    return detent.outlook(sound, patterns=1, observed=read_measured(text, least=1)).diagnosis


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(lambda name: recorded(name, 0.02, "ewheel", "lever", "bwheel"), id="all joints"),
        pytest.param(lambda name: recorded(name, 0.05, "ewheel", noise=0.1, slow=SLOW), id="a wheel"),
        pytest.param(lambda name: heard(name, slow=SLOW), id="ticks"),
    ],
)
def test_a_sound_clock_does_not_depart_from_its_document(text):
    assert not diagnosis(text("escapement")).departs


@pytest.mark.parametrize("name", ["missing_tooth", "worn_tooth"])
@pytest.mark.parametrize(
    ("joints", "noise", "slow"), [(("ewheel", "lever", "bwheel"), 0.0, 1.0), (("ewheel",), 0.1, SLOW)]
)
def test_the_tooth_is_named_by_what_was_measured(name, joints, noise, slow):
    """As the two documents beside each other name it: by the first touch that is not alike."""
    wanted = detent.outlook(name, patterns=1, beside="escapement").diagnosis
    found = diagnosis(recorded(name, 0.05, *joints, noise=noise, slow=slow))
    assert found.departs
    assert (found.between, found.contact) == (wanted.between, wanted.sound.partition(" at ")[0])
    assert found.time == pytest.approx(wanted.time * slow, abs=0.15)
    assert found.of == "samples"


def test_a_tooth_that_is_missing_is_heard():
    wanted = detent.outlook("missing_tooth", patterns=1, beside="escapement").diagnosis
    found = diagnosis(heard("missing_tooth", slow=SLOW))
    assert found.departs
    assert found.time == pytest.approx(wanted.time * SLOW, abs=0.1)
    assert wanted.sound.partition(" at ")[0] in found.sound
    assert "no tick up to" in found.faulty


def test_a_clock_that_is_much_too_slow_departs():
    assert diagnosis(recorded("escapement", 0.02, "ewheel", slow=1.03)).departs


def test_one_slip_of_what_measures_is_no_departure():
    lines = recorded("escapement", 0.05, "ewheel").splitlines()
    time, _ = lines[500].split(",")
    lines[500] = f"{time},20"
    assert not diagnosis("\n".join(lines)).departs
    time, _ = lines[501].split(",")
    lines[501] = f"{time},20"
    assert diagnosis("\n".join(lines)).alike == 499


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("time,wheel [deg]\n0,1\n1,2\n", "is a joint"),
        ("ewheel [deg],time\n0,1\n1,2\n", "neither `time` nor `tick`"),
        ("time,ewheel [deg]\n0,1\n0,2\n", "not in order"),
        ("time,ewheel [mm]\n0,1\n1,2\n", "ewheel"),
        ("tick\n", "no row"),
    ],
)
def test_what_cannot_be_compared_is_refused_by_name(text, what):
    with pytest.raises(detent.ModelError, match=what):
        diagnosis(text)
