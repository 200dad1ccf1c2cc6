"""Shapes made larger, by one factor or by one along each axis.

A stretch S after a move by v is a move by S v after S. After a turn R it is R
after R⁻¹ S R, which lies along the axes again where R is a quarter turn, or
where both factors across R's axis are equal. A block, an outline and a prism
stay of their kind, and so does a round one stretched along its own axis; what
would not is `BentError`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from detent.io.csg import csg_patterns

Data = dict[str, Any]
Factors = tuple[Fraction, Fraction, Fraction]

_OPERATIONS = ("union", "difference", "intersection")


class BentError(Exception):
    """A shape that would not stay of its kind."""


def stretched(shape: Data, factors: Factors) -> Data:
    """A shape with its lengths along x, y and z times these factors."""
    if len(set(factors)) == 1:
        return scaled(shape, factors[0])
    made: Data = {}
    if "repeat" in shape:
        made["repeat"] = _repeat(shape["repeat"], factors)
    if "moves" in shape:
        made["moves"], factors = _moves(shape["moves"], factors)
    for key, value in shape.items():
        if key in _OPERATIONS:
            made[key] = [stretched(child, factors) for child in value]
        elif key not in made:
            made[key] = _primitive(key, value, factors)
    return made


def _primitive(kind: str, value: Any, factors: Factors) -> Any:
    x, y, z = factors
    if kind == "block":
        return _each(value, factors)
    if kind == "outline":
        return [[px * x, py * y] for px, py in value]
    if kind == "prism":
        return {"outline": _primitive("outline", value["outline"], factors), "height": value["height"] * z}
    if kind in ("cylinder", "cone") and x == y:
        return {"radius": _times(value["radius"], x), "height": value["height"] * z}
    raise BentError


def _repeat(repeat: Data, factors: Factors) -> Data:
    if "step" not in repeat and _past(repeat["about"], Fraction(1), factors) != factors:
        raise BentError
    return {key: _each(value, factors) if key in ("step", "at") else value for key, value in repeat.items()}


def _moves(moves: list[Data], factors: Factors) -> tuple[list[Data], Factors]:
    """The moves that come after the stretch instead, and the stretch that comes before them."""
    made: list[Data] = []
    for move in reversed(moves):
        if "move" in move:
            made.append({"move": _each(move["move"], factors)})
        elif "mirror" in move:
            _axis(move["mirror"])
            made.append(move)
        else:
            before = _past(move.get("about", "z"), move["turn_deg"], factors)
            made += _turned(move, before, factors)
            factors = before
    return csg_patterns.arranged_moves(made[::-1]), factors


def _turned(turn: Data, before: Factors, after: Factors) -> list[Data]:
    """A turn, last step first; its point lies elsewhere before and after."""
    if "at" not in turn:
        return [turn]
    bare = {key: value for key, value in turn.items() if key != "at"}
    back = [-c for c in _each(turn["at"], before)]
    return [{"move": _each(turn["at"], after)}, bare, {"move": back}]


def _past(about: Any, degrees: Fraction, factors: Factors) -> Factors:
    """The stretch before a turn that does what this one does after it."""
    i, j = (k for k in range(3) if k != _axis(about))
    if factors[i] == factors[j] or degrees % 180 == 0:
        return factors
    if degrees % 180 != 90:
        raise BentError
    swapped = list(factors)
    swapped[i], swapped[j] = factors[j], factors[i]
    return swapped[0], swapped[1], swapped[2]


def _axis(along: Any) -> int:
    """The number of an axis, given by its letter or by a vector along it."""
    if isinstance(along, str):
        return "xyz".index(along)
    found = [k for k, c in enumerate(along) if c != 0]
    if len(found) != 1:
        raise BentError
    return found[0]


def _each(vector: list[Fraction], factors: Factors) -> list[Fraction]:
    return [c * factor for c, factor in zip(vector, factors, strict=True)]


def scaled(shape: Data, factor: Fraction) -> Data:
    """Every length of a shape times a factor; angles and counts stay."""
    made: Data = {}
    for key, value in shape.items():
        if key in _OPERATIONS:
            made[key] = [scaled(child, factor) for child in value]
        elif key == "moves":
            made[key] = [_scaled_keys(move, ("move", "at"), factor) for move in value]
        elif key == "repeat":
            made[key] = _scaled_keys(value, ("step", "at"), factor)
        else:
            made[key] = _times(value, factor)
    return made


def _scaled_keys(table: Data, keys: tuple[str, ...], factor: Fraction) -> Data:
    return {key: _times(value, factor) if key in keys else value for key, value in table.items()}


def _times(value: Any, factor: Fraction) -> Any:
    if isinstance(value, list):
        return [_times(entry, factor) for entry in value]
    if isinstance(value, dict):
        return {key: _times(entry, factor) for key, entry in value.items()}
    return value * factor
