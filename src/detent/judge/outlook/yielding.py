"""The pattern of a machine whose parts yield where they touch, for documents that ask for the penalty model.

Only the pattern: after many of them parts that yield can jam corner on corner, and the long run by this model
is not the machine's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.patterns.hypotheses import Marks, Ranges, SearchSettings, search
from detent.judge.outlook.patterns.unit_words import unit_words_of
from detent.judge.outlook.told.telling import change_of, phases_of
from detent.motion.penalty.method import Penalty
from detent.motion.prediction import predict
from detent.motion.running.minima import energy_minima
from detent.record.outlook import Pattern

if TYPE_CHECKING:
    from detent.model.document.ask import AskOutlook
    from detent.model.document.mechanism import Mechanism

# Of the time in which the rigid model showed it: simulated here.
_LONGER = 1.25


def penalty_asked(ask: AskOutlook) -> Penalty:
    """The method with the document's numbers."""
    given = ask.penalty
    if given is None:
        return Penalty()
    return Penalty(
        stiffness=float(given.stiffness),
        damping=float(given.damping),
        features=given.features or "outline",
    )


def pattern_by_penalty(
    mechanism: Mechanism, method: Penalty, until: float, settings: SearchSettings
) -> Pattern | None:
    """The pattern at minima of the kinetic energy; None where none is confirmed in the time."""
    along = predict(mechanism, method=method, until=_LONGER * until).evidence.along
    times = np.array(energy_minima(along, settings.energy))
    motions = [along.motion_at(float(time)) for time in times]
    width = along.tree.freedoms
    marks = Marks(
        times,
        np.array([y for y, _ in motions]).reshape(-1, width),
        np.array([v for _, v in motions]).reshape(-1, width),
    )
    begins = [along.motion_at(float(time)) for time in along.steps[:, 0]]
    ranges = Ranges(
        along.steps[:, 0],
        np.array([y for y, _ in begins]),
        np.array([v for _, v in begins]),
        along.scales(),
        unit_words_of(along.tree),
    )
    names = tuple(along.tree.names[k] for k in along.tree.independent)
    found = search(marks, ranges, names, settings).found
    if found is None:
        return None
    return Pattern(
        minima=found.minima,
        duration=found.duration,
        change=change_of(along, found, found.kept + found.minima),
        phases=phases_of(along, found),
        since=found.since,
        confirmed=found.confirmed,
        bound=settings.bound(found.minima),
    )
