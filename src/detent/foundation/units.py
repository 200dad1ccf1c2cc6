"""Units at the doors: a document's lengths to metres and back, degrees to radians.

Inside, everything is SI and radians. `"1"` names any consistent set of units
and scales nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

# Exact, so that an exact method loses nothing at the door.
METRES: dict[str, Fraction] = {
    "m": Fraction(1),
    "mm": Fraction(1, 1000),
    "in": Fraction(254, 10000),
    "1": Fraction(1),
}


# Other lengths that people write, as a document unit and a factor to it.
_OTHERS: dict[str, tuple[str, Fraction]] = {
    "cm": ("mm", Fraction(10)),
    "dm": ("mm", Fraction(100)),
    "µm": ("mm", Fraction(1, 1000)),
    "nm": ("mm", Fraction(1, 10**6)),
    "km": ("m", Fraction(1000)),
    "thou": ("in", Fraction(1, 1000)),
    "ft": ("in", Fraction(12)),
    "yd": ("in", Fraction(36)),
}
_SPELLINGS: dict[str, str] = {
    "inch": "in", "inches": "in", '"': "in", "zoll": "in",
    "metre": "m", "meter": "m", "millimetre": "mm", "millimeter": "mm",
    "centimetre": "cm", "centimeter": "cm",
    "decimetre": "dm", "decimeter": "dm", "kilometre": "km", "kilometer": "km", "nanometre": "nm",
    "nanometer": "nm", "micrometre": "µm", "micrometer": "µm", "micron": "µm", "um": "µm", "μm": "µm",
    "mil": "thou", "foot": "ft", "feet": "ft", "'": "ft", "yard": "yd",
    "none": "1", "": "1", "unitless": "1", "dimensionless": "1",
}  # fmt: skip


def other_units() -> dict[str, Fraction]:
    """Units that people draw in, beside those of documents, with their length [m]."""
    return {name: factor * METRES[unit] for name, (unit, factor) in _OTHERS.items()}


def spelt(units: str) -> str:
    """The usual name of a unit that is spelt in another way; others as they are."""
    name = units.strip().lower().rstrip(".")
    return _SPELLINGS.get(name, _SPELLINGS.get(name.removesuffix("s"), name))


def meant(units: str) -> str:
    """A remedy for a unit that no document has: the one that was meant, or how to do without it."""
    name = spelt(units)
    if name in METRES:
        return f"did you mean {name!r}?"
    if name in _OTHERS:
        unit, factor = _OTHERS[name]
        change = (
            f"multiply every length by {factor}" if factor > 1 else f"divide every length by {1 / factor}"
        )
        return f"write units = {unit!r}, and {change}"
    return ""


def measured(value: float, unit: str, digits: int = 6) -> str:
    """A number with its unit for a person; an angle in degrees."""
    return f"{math.degrees(value):.{digits}g}°" if unit == "rad" else f"{value:.{digits}g} {unit}".rstrip()


def metres(units: str) -> float:
    """Length of one document unit [m]."""
    return float(METRES[units])


@dataclass(frozen=True)
class UnitNames:
    """What stands behind numbers in words, each with the space before it; nothing in units of no name."""

    length: str
    force: str
    torque: str
    time: str
    speed: str
    acceleration: str
    angular_acceleration: str
    energy: str


def unit_names(units: str) -> UnitNames:
    """Of a document's `units`: lengths, also in speeds, in these; all else SI; `"1"` has no names at all."""
    if units == "1":
        return UnitNames("", "", "", "", "", "", "", "")
    return UnitNames(f" {units}", " N", " N m", " s", f" {units}/s", f" {units}/s²", " rad/s²", " J")


# Below it a unit of the last digit shown is not a normal double: such a number stays as it is.
_SMALLEST_ROUNDED = 1e-290


def outward(number: float, side: int, *, digits: int = 4) -> float:
    """A bound rounded to its digits, up (side 1) or down (-1); a part in 10^9 counts as rounding."""
    if abs(number) < _SMALLEST_ROUNDED or not math.isfinite(number):
        return number
    unit = 10.0 ** (math.floor(math.log10(abs(number))) + 1 - digits)
    steps = number / unit
    whole = round(steps)
    if abs(steps - whole) > 1e-9 * abs(steps):
        whole = math.ceil(steps) if side > 0 else math.floor(steps)
    return whole * unit
