"""The published escapement (Gelsey 1995, Figs. 12 and 13) as rigid bodies: pattern, contacts, overlap."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import shapely
from shapely import affinity

import detent
from detent.geometry import region
from detent.model.machine import compile_system
from detent.motion import Rigid

AXES = {"lever": (0, 7.5), "bwheel": (0, 20), "ewheel": (0, 0)}


@pytest.fixture(scope="module")
def running():
    return detent.run("escapement", method=Rigid(), until=37)


def test_its_pattern_and_amplitude(running):
    """D = 7.3857 over patterns 3 to 5, the wheel a tooth each, the balance from -19.3 to 310.4 degrees."""
    minima = np.array(running.energy_minima)
    assert len(minima) == 10
    patterns = minima[2:] - minima[:-2]
    assert patterns[4:].mean() == pytest.approx(7.3857, abs=1e-3)
    wheel = np.interp(minima, running.times, np.degrees(running.states["ewheel"]))
    assert wheel[2:] - wheel[:-2] == pytest.approx(-36, abs=1e-6)
    later = np.degrees(running.states["bwheel"][running.times > minima[3]])
    assert later.max() == pytest.approx(310.4, abs=0.3)
    assert later.min() == pytest.approx(-19.3, abs=0.1)


def test_first_impacts_in_order(running):
    impacts = [(round(e.time, 4), frozenset(e.subjects)) for e in running.events if e.kind == "impact"]
    first = [impacts[0]] + [b for a, b in itertools.pairwise(impacts) if b != a]
    order = [pair for _, pair in first]
    assert order[0] == {"lever", "ewheel"}
    assert {"frame", "lever"} in order[1:3]
    times = {frozenset(pair): t for t, pair in reversed(impacts)}
    assert times[frozenset(("lever", "ewheel"))] == pytest.approx(0.02722, abs=1e-4)
    assert times[frozenset(("frame", "lever"))] == pytest.approx(0.03411, abs=1e-4)
    assert times[frozenset(("lever", "bwheel"))] == pytest.approx(1.8224, abs=1e-3)


def test_it_needs_few_steps(running):
    assert running.steps <= 300


def test_energy_is_accounted_for(running):
    energy = running.energy
    balance = energy["stored"] + energy["dissipated"] + energy["impact"] - energy["input"]
    given_off = energy["stored"][0] - energy["stored"][-1]
    assert np.ptp(balance) < 1e-5 * given_off
    assert (np.diff(energy["impact"]) >= -1e-9).all()


def test_parts_never_overlap(running):
    """By areas of polygons, in which an arc is a chain of chords: at ten thousandths of a unit."""
    system = compile_system(detent.load("escapement"), drives_hold=False)
    outlines = {body.name: region.section(body.solid, 0.5) for body in system.bodies}
    worst = 0.0
    for k in range(0, len(running.times), 7):
        placed = {"frame": outlines["frame"]}
        for name, (x, y) in AXES.items():
            angle = math.degrees(running.states[name][k])
            placed[name] = affinity.rotate(outlines[name], angle, origin=(x, y))
        for other in ("ewheel", "bwheel"):
            worst = max(worst, shapely.intersection(placed["lever"], placed[other]).area)
    assert worst < 1e-4


def test_its_whole_life_ends_alike_at_any_accuracy():
    """Contacts that part and come near again within a step were put back: the lever went into its stop."""
    ends = []
    for accuracy in (1e-5, 1e-6, 1e-7):
        run = detent.predict(detent.load("escapement"), method=Rigid(accuracy=accuracy), until=2300.0)
        assert run.trajectory.stop.cause == "done"
        ends.append([float(run.trajectory.coordinates[name][-1]) for name in ("ewheel", "lever", "bwheel")])
    assert ends[0] == pytest.approx(ends[2], abs=5e-5)
    assert ends[1] == pytest.approx(ends[2], abs=5e-5)
