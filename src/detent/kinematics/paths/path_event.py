"""What lies on a drive path: limits, change points, joints at their stops, breaks. One type for all of them.

Whoever looks for one says where it is, of which kind, and which operation or joint decides; `paths.closed`
and `paths.followed` add the inputs there, the parts concerned and the words for it. The record's `Limit`
is what a user sees of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from detent.kinematics.equations.rows import Floats

# limit: the linkage cannot go beyond. change_point: two branches meet, and it goes straight on. touch: a
# joint comes to its own limit and turns back. break: a joint that repeats others no longer closes.
PathEventKind = Literal["limit", "change_point", "touch", "break"]
# Kinds by another word in answers, where they stood before events had kinds of their own.
RECORDED = {"change_point": "change"}


@dataclass(frozen=True, eq=False)
class PathEvent:
    """One thing on a drive path.

    `at` is a share of a straight leg (0 to 1), or a position along the whole path where frames were followed
    (2.5: halfway from the third position to the fourth).
    """

    at: float
    kind: PathEventKind
    row: int = -1  # the operation that decides; -1 where none does or it is not known
    joint: int = -1  # the joint whose own limit it is
    parts: tuple[str, ...] = ()
    detail: str = ""
    inputs: Floats = field(default_factory=lambda: np.zeros(0))  # at the event, once it is described
    beyond: float = 0.0  # the nearest place where a limit does not close; past a change point
    unbounded: bool = False  # a limit that no pose reaches: two slides become parallel and meet nowhere
    also: tuple[int, ...] = ()  # of a change point: later operations whose discriminants touch zero with it

    @property
    def recorded_kind(self) -> str:
        """The kind as answers name it."""
        return RECORDED.get(self.kind, self.kind)
