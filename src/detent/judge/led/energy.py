"""Where the energy of a led run went, as an answer tells it."""

from __future__ import annotations

import numpy as np

from detent.motion.leading.energy import EnergyAccount
from detent.record.led.mating import LedEnergy


def energy_told(account: EnergyAccount) -> LedEnergy:
    """Up to the end."""
    return LedEnergy(
        input=float(account.input[-1]),
        stored=float(account.stored[-1]),
        dissipated=float(account.dissipated[-1]),
        mating=float(account.mating[-1]),
        impacts=account.impacts,
        unbalanced=float(np.abs(account.unbalanced).max()),
    )
