"""Which contacts leave the drives no way on, whatever slides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from detent.motion.rigid.following.balance import SlowMachine

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def blocking(balance: SlowMachine, y: Floats, place: float, touching: Sequence[int]) -> list[int]:
    """Contacts that leave the drives no way on, by Farkas' lemma; none where there is a way."""
    from scipy.optimize import nnls

    rows = balance.rows_at(y, place, touching)
    first = len(rows.held) - len(balance.plan.coordinates)
    units = np.array([balance.unit(k) for k in balance.plan.coordinates])
    rate = np.zeros(len(rows.held))
    rate[first:] = balance.plan.rates(place) / units
    rate /= np.abs(rate).max(initial=0.0) or 1.0
    size = np.maximum(np.abs(rows.normal).max(axis=1, initial=0.0), 1e-300)
    columns = np.concatenate([rows.held, -rows.held, rows.normal / size[:, None]]).T
    last = np.concatenate([rate, -rate, np.zeros(len(size))])
    matrix = np.concatenate([columns, last[None]])
    wanted = np.zeros(len(matrix))
    wanted[-1] = 1.0
    try:
        found, left = nnls(matrix, wanted)
    except RuntimeError:
        return []
    if left > 1e-7:
        return []
    shares = found[2 * len(rate) :]
    return [c for c, share in zip(touching, shares, strict=True) if share > 1e-9 * shares.max()]
