"""The plot and the words of a run: units where the document has them, and what is not shown is said."""

from __future__ import annotations

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
