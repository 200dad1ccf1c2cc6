"""What a led mating asks of the motors, and where its energy went, in words."""

from __future__ import annotations

from collections.abc import Sequence

from detent.foundation.units import UnitNames
from detent.record.led.mating import LedEnergy, PassedLimit


def energy_words(energy: LedEnergy, units: UnitNames) -> str:
    """One line."""
    impacts = f" ({energy.impacts:.3g} in impacts)" if energy.impacts else ""
    return (
        f"energy       {energy.input:.4g}{units.energy} in; mating parts take {energy.mating:.4g}{impacts}, "
        f"dampers {energy.dissipated:.4g}, {energy.stored:.4g} stored, {energy.unbalanced:.1g} unbalanced"
    )


def limit_words(passed: Sequence[PassedLimit], units: UnitNames) -> list[str]:
    """A line of each motor."""
    return [
        f"over limit   {each.motor}: {each.largest:.4g} of {each.limit:.4g}{units.torque}, first at "
        f"{each.first:.4g}{units.time}, {each.lasted:.3g}{units.time} in all"
        for each in passed
    ]
