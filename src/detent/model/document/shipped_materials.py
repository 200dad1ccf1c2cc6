"""Materials that a document may take by name, each with the data sheet that its values are from.

Data sheets give a modulus of tension, the stress and the strain at yield, at 23 degrees and short times. From
these come, for all alike, what a bent hook asks for:

- allowed once: 70 % of the strain at yield; again and again: 60 % of that (DSM Engineering Plastics, *Maximum
  allowable short-term strain*; unfilled materials with a yield point);
- the secant modulus at the strain allowed once, by the parabola through the origin, with the modulus as its
  slope there, and the point of yield: E (1 - 0.7) + 0.7 stress / strain. It is an estimate: where the data
  sheet has curves, a table of one's own is better.
"""

from __future__ import annotations

from dataclasses import dataclass

from detent.foundation.exact import Number
from detent.model.document.part import Material

ONCE = Number("0.7")  # of the strain at yield
REPEATED = Number("0.6")  # of what is allowed once
_MEGAPASCAL = 10**6


@dataclass(frozen=True)
class DataSheet:
    """Of one grade."""

    grade: str
    standard: str
    density: int  # [kg/m³]
    modulus: int  # [MPa]
    yield_stress: int  # [MPa]
    yield_strain: Number

    @property
    def material(self) -> Material:
        """What a hook asks for."""
        secant = (1 - ONCE) * self.modulus + ONCE * self.yield_stress / self.yield_strain
        return Material(
            density=Number(self.density),
            modulus=Number(self.modulus * _MEGAPASCAL),
            secant_modulus=Number(round(secant) * _MEGAPASCAL),
            strain_once=Number(ONCE * self.yield_strain),
            strain_repeated=Number(REPEATED * ONCE * self.yield_strain),
        )

    @property
    def sources(self) -> dict[str, str]:
        """Where each value is from."""
        sheet = f"data sheet of {self.grade}, {self.standard}"
        strain = f"{100 * float(self.yield_strain):.3g} %"
        return {
            "density": f"data sheet of {self.grade}",
            "modulus": sheet,
            "secant_modulus": "estimated: a parabola from the modulus to the yield point "
            f"({self.yield_stress} MPa at {strain}), at the strain allowed once",
            "strain_once": f"70 % of the yield strain of {strain} ({sheet})",
            "strain_repeated": "60 % of what is allowed once",
        }


_ISO = "ISO 527, 23 °C"
SHEETS = {
    "PA66": DataSheet("Ultramid A3K, dry as moulded", _ISO, 1130, 3000, 85, Number("0.045")),
    "PBT": DataSheet("Ultradur B 4520", _ISO, 1300, 2500, 60, Number("0.037")),
    "POM": DataSheet("Hostaform C 9021", _ISO, 1410, 2850, 64, Number("0.09")),
    "PC": DataSheet("Makrolon 2405", _ISO, 1200, 2400, 65, Number("0.06")),
    "ABS": DataSheet("Terluran GP-22", _ISO, 1040, 2300, 45, Number("0.026")),
    "PP": DataSheet("an unfilled homopolymer", "ASTM D638, 23 °C", 905, 1345, 33, Number("0.12")),
}
SHIPPED = {name: sheet.material for name, sheet in SHEETS.items()}
KEYS = ("density", "modulus", "secant_modulus", "strain_once", "strain_repeated")
