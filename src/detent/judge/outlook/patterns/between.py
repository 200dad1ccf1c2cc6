"""Values between those of measured patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def smoothed(at: Floats, values: Floats, wanted: Floats) -> Floats:
    """Cubic between values, with the slopes of the parabolas through each three, as far as it stays between
    them: slopes of no more than three times those of both chords (Fritsch and Carlson, 1980)."""
    if len(at) < 3:
        return np.interp(wanted, at, values)
    slopes = np.gradient(values, at, edge_order=2)
    chords = np.diff(values) / np.diff(at)
    left, right = np.append(chords[:1], chords), np.append(chords, chords[-1:])
    most = np.where(left * right > 0, 3.0 * np.minimum(np.abs(left), np.abs(right)), 0.0)
    slopes = np.where(slopes * left > 0, np.clip(slopes, -most, most), 0.0)
    k = np.clip(np.searchsorted(at, wanted) - 1, 0, len(at) - 2)
    width = at[k + 1] - at[k]
    s = np.clip((wanted - at[k]) / width, 0.0, 1.0)
    rise = values[k + 1] - values[k]
    bent = width * (slopes[k] * (1 - s) - slopes[k + 1] * s) - rise * (1 - 2 * s)
    smooth: Floats = values[k] + s * rise + s * (1 - s) * bent
    return smooth


def between(at: Floats, values: Floats, number: float) -> float:
    """Straight between two, and beyond the last ones as they go on."""
    if len(at) == 1:
        return float(values[0])
    k = int(np.clip(np.searchsorted(at, number), 1, len(at) - 1))
    share = (number - at[k - 1]) / (at[k] - at[k - 1])
    return float(values[k - 1] + share * (values[k] - values[k - 1]))
