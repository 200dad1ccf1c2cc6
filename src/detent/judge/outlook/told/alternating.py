"""Two patterns in turn: one pattern of twice the marks where that lasts, or how it began."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from detent.judge.outlook.patterns.finding import Found

# Of a range: halves of a pattern that leave each coordinate nearer than that to where they found it, but for
# what they carry on, are patterns of their own.
_NEAR = 0.25
_AS_FAR = 0.05  # of what the whole pattern carries on: by how much its halves may differ from a half of that
_FEW = 4  # changes to and fro in a row


def alternating(found: Found) -> list[str]:
    """In words: what alternates in the pattern, and what did before it."""
    pattern, course = found.hypothesis, found.course
    assert pattern is not None
    marks, minima, last, say = pattern.marks, pattern.minima, pattern.last, course.words
    words = []
    if minima % 2 == 0:
        half = minima // 2
        ends = [last - minima, last - half, last]
        width, _ = course.ranges().over(pattern.begin, pattern.begin + pattern.duration)
        off = np.abs(np.diff(marks.at[ends], axis=0) - 0.5 * pattern.change)
        goes_on = np.abs(pattern.change) > found.settings.state * width
        if (off <= np.where(goes_on, _AS_FAR * np.abs(pattern.change), _NEAR * width)).all():
            each = [say.at(float(time)) for time in np.diff(marks.times[ends])]
            words.append(f"two patterns of {_marks(half)} alternate in it, in {each[0]} and in {each[1]}")
    before = np.arange(last - minima * (pattern.confirmed + 1), -1, -minima)[::-1]
    lasts = np.diff(marks.times[before])
    steps = np.diff(lasts)
    open_ = found.settings.time * pattern.duration
    back = [a * b < 0.0 and min(abs(a), abs(b)) > open_ for a, b in pairwise(steps)]
    if sum(back) >= _FEW:
        k = int(np.flatnonzero(back)[0])
        until = say.at(float(marks.times[before[int(np.flatnonzero(back)[-1]) + 3]]))
        one, other = (say.at(float(each)) for each in lasts[k : k + 2])
        words.append(f"up to {until} two of {_marks(minima)} alternated, in {one} and in {other} at first")
    return words


def _marks(count: int) -> str:
    return "1 mark" if count == 1 else f"{count} marks"
