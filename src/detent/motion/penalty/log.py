"""What the loop of the penalty method has written."""

from __future__ import annotations

import numpy as np

from detent.motion.penalty.stepping import EVENTS, STEPS, OverlapLog


def joined(logs: list[OverlapLog]) -> OverlapLog:
    """What logs hold that were written one after the other, without the room that is left in them."""
    *by_step, events = range(1, len(OverlapLog._fields))
    taken = [np.concatenate([log[column][: log.counted[STEPS]] for log in logs]) for column in by_step]
    taken.append(np.concatenate([log[events][: log.counted[EVENTS]] for log in logs]))
    return OverlapLog(np.sum([log.counted for log in logs], axis=0), *taken)
