"""The sampled path, which films and strips are made of, agrees with the events it was made from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import detent
from detent.foundation import ModelError
from detent.model.reading import mechanism as read_document
from detent.motion.quasistatic.answer import trajectory
from detent.motion.quasistatic.exact import run_plan
from detent.motion.quasistatic.machine import fastener
from tests.conftest import reference_documents
from tests.prove.fasteners import document
from tests.prove.racks import rack, round_nose
from tests.prove.test_fasteners import state_at

DOCUMENTS = [p for p in reference_documents() if "fasteners" in p.parts]
CLOSE = 1e-9  # [rad], for a pawl about as long as its hinge is far


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.stem)
def test_at_every_event_each_pawl_is_drawn_where_the_event_says(document: Path) -> None:
    mechanism = detent.load(document)
    read = fastener(mechanism)
    run = trajectory(mechanism, read, run_plan(read))
    story = detent.mate(mechanism)
    happened = [event for leg in story.legs for event in leg.events]
    for event in happened:
        away = np.abs(run.times - event.time)
        row = np.flatnonzero(away == away.min())[-1]  # a snap has several rows: the last is where it lands
        shown = run.coordinates[event.joint][row]
        after = event.coordinate_after if isinstance(event.coordinate_after, float) else event.coordinate
        # At one instant a pawl may change and then snap: it is drawn where the last of these leaves it.
        said = {after} | {
            e.coordinate_after if isinstance(e.coordinate_after, float) else e.coordinate
            for e in happened
            if e.joint == event.joint and abs(e.time - event.time) < CLOSE
        }
        assert min(abs(shown - angle) for angle in said) < CLOSE, (event.time, event.kind)


@pytest.mark.parametrize("lever", [1, 5, 20, 100])
def test_between_events_the_angle_is_that_of_the_contact(lever: int) -> None:
    """An arm through its hinge over a corner: its angle is an arc tangent, however long the stretch."""
    corner, pushed, stiffness = 3, 300, 2.5
    arm = detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "root": {},
                "arm": {"shape": {"segment": [[0, 0], [400, 0]]}},
                "peg": {
                    "fixed": True,
                    "shape": {"outline": [[lever, -corner], [lever, -4], [lever + 0.1, -4]]},
                },
            },
            "joints": {
                "hinge": {
                    "type": "revolute",
                    "between": ["root", "arm"],
                    "at": [0, 0],
                    "spring": {"stiffness": stiffness},
                }
            },
            "drives": {"push": {"part": "root", "legs": [{"velocity": [0, -1], "for": pushed}]}},
            "touching": {"ignore": ["root:arm"]},
        }
    )
    run = detent.mate(arm).run.trajectory
    bent = np.arctan2(np.maximum(run.times - corner, 0), lever)
    np.testing.assert_allclose(run.coordinates["hinge"], bent, atol=1e-12)
    np.testing.assert_allclose(run.poses["arm"][:, 2], bent, atol=1e-12)
    np.testing.assert_allclose(run.energy["stored"], stiffness * bent**2 / 2, rtol=1e-9, atol=1e-15)


def test_the_series_of_the_force_is_a_curve_also_where_the_angle_hardly_changes() -> None:
    """A side through its hinge over a corner at (1, -30): k theta sin(theta) / r, between rows too."""
    outline, corner = [[0, 0], [3, 0], [6, -20], [0, -25]], [[-6, -40], [1, -40], [1, -30], [-6, -28]]
    story = detent.mate(
        detent.from_dict(document(outline, [corner], 0, [{"velocity": [0, -1], "for": 28}]))
    ).legs[0]
    times = np.linspace(story.events[-1].time + 1e-9, 28, 500)
    angle = np.arctan2(1, 30 - times)
    force = angle * np.sin(angle) / np.hypot(1, 30 - times)
    rows = np.interp(times, story.force.times, story.force.on_drive)
    np.testing.assert_allclose(rows, force, rtol=0.04)


def test_angles_over_time_are_those_of_the_exact_curves() -> None:
    mechanism = read_document(round_nose(9))
    mating = detent.mate(mechanism)
    legs = run_plan(fastener(mechanism)).legs
    for leg, exact in zip(mating.legs, legs, strict=True):
        times, angles = leg.force.times, leg.force.hinges["hinge"].angle
        assert min(angles) < -0.1
        for time, angle in zip(times, angles, strict=True):
            there = state_at(exact, float(exact.line.start) + time - leg.start)
            assert angle == pytest.approx(there, abs=1e-9)
            assert mating.run.evidence.angle("hinge", time) == pytest.approx(there, abs=1e-9)
    column = mating.columns()["hinge.angle [rad]"]
    assert column.tolist() == [a for leg in mating.legs for a in leg.force.hinges["hinge"].angle]


def test_an_angle_is_asked_of_a_hinge_at_a_time_of_the_plan() -> None:
    evidence = detent.mate(read_document(rack(3))).run.evidence
    with pytest.raises(ModelError, match=r"'h' is no hinge of a pawl.*h0"):
        evidence.angle("h", 1.0)
    with pytest.raises(ModelError, match="runs from 0 to 30"):
        evidence.angle("h0", 30.1)


def test_changes_along_an_arc_are_told_as_one() -> None:
    mating = detent.mate(read_document(round_nose(40)))
    for leg in mating.legs:
        changes = [event for event in leg.events if event.kind == "change"]
        (arc,) = leg.along_arcs
        assert (arc.changes, arc.from_, arc.to) == (len(changes), changes[0].time, changes[-1].time)
    # The teeth of a rack are passed one by one.
    assert detent.mate(read_document(rack(12))).legs[0].along_arcs == ()
