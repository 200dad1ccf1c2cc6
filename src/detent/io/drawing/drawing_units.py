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

    `wanted` is the unit that the reader says. It counts where the drawing says none; it is never a unit to
    convert to, so that one that contradicts the drawing is refused.
    """
    wanted = None if wanted is None else spelt(wanted)
    if wanted is not None and wanted not in METRES and wanted not in _SAID:
        raise UnknownNameError.at("units", f"there are no units {wanted!r}", did_you_mean(wanted, METRES))
    said = 0 if wanted is None else _SAID.get(wanted, code_of(wanted))
    if code in _CODES:
        if wanted is not None and said != code:
            _refuse_other(wanted, code, file)
        return _document_units(code)
    if said:
        return _document_units(said)
    if wanted is not None:
        return wanted, Fraction(1), ""
    problem = (
        "does not say its units" if code == 0 else f"has units of code {code}, which has no exact length"
    )
    example = "`detent convert --units mm drawing.dxf machine.toml`"
    remedy = f"say them: --units mm (m, in, cm, ft, µm, 1), as in {example}"
    raise ModelError.at("units", problem, remedy, file=file)


def _document_units(code: int) -> tuple[str, Fraction, str]:
    """Of a drawing with a unit: those of the document, their number per unit drawn, and words."""
    if code in _KEPT:
        return _KEPT[code], Fraction(1), ""
    name, length = _CODES[code]
    units = "mm" if length < 1 else "m"
    words = f"The drawing is in {name}; lengths are converted to {units}, exactly."
    return units, length / METRES[units], words


def _refuse_other(wanted: str, code: int, file: str) -> None:
    problem = f"says that it is in {_CODES[code][0]}, and --units says {wanted}"
    becomes = _document_units(code)[0]
    remedy = f"leave --units out (the document is then in {becomes}), or mend $INSUNITS"
    raise ModelError.at("units", problem, remedy, file=file)


def refuse_units(kept: str, wanted: str, file: str) -> None:
    """Of a file whose document has units of its own, other than those that the reader says."""
    problem = f"its lengths are {in_units(kept)}, and --units says {wanted}"
    remedy = "leave --units out, which is for drawings that do not say theirs; `detent open` changes units"
    raise ModelError.at("units", problem, remedy, file=file)


def scaled(data: Any, factor: Fraction) -> Any:
    """Plain data of shapes with every length multiplied, exactly."""
    if factor == 1:
        return data
    if isinstance(data, Number):
        return number(data * factor)
    if isinstance(data, dict):
        return {key: scaled(value, factor) for key, value in data.items()}
    return [scaled(value, factor) for value in data] if isinstance(data, list) else data
