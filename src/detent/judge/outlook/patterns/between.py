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


def bracketed(
    left: tuple[float, float] | None,
    ends: tuple[tuple[float, float], tuple[float, float]],
    right: tuple[float, float] | None,
    wanted: Floats,
    alike: bool,
) -> tuple[Floats, Floats]:
    """Between what values lie from one measured number to the next, by them and by those measured beside.

    A curve that bends one way lies between its chord and its neighbours' chords that are carried on, the
    nearer one. Where both ends are not `alike` it may jump between them, and go on with either neighbour.
    """
    (a, at_a), (b, at_b) = ends
    chord = at_a + (at_b - at_a) * (wanted - a) / (b - a)
    lines = []
    for (number, at), beside in zip(ends, (left, right), strict=True):
        if beside is not None:
            lines.append(at + (at - beside[1]) * (wanted - number) / (number - beside[0]))
        elif not alike:
            lines.append(np.full(len(wanted), at))
    off = np.array([line - chord for line in lines]).reshape(-1, len(wanted))
    low, high = np.minimum(off.min(axis=0, initial=0.0), 0.0), np.maximum(off.max(axis=0, initial=0.0), 0.0)
    if alike and len(lines) == 2:
        low = np.where(off.max(axis=0) < 0.0, off.max(axis=0), low)
        high = np.where(off.min(axis=0) > 0.0, off.min(axis=0), high)
    return chord + low, chord + high
