"""A part turned to a direction that somebody gave: the joints follow from where they are.

The direction is held as one more equation and approached in short steps, each closed
by least motion, so that no branch is left. What the joints do not let through is
refused, with how far the part can turn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean
from detent.kinematics.equations.newton import close, column_scale
from detent.kinematics.equations.rows import ClosureRows, Floats, HeldCoordinate, rows_of
from detent.kinematics.planning.limit_rows import outside
from detent.model.document.mechanism import Mechanism
from detent.model.machine.plane_linkage import PlaneLinkage
from detent.motion.live.grabbing import closed_at

# Of a rotation [rad]: the longest step, and the one below which it is blocked.
LONGEST, SHORTEST = 0.05, 1e-7
# A step moves no point farther than this many times the size and the step's angle: farther is another branch.
# At the end of a range the others move as the root of what is left of it, faster than any such bound: there a
# short step may move them by this many times the size and the root of its angle.
FASTEST, AT_THE_END = 20.0, 0.5


def turned(
    mechanism: Mechanism, poses_by_part: Mapping[str, Sequence[float]] | None, part: str, angle: float
) -> tuple[PlaneLinkage, Floats]:
    """The system, and its poses with the part at an angle of the world [rad], every joint closed.

    The shorter way round is tried first, then the other.
    """
    system, poses = closed_at(mechanism, poses_by_part)
    if part not in system.parts:
        raise ModelError.at("part", f"there is no part {part!r}", did_you_mean(part, system.parts))
    index = system.parts.index(part)
    if system.fixed[index]:
        raise ModelError.at(f"parts.{part}", "is fixed: it does not turn", "turn a part that moves")
    rows = rows_of(system, [HeldCoordinate(part=index)])
    way = math.remainder(angle - float(poses[index, 2]), 2 * math.pi)
    ends = []
    for turn in (way, way - math.copysign(2 * math.pi, way)):
        end, reached = _followed(rows, poses, index, turn)
        if reached:
            return system, end
        ends.append(math.degrees(float(end[index, 2] - poses[index, 2])))
    low, high = min(*ends, 0.0), max(*ends, 0.0)
    raise ModelError.at(
        f"parts.{part}",
        f"the joints do not let it turn so far: from here it turns by {low:+.4g}° to {high:+.4g}°",
        "give a direction within that, or change a length",
    )


def _followed(rows: ClosureRows, poses: Floats, index: int, turn: float) -> tuple[Floats, bool]:
    """Poses as far as the part turns, and whether that is all of it."""
    start, gone, step = float(poses[index, 2]), 0.0, LONGEST
    free = bool(outside(rows.system, poses))  # beyond a limit already: nothing holds it there
    while gone < abs(turn):
        there = min(abs(turn), gone + step)
        tried = _nearby(rows, poses, complex(start + math.copysign(there, turn)), there - gone)
        if tried is None or not (free or not outside(rows.system, tried)):
            step = (there - gone) / 2
            if step < SHORTEST:
                return poses, False
            continue
        poses, gone, step = tried, there, min(LONGEST, 2 * step)
    return poses, True


def _nearby(rows: ClosureRows, poses: Floats, target: complex, step: float) -> Floats | None:
    """Closed at a target, on the branch that it came from; None where it is not."""
    closure = close(rows, poses, [target])
    if not closure.closed:
        return None
    moved = [closure.poses[part] - poses[part] for part, column in enumerate(rows.column) if column >= 0]
    long = np.max(np.abs(np.concatenate(moved) / column_scale(rows)), initial=0.0)
    most = max(FASTEST * step, AT_THE_END * math.sqrt(step)) * rows.system.size
    return closure.poses if long <= most else None
