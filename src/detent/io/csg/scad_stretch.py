"""Shapes made larger, by one factor or by one along each axis.

A scaling S after a move by v is a move by S v after S. After a rotation R it is R
after R⁻¹ S R, which lies along the axes again where R is a quarter rotation, or
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
    result: Data = {}
    if "repeat" in shape:
        result["repeat"] = _repeat(shape["repeat"], factors)
    if "moves" in shape:
        result["moves"], factors = _moves(shape["moves"], factors)
    for key, value in shape.items():
        if key in _OPERATIONS:
            result[key] = [stretched(child, factors) for child in value]
        elif key not in result:
            result[key] = _primitive(key, value, factors)
    return result


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
    if "step" not in repeat and _factors_before(repeat["about"], Fraction(1), factors) != factors:
        raise BentError
    return {key: _each(value, factors) if key in ("step", "at") else value for key, value in repeat.items()}


def _moves(moves: list[Data], factors: Factors) -> tuple[list[Data], Factors]:
    """The moves that come after the scaling instead, and the scaling that comes before them."""
    after: list[Data] = []
    for move in reversed(moves):
        if "move" in move:
            after.append({"move": _each(move["move"], factors)})
        elif "mirror" in move:
            _axis(move["mirror"])
            after.append(move)
        else:
            before = _factors_before(move.get("about", "z"), move["turn_deg"], factors)
            after += _rotation_moves(move, before, factors)
            factors = before
    return csg_patterns.merged_moves(after[::-1]), factors


def _rotation_moves(rotation: Data, before: Factors, after: Factors) -> list[Data]:
    """A rotation, last step first; its point lies elsewhere before and after."""
    if "at" not in rotation:
        return [rotation]
    bare = {key: value for key, value in rotation.items() if key != "at"}
    back = [-c for c in _each(rotation["at"], before)]
    return [{"move": _each(rotation["at"], after)}, bare, {"move": back}]


def _factors_before(about: Any, degrees: Fraction, factors: Factors) -> Factors:
    """The scaling before a rotation that does what this one does after it."""
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
    axes = [k for k, c in enumerate(along) if c != 0]
    if len(axes) != 1:
        raise BentError
    return axes[0]


def _each(vector: list[Fraction], factors: Factors) -> list[Fraction]:
    return [c * factor for c, factor in zip(vector, factors, strict=True)]


def scaled(shape: Data, factor: Fraction) -> Data:
    """Every length of a shape times a factor; angles and counts stay."""
    result: Data = {}
    for key, value in shape.items():
        if key in _OPERATIONS:
            result[key] = [scaled(child, factor) for child in value]
        elif key == "moves":
            result[key] = [_scaled_keys(move, ("move", "at"), factor) for move in value]
        elif key == "repeat":
            result[key] = _scaled_keys(value, ("step", "at"), factor)
        else:
            result[key] = _times(value, factor)
    return result


def _scaled_keys(table: Data, keys: tuple[str, ...], factor: Fraction) -> Data:
    return {key: _times(value, factor) if key in keys else value for key, value in table.items()}


def _times(value: Any, factor: Fraction) -> Any:
    if isinstance(value, list):
        return [_times(entry, factor) for entry in value]
    if isinstance(value, dict):
        return {key: _times(entry, factor) for key, entry in value.items()}
    return value * factor
