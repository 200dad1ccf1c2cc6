"""What a rigid run does at a contact is one of the contact modes that are enumerated at that state."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from detent.contact import contacts_at, mode_contacts
from detent.contact.modes import modes
from detent.mechanics import shift_of
from detent.model import State
from detent.motion import Rigid

# Of the greatest speed: a contact that opens slower stays.
STAYS = 1e-6


@pytest.mark.parametrize(
    ("name", "until"),
    [("escapement", 9.0), ("ratchet_free", 1.5), ("double_escapement", 4.0), ("geneva", 3.0)],
)
def test_every_mode_of_a_run_is_enumerated(name, until):
    run = detent.predict(detent.load(name), method=Rigid(), until=until).evidence
    system, seen = run.system, set()
    starts = run.steps[run.steps[:, 1] * run.steps[:, 2] > 1e-6]
    for begin, length, share in starts:
        moment = run.trajectory_at(np.array([begin + 1e-3 * length * share]))
        state = _state(system, moment)
        touching = contacts_at(
            system, run.possible, state, within=1e-7 * system.size, depth=1e-7 * system.size
        )
        if not len(touching):
            continue
        rows = mode_contacts(touching)
        moving = state.velocities[system.columns >= 0].ravel()
        opening = rows.floats.normal @ np.linalg.solve(
            shift_of(system, state) / system.metres_per_unit, moving
        )
        fastest = np.abs(moving).max() * system.size
        signs = np.where(np.abs(opening) <= STAYS * fastest, 0, np.sign(opening)).astype(int)
        assert (signs >= 0).all(), "nothing goes into anything"
        enumerated = modes(rows, kind="contacting_separating")
        assert tuple(signs) in {tuple(int(s) for s in row[: len(signs)]) for row in enumerated.signs}
        seen.add((tuple(sorted(touching.names)), tuple(signs)))
    assert len(seen) >= 4


def _state(system, moment):
    """SI, at the only row of a trajectory."""
    unit = system.metres_per_unit
    poses = np.array([moment.poses[body.name][0] for body in system.bodies])
    velocities = np.array([moment.velocities[body.name][0] for body in system.bodies])
    poses[:, :3] *= unit
    velocities[:, :3] *= unit
    return State(poses, velocities)
