"""What patterns come to that become alike by the same factor each, and how long that takes.

Where a pattern map contracts, what is left of a transient falls by its slowest multiplier from pattern to
pattern: durations and states are those of the end and a geometric series. Its sum is that of Aitken (1926),
over patterns that lie apart, so that the accuracy of marks does not count; two such sums must agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_FEW = 12  # patterns: of fewer no factor is told
_ACCURATE = 3.0  # times the accuracy of a step: what durations must still change by, to be told from it
_ALIKE = 0.1  # by how much the factors of two sums may differ
_MOST = 0.9  # what may be left after as many patterns as the sums are apart: a drift does not end


@dataclass(frozen=True)
class Settling:
    """Of patterns after a number: what is left after it, `factor` of it after each further one."""

    number: float
    factor: float
    duration: float  # [s] in the end
    longer: float  # [s] than in the end, of that pattern
    state: Floats  # what the state at its end has more, coordinates and speeds
    carried: Floats  # and what it carries them on by
    off: float  # share of the duration by which that in the end may be wrong
    late: float  # [s] by which all that is left, added up, may be wrong

    def left(self, number: float) -> float:
        return float(self.factor ** (number - self.number))

    def duration_at(self, number: float) -> float:
        return self.duration + self.longer * self.left(number)

    def _added_up(self, patterns: float) -> float:
        """What is left after each of so many patterns, together."""
        return float(self.factor * (1.0 - self.factor**patterns) / (1.0 - self.factor))

    def lasts(self, first: float, patterns: float) -> float:
        """[s] So many patterns together, after a first one."""
        return patterns * self.duration + self.longer * self.left(first) * self._added_up(patterns)

    def gone(self, number: float, slow: NDArray[np.bool_]) -> Floats:
        """What a state has more that is as after the last pattern simulated, each carrying on as much as that
        one, where coordinates are carried on."""
        patterns = number - self.number
        less = np.where(slow, (patterns - self._added_up(patterns)) * self.carried, 0.0)
        return np.where(slow, less, (1.0 - self.left(number)) * self.state)


def settling_of(number: float, durations: Floats, ends: Floats, accuracy: float) -> Settling | None:
    """Of patterns up to a number: their durations [s], states at their ends; None where no factor is seen."""
    count = len(durations)
    apart = count // 4
    if count < _FEW:
        return None
    near, before = (_factor(durations[: count - back], apart) for back in (0, apart // 2))
    changed = durations[-1] - durations[-1 - apart]
    if near is None or before is None or abs(changed) < _ACCURATE * accuracy * durations[-1]:
        return None
    if abs(near - before) > _ALIKE * near:
        return None
    each = near ** (1.0 / apart), before ** (1.0 / apart)
    share, carried = near / (1.0 - near), np.diff(ends, axis=0)
    longer = -changed * share
    further = durations[-1 - apart // 2] - durations[-1 - apart // 2 - apart]
    other = durations[-1 - apart // 2] + further * before / (1.0 - before)
    duration = durations[-1] - longer
    sums = [longer * factor / (1.0 - factor) for factor in each]
    return Settling(
        number=number, factor=float(each[0]), duration=float(duration), longer=float(longer),
        state=-(ends[-1] - ends[-1 - apart]) * share,
        carried=-(carried[-1] - carried[-1 - apart]) * share,
        off=2.0 * abs(float(other / duration - 1.0)),
        late=abs(sums[1] - sums[0]) + abs(float(other - duration)) / (1.0 - each[0]),
    )  # fmt: skip


def _factor(durations: Floats, apart: int) -> float | None:
    """What is left of a change after so many patterns; None where it does not become less."""
    last = durations[-1] - durations[-1 - apart]
    before = durations[-1 - apart] - durations[-1 - 2 * apart]
    return float(last / before) if 0.0 < last / before < _MOST else None
