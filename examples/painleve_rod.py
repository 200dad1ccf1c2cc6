"""None, one or two motions: chalk that is pushed along a board at a steep angle.

Sliding ahead of its centre at tan = 2, the rod's end gives way to a push from the board only
while friction is below 4/3. Beyond, Coulomb's law leaves no finite acceleration for a rod that
presses on the board, and two for one that would lift; the answer says so.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import detent
from detent.contact import consistent_modes
from detent.mechanics import mass_matrix, weight

machine = detent.load(Path(__file__).with_name("painleve_rod.toml"))
modes = detent.modes(machine)
ahead, behind = [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]


def motions(friction: float, velocity: list[float], lift: float = 0.0) -> list[str]:
    load = weight(machine) + lift * np.array([0.0, 1.0, -1.0])  # a pull upwards at the centre, x = -1
    found = consistent_modes(
        modes, mass_matrix(machine), np.zeros(3), load, friction=friction, velocity=velocity
    )
    return [motion.text for motion in found]


for friction, velocity, lift, expected in (
    (4 / 3 - 1e-4, ahead, 0.0, ["0|+"]),
    (4 / 3 + 1e-4, ahead, 0.0, []),
    (4 / 3 + 1e-4, ahead, 10.0, ["+|.", "0|+"]),
    (4 / 3 - 1e-4, ahead, 10.0, ["+|."]),
    (4 / 3 + 1e-4, behind, 0.0, ["0|-"]),
):
    found = sorted(motions(friction, velocity, lift))
    way = "ahead" if velocity is ahead else "behind"
    print(f"friction {friction:.4f}, sliding {way}, lifted by {lift:4.1f} N: {found or 'no motion'}")
    assert found == expected
