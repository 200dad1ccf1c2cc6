"""The second rate of one gap in the plane: `normal_rows.gap_rates` for loops that step, without arrays.

With c the material point of a gap on b, e that on a, and n the normal, as there: an edge carries n along, of
two discs n goes with their centres. `tests/crosscheck` lays the two beside each other.
"""

from __future__ import annotations

import math

import numpy as np

from detent.numeric.kernels import kernel

# Columns of a body at a state that are read here: those of `mechanics.tree_kernels`.
_X, _Y, _SPEED_X, _SPEED_Y, _SPIN = 0, 1, 5, 6, 7


@kernel(
    sample=lambda: (
        np.array([0.1, 0.3, 0.2, 0.6, 0.8, 0.0, 0.0, 0.5, 0.0, 2.0]),
        np.arange(10.0),
        np.ones(10),
    ),
    inlined=True,
    bare=True,
)
def plane_gap_rate(contact, a, b):  # type: ignore[no-untyped-def]
    """The second derivative of a contact's gap at zero acceleration of both bodies; columns of `at_state`."""
    gap, ka, kb = contact[0], contact[8], contact[9]
    # The part whose edge carries the normal is called e, and n points away from it.
    forwards = not (kb == 0.0 and ka != 0.0)
    sign = 1.0 if forwards else -1.0
    ke, kc = (ka, kb) if forwards else (kb, ka)
    flat = ke == 0.0
    radius = 0.0 if kc == 0.0 or math.isinf(kc) else 1.0 / kc
    back = 0.0 if flat or math.isinf(ke) else 1.0 / ke
    nx, ny = sign * contact[3], sign * contact[4]
    on_e, on_c = (-gap - back, radius) if forwards else (-back, gap + radius)
    e, c = (a, b) if forwards else (b, a)
    ex, ey = contact[1] + on_e * nx - e[_X], contact[2] + on_e * ny - e[_Y]
    cx, cy = contact[1] + on_c * nx - c[_X], contact[2] + on_c * ny - c[_Y]
    past_x = c[_SPEED_X] - c[_SPIN] * cy - e[_SPEED_X] + e[_SPIN] * ey
    past_y = c[_SPEED_Y] + c[_SPIN] * cx - e[_SPEED_Y] - e[_SPIN] * ex
    we, wc = e[_SPIN], c[_SPIN]
    bending = nx * (we * we * ex - wc * wc * cx) + ny * (we * we * ey - wc * wc * cy)
    distance = on_c - on_e
    if flat:
        carried = we * (nx * past_y - ny * past_x)
        return bending + 2.0 * carried - we * we * distance
    if distance == 0.0:
        return bending
    across = nx * past_y - ny * past_x
    return bending + across * across / distance
