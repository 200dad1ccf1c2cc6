"""Units of a drawing: what its code says, exactly, and what they become in a document.

A document has m, mm or in; a drawing in any other unit is converted exactly, to millimetres where its
unit is shorter than a metre, else to metres. A drawing that does not say its unit cannot be read by
itself: whoever reads it says it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from detent.foundation.errors import ModelError, UnknownNameError
from detent.foundation.exact import Number, number
from detent.foundation.names import did_you_mean
from detent.foundation.units import METRES, other_units, spelt

UNITS_KEY = "$INSUNITS"  # of a drawing's header
_INCH, _SURVEY_FOOT = Fraction(254, 10000), Fraction(1200, 3937)
# By code: a name, and its length [m].
_CODES: dict[int, tuple[str, Fraction]] = {
    1: ("inches", _INCH),
    2: ("feet", 12 * _INCH),
    3: ("miles", 63360 * _INCH),
    4: ("millimetres", Fraction(1, 1000)),
    5: ("centimetres", Fraction(1, 100)),
    6: ("metres", Fraction(1)),
    7: ("kilometres", Fraction(1000)),
    8: ("microinches", _INCH / 10**6),
    9: ("mils", _INCH / 1000),
    10: ("yards", 36 * _INCH),
    11: ("angstroms", Fraction(1, 10**10)),
    12: ("nanometres", Fraction(1, 10**9)),
    13: ("micrometres", Fraction(1, 10**6)),
    14: ("decimetres", Fraction(1, 10)),
    15: ("decametres", Fraction(10)),
    16: ("hectometres", Fraction(100)),
    17: ("gigametres", Fraction(10**9)),
    18: ("astronomical units", Fraction(149_597_870_700)),
    19: ("light years", Fraction(9_460_730_472_580_800)),
    21: ("US survey feet", _SURVEY_FOOT),
    22: ("US survey inches", _SURVEY_FOOT / 12),
    23: ("US survey yards", 3 * _SURVEY_FOOT),
    24: ("US survey miles", 5280 * _SURVEY_FOOT),
}
_CODE_OF_LENGTH = {length: code for code, (_, length) in _CODES.items()}
_KEPT = {_CODE_OF_LENGTH[METRES[units]]: units for units in ("in", "mm", "m")}
# What a reader may say besides the units of a document: lengths are converted, as if the drawing had said it.
_SAID = {units: _CODE_OF_LENGTH[length] for units, length in other_units().items()}


def code_of(units: str) -> int:
    """The code that a document's units are written with; 0 where they have no name."""
    return next((code for code, kept in _KEPT.items() if kept == units), 0)


def in_units(units: str) -> str:
    """Words for a document's units behind a noun: in inches; without a unit."""
    code = code_of(units)
    return f"in {_CODES[code][0]}" if code else "without a unit"


def units_of(code: int, wanted: str | None, file: str) -> tuple[str, Fraction, str]:
    """The document's units, its units per unit of the drawing, and words where something was converted.

    `wanted` are the units that the reader says; they count where the drawing says none.
    """
    wanted = None if wanted is None else spelt(wanted)
    if wanted in _SAID:
        if code in _CODES and code != _SAID[wanted]:
            _refuse_other(wanted, "", _CODES[code][0], file)
        code, wanted = _SAID[wanted], None
    if wanted is not None and wanted not in METRES:
        raise UnknownNameError.at("units", f"there are no units {wanted!r}", did_you_mean(wanted, METRES))
    if code in _KEPT:
        _refuse_other(wanted, _KEPT[code], _CODES[code][0], file)
        return _KEPT[code], Fraction(1), ""
    if code in _CODES:
        name, length = _CODES[code]
        units = "mm" if length < 1 else "m"
        if wanted is not None and wanted != "1":
            units = wanted
        return (
            units,
            length / METRES[units],
            f"The drawing is in {name}; lengths are converted to {units}, exactly.",
        )
    if wanted is not None:
        return wanted, Fraction(1), ""
    said = "does not say its units" if code == 0 else f"has units of code {code}, which has no exact length"
    example = "`detent convert --units mm drawing.dxf machine.toml`"
    remedy = f"say them: --units mm (m, in, cm, ft, µm, 1), as in {example}"
    raise ModelError.at("units", said, remedy, file=file)


def _refuse_other(wanted: str | None, kept: str, name: str, file: str) -> None:
    if wanted is not None and wanted != kept:
        problem = f"says that it is in {name}, and --units says {wanted}"
        raise ModelError.at("units", problem, "leave --units out, or mend $INSUNITS", file=file)


def scaled(data: Any, factor: Fraction) -> Any:
    """Plain data of shapes with every length multiplied, exactly."""
    if factor == 1:
        return data
    if isinstance(data, Number):
        return number(data * factor)
    if isinstance(data, dict):
        return {key: scaled(value, factor) for key, value in data.items()}
    return [scaled(value, factor) for value in data] if isinstance(data, list) else data
