"""The published escapement by the penalty method (Gelsey 1995, Figs. 12 and 13), joints written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import detent
from detent.motion import Penalty
from detent.motion.penalty import accelerate, linearise

DOCUMENT = Path(__file__).with_name("escapement.toml")


def _run(until: float, **choices):
    stiffness = choices.pop("stiffness", 1e5)
    method = Penalty(stiffness, 10 * stiffness, **choices)
    return detent.predict(detent.load(DOCUMENT), method=method, until=until)


def test_outlines_tick_as_the_prototype():
    """Minima of a prototype in another integrator: 3.681, 7.379, 11.066, 14.763; a pattern turns the wheel
    by a tooth."""
    run = _run(15.5)
    minima = np.array(run.evidence.energy_minima)
    assert minima == pytest.approx([3.681, 7.379, 11.066, 14.763], abs=0.002)
    wheel = np.degrees(run.evidence.along.at(minima).coordinates["ewheel"])
    assert wheel[2:] - wheel[:-2] == pytest.approx([-36.0, -36.0], abs=0.01)
    energy = run.trajectory.energy
    assert (
        np.abs(energy["stored"] - energy["stored"][0] + energy["dissipated"]).max()
        < 1e-4 * energy["dissipated"][-1]
    )


def test_primitives_meet_first_as_the_seed_has_them():
    events = _run(1.9, features="primitives").trajectory.events
    starts = [
        (round(e.time, 3), set(e.subjects))
        for e in events
        if e.kind == "contact" and ".v3:" not in e.after[0]
    ]
    assert starts[:4] == [
        (0.027, {"lever", "ewheel"}),
        (0.036, {"lever", "frame"}),
        (1.822, {"lever", "bwheel"}),
        (1.896, {"lever", "ewheel"}),
    ]


# Minima of the kinetic energy, by an independent program in steps of 1e-4 (RK4): of two blocks, the corner
# within the other that is nearest to a face pushes.
MINIMA = [3.772, 7.472, 11.248, 14.948, 18.723, 22.423, 26.199, 29.9, 33.674]


def test_primitives_tick_with_the_seeds_period_and_steps():
    run = _run(37.0, features="primitives").evidence
    minima = np.array(run.energy_minima)
    assert minima == pytest.approx(MINIMA, abs=0.01)
    assert minima[2:] - minima[:-2] == pytest.approx(np.full(7, 7.476), abs=0.005)
    wheel = np.degrees(run.along.at(np.append(minima, 37.0)).coordinates["ewheel"])
    assert wheel[2:-1] - wheel[:-3] == pytest.approx(np.full(7, -36.0), abs=0.01)
    assert wheel[-1] == pytest.approx(-180.44, abs=0.05)
    assert run.steps <= 3942
    assert 0.024 < run.deepest < 0.026


def test_too_soft_primitives_jam_at_once():
    """The independent program: lever 0.0075153 and wheel -0.0239074 at t = 12."""
    run = _run(12.0, stiffness=1e4, features="primitives")
    assert run.trajectory.coordinates["ewheel"][-1] == pytest.approx(-0.0239074, abs=2e-6)
    assert run.trajectory.coordinates["lever"][-1] == pytest.approx(0.0075153, abs=2e-6)
    assert np.abs(run.trajectory.velocities["ewheel"][-1]).max() < 1e-3


def test_too_soft_outlines_jam():
    run = _run(15.5, stiffness=1e4)
    wheel = np.degrees(run.trajectory.coordinates["ewheel"])
    assert wheel[-1] > -40.0
    assert abs(wheel[-1] - wheel[len(wheel) * 2 // 3]) < 0.5


def test_the_jacobian_of_rows_is_that_of_differences():
    run = _run(2.2).evidence
    over, scales = run.over, np.ones((2, 3))
    for t in (0.03, 1.85, 1.99, 2.19):
        at = int(np.searchsorted(run.log.steps[: run.steps, 0], t))
        n = int((run.log.touching[at] >= 0).sum())
        touching = np.stack([run.log.touching[at], run.log.pushing[at]])
        y, v, a0 = run.log.points[at, 0], np.zeros(3), np.zeros(3)
        v = 5 * (run.log.points[at, 1] - y) / run.log.steps[at, 1]
        found = []
        for axes_are_fixed in (1, 0):
            over.count[2] = axes_are_fixed
            accelerate(over, y, v, touching, n, a0)
            assert linearise(over, y, v, a0, scales, touching, n)
            found.append(over.matrices[1:3].copy())
        for rows, differences in zip(*found, strict=True):
            assert np.abs(rows - differences).max() < 1e-5 * np.abs(differences).max()


def test_no_more_steps_than_the_seed():
    assert _run(37.0).evidence.steps <= 3942


@pytest.mark.parametrize("method", [Penalty(1e6, 1e7), Penalty(1e7, 1e7), Penalty()])
def test_energy_balances_at_any_stiffness(method):
    energy = detent.predict(detent.load(DOCUMENT), method=method, until=8.0).trajectory.energy
    missing = np.abs(energy["stored"] - energy["stored"][0] + energy["dissipated"]).max()
    assert missing < 1e-4 * energy["dissipated"][-1]


def test_stiffer_outlines_come_nearer_to_rigid_ones():
    """Minima of the rigid method: 3.68462, 7.38201, 11.0683, 14.7647."""
    rigid = np.array([3.68462, 7.38201, 11.0683, 14.7647])
    off = [np.abs(np.array(_run(15.5, stiffness=e).evidence.energy_minima) - rigid).max() for e in (1e5, 1e6)]
    assert off[1] < 5e-4 < off[0]


def test_the_ratchet_is_caught_as_by_an_independent_program():
    """Fourth-order steps of 2e-6 and of 1e-5 agree: at t = 1 the wheel rests on the pawl, no rebound; the
    reference's row there (0.198) is that of the same program in steps of 1e-4, which are unstable."""
    reference = Path(__file__).parents[2] / "data" / "reference" / "machines" / "ratchet_ccw.toml"
    running = detent.run(
        detent.load(reference).with_("ask.run.times", [1.0, 3.0]).with_("ask.run.until", 3.0)
    )
    assert running.states["wheel"] == pytest.approx([0.3041762930, 0.3041772818], abs=2e-6)
    assert running.states["pawl"] == pytest.approx([-0.1585821024, -0.1585823160], abs=1e-6)
    assert running.ranges["wheel"][1] == pytest.approx(0.3079319975, abs=2e-6)
    assert running.ranges["pawl"][0] == pytest.approx(-0.1593919778, abs=1e-6)
