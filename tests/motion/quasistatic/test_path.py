"""The sampled path, which films and strips are made of, agrees with the events it was made from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import detent
from detent.motion.quasistatic.answer import trajectory
from detent.motion.quasistatic.exact import run_plan
from detent.motion.quasistatic.machine import fastener
from tests.conftest import reference_documents
from tests.prove.fasteners import document

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
