"""The plot and the words of a run: units where the document has them, and what is not shown is said."""

from __future__ import annotations

import re

import msgspec
import numpy as np
import pytest

import detent
from detent.draw.chart import running as chart
from detent.draw.paper import svg
from detent.record import Running, Stop

TIMES = np.array([0.0, 1.0, 2.0])


def running(units: str, joints: int = 1, contacts: int = 1) -> Running:
    names = [f"j{k}" for k in range(joints)]
    return Running(
        times=TIMES,
        states={name: TIMES * (k + 1) for k, name in enumerate(names)},
        velocities={name: 0 * TIMES + k + 1 for k, name in enumerate(names)},
        forces={f"a/{k}.v0:b/0.e0": TIMES * k for k in range(contacts)},
        energy={
            "input": 0 * TIMES,
            "stored": 5 - TIMES,
            "dissipated": 0.75 * TIMES,
            "impact": 0.25 * TIMES,
        },
        ranges=dict.fromkeys(names, (0.0, 2.0)),
        stop=Stop(time=2.0, cause="done"),
        method="penalty, outline",
        units=units,
        state_units=dict.fromkeys(names, "rad"),
        title="A machine",
    )


@pytest.mark.parametrize(("units", "shown"), [("mm", True), ("1", False)])
def test_axes_have_units_where_the_document_has_them(units, shown):
    text = svg.write(chart.chart_of_running(running(units)))
    assert "position [°]" in text
    assert ("speed [° per time]" in text) != shown
    for label in ("speed [°/s]", "time [s]", "energy [J]", "contact force [N]"):
        assert (label in text) == shown


def test_the_plot_says_that_it_shows_some_of_many():
    text = svg.write(chart.chart_of_running(running("m", joints=8, contacts=9)))
    assert "position, 6 of 8" in text
    assert "force, 6 of 9 contacts" in text
    few = svg.write(chart.chart_of_running(running("m", joints=8), of=["j7"]))
    assert "of 8" not in few
    assert "force" not in few
    with pytest.raises(detent.ModelError, match="did you mean 'j7'"):
        chart.chart_of_running(running("m", joints=8), of=["jj7"])


def test_words_name_the_model_and_the_account_of_energy():
    words = running("m").words
    assert "ran        2 s by the penalty model" in words
    assert "5 J stored at first, 3 J at the end; 1.5 J dissipated, 0.5 J lost in impacts, 0 J put in" in words
    assert "114.592°" in words
    assert "J" not in running("1").words.replace("JSON", "")


def _pushed_box(length: float, speed: float) -> str:
    """Words of a box that glides on a table, both of this length [m], for a second."""
    machine = {
        "format": "detent/1",
        "gravity": [0, -9.81],
        "parts": {
            "table": {"fixed": True, "shape": {"outline": [[-9, -1], [9, -1], [9, 0], [-9, 0]]}},
            "box": {"mass": 1, "center": [0, 0.5], "inertia": 0.2},
            "cart": {"mass": 1, "center": [0, 0.5], "inertia": 0.2},
        },
        "joints": {
            "rail": {"type": "prismatic", "between": ["table", "cart"], "at": [5, 5], "along": [1, 0]}
        },
        "start": {"rail": {"speed": speed}},
    }
    machine["parts"]["box"]["shape"] = {"outline": [[-1, 0], [1, 0], [1, 1], [-1, 1]]}
    for part in machine["parts"].values():
        if "shape" in part:
            part["shape"]["outline"] = [[x * length, y * length] for x, y in part["shape"]["outline"]]
        if "mass" in part:
            part["center"] = [x * length for x in part["center"]]
            part["inertia"] *= length**2
    machine["joints"]["rail"]["at"] = [5 * length, 5 * length]
    return detent.run(detent.from_dict(machine), until=1.0).words


@pytest.mark.parametrize("length", [1.0, 1e-6])
def test_rounding_is_told_as_nothing_and_small_motions_as_they_are(length):
    """A box at rest is at 0 to the last digit; a cart that goes a millionth of the size has gone that far."""
    words = _pushed_box(length, 1e-6 * length)
    for name, unit in (("box.x", " m"), ("box.y", " m"), ("box.angle", "°")):
        assert re.search(rf"{name} +0{unit} +0{unit} to 0{unit}\n", words), words
    assert re.search(rf"rail +{1e-6 * length:g} m +0 m to {1e-6 * length:g} m\n", words), words


def test_a_force_that_stays_is_told_where_it_begins():
    """It rises, then stays but for rounding, which makes one of the later rows the greatest."""
    stays = running("mm")
    sizes = np.array([3.0, 5.0, 5.0 * (1 + 1e-15)])
    held = np.stack([sizes, 0 * sizes, 0 * sizes], axis=1)
    words = msgspec.structs.replace(stays, reactions={"pin": held}).words
    (line,) = [line for line in words.splitlines() if line.split()[:1] == ["pin"]]
    assert line.split() == ["pin", "5", "N", "0", "N", "m", "1", "s"]
