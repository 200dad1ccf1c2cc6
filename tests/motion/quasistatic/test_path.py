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
