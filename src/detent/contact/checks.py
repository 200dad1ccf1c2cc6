"""What a caller gives as contacts, checked where it enters: numbers, rows, bodies, tangents, friction.

Every refusal names the entry, says what is wrong with it and what to write instead.
Rows are floats, or rationals (`object` arrays) where no entry is a float.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence, Sized
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.foundation.errors import ModelError, WrongTypeError
from detent.foundation.names import with_article

Rows = NDArray[Any]  # float64, or object holding Fractions
Vector = Sequence[Any]
Vectors = Sequence[Vector] | NDArray[Any]

# A row's largest entry: floats square it, and a square beyond 1e308 or below 1e-308 is not a double.
LARGEST, SMALLEST = 1e100, 1e-100
# Of a tangent's length, what rounding may leave along the normal.
_ALONG = 1e-9
MOST_PLANES = 1_000  # that divide the sliding of one contact: more fill the memory before they are counted
# Of an entry of a matrix of inertia, or of what its diagonal allows: by how much its mirror image may differ.
_UNSYMMETRIC = 1e-6
# Where values of a kind come from that a function is asked of.
_GIVEN_BY = {
    "Mode": "take one of a set, by its signs or its position: `detent.modes(…)[0]`",
    "ModeSet": "`detent.modes(…)` gives one",
    "PawlDesigns": "give arrays with an entry per design: `detent.PawlDesigns(…)`",
}


def refuse_other_kind(value: object, kind: type, at: str) -> None:
    """Refuse what is of another kind than a function takes."""
    if not isinstance(value, kind):
        problem = f"{with_article(type(value).__name__)} is not a {kind.__name__}"
        raise WrongTypeError.at(at, problem, _GIVEN_BY[kind.__name__])


def width_of(normal: Any, held: Any, freedoms: int | None) -> int:
    """How many numbers a row has."""
    if freedoms is not None:
        if not _whole(freedoms) or freedoms < 0:
            raise ModelError.at(
                "freedoms", f"{freedoms!r} is not a number of degrees of freedom", "0 or more"
            )
        return int(freedoms)
    for at, rows in (("normal", normal), ("held", held)):
        if len(_listed(rows, at)):
            return len(_listed(rows[0], f"{at}.0"))
    raise ModelError.at(
        "normal", "no row, so nothing says how many degrees of freedom there are", "give `freedoms`"
    )


def rows_of(rows: Any, width: int, at: str) -> Rows:
    """Rows as one array; rationals where no entry is a float."""
    if isinstance(rows, np.ndarray) and rows.ndim == 2 and rows.dtype != object:
        if rows.shape[1] != width:
            raise ModelError.at(
                at, f"rows of {rows.shape[1]} numbers, not {width}", "one number per degree of freedom"
            )
        if rows.dtype.kind not in "biuf":
            raise ModelError.at(at, f"holds {rows.dtype} entries", "give real numbers")
        return _sized(_finite(rows.astype(float), at), at)
    for i, row in enumerate(_listed(rows, at)):
        if len(_listed(row, f"{at}.{i}")) != width:
            raise ModelError.at(
                f"{at}.{i}", f"a row of {len(row)} numbers, not {width}", "one number per degree of freedom"
            )
        checked(row, f"{at}.{i}")
    flat = [x for row in rows for x in row]
    if any(isinstance(x, (float, np.floating)) for x in flat):
        array = np.array([[_double(x, at) for x in row] for row in rows]).reshape(len(rows), width)
        return _sized(_finite(array, at), at)
    array = np.empty((len(rows), width), object)
    for k, x in enumerate(flat):
        array[k // width, k % width] = Fraction(int(x)) if isinstance(x, np.integer) else Fraction(x)
    return _sized(array, at)


def checked(vector: Vector, at: str) -> None:
    """Every entry is a real number."""
    for x in vector:
        if not isinstance(x, numbers.Real):
            raise ModelError.at(at, f"{x!r} is not a real number", "give numbers: ints, floats or Fractions")


def vectors_of(values: Any, at: str) -> list[Vector]:
    """Points, normals or tangents: a list of lists of numbers.

    Numbers of an array become Python's own: products of its small integers would overflow.
    """
    vectors = [_listed(vector, f"{at}.{i}") for i, vector in enumerate(_listed(values, at))]
    for i, vector in enumerate(vectors):
        checked(vector, f"{at}.{i}")
    return [[x.item() if isinstance(x, np.generic) else x for x in vector] for vector in vectors]


def tangents_of(values: Any, normals: Sequence[Vector]) -> list[list[Vector]]:
    """By contact, the directions that divide its sliding."""
    if len(_listed(values, "tangents")) != len(normals):
        raise ModelError.at("tangents", f"{len(values)} lists for {len(normals)} points", "one per point")
    tangents = [vectors_of(directions, f"contacts.{i}.tangents") for i, directions in enumerate(values)]
    for i, (directions, normal) in enumerate(zip(tangents, normals, strict=True)):
        tangents_fit(directions, normal, i)
    return tangents


def pairs_of(bodies: Any, count: int, ground: int) -> list[tuple[int, int]]:
    """The two bodies of each contact, by number; all between the ground and body 0 where none are given."""
    if bodies is None:
        return [(ground, 0)] * count
    if len(_listed(bodies, "bodies")) != count:
        raise ModelError.at("bodies", f"{len(bodies)} pairs for {count} points", "one per point")
    pairs = []
    for i, pair in enumerate(bodies):
        if len(_listed(pair, f"bodies.{i}")) != 2 or not all(_whole(b) and b >= ground for b in pair):
            problem, remedy = (
                f"{pair!r} is not a pair of bodies",
                f"two numbers from 0 on; {ground} is the ground",
            )
            raise ModelError.at(f"bodies.{i}", problem, remedy)
        if pair[0] == pair[1]:
            remedy = "name two bodies, of which one can move"
            raise ModelError.at(f"bodies.{i}", f"{pair!r} is one body, which does not touch itself", remedy)
        pairs.append((int(pair[0]), int(pair[1])))
    return pairs


def point_and_normal(point: Vector, normal: Vector, space: int, index: int) -> None:
    for at, vector in (("point", point), ("normal", normal)):
        if len(vector) != space:
            raise ModelError.at(
                f"contacts.{index}.{at}", f"has {len(vector)} numbers, not {space}", "one per dimension"
            )
    if not any(normal):
        raise ModelError.at(f"contacts.{index}.normal", "is zero", "a normal has a direction")


def tangents_fit(tangents: Sequence[Vector], normal: Vector, index: int) -> None:
    """Tangents have directions, and lie in the tangent plane, exactly or to rounding."""
    for j, tangent in enumerate(tangents):
        at = f"contacts.{index}.tangents.{j}"
        if len(_listed(tangent, at)) != len(normal):
            problem = f"has {len(tangent)} numbers beside a normal of {len(normal)}"
            raise ModelError.at(at, problem, "one per dimension")
        checked(tangent, at)
        if not any(tangent):
            raise ModelError.at(at, "is zero", "a tangent has a direction")
        along = abs(float(sum(t * n for t, n in zip(tangent, normal, strict=True))))
        if along > _ALONG * math.hypot(*map(float, tangent)) * math.hypot(*map(float, normal)):
            remedy = (
                f"a tangent lies in the surface: give both with more digits ({_ALONG:g} of it is rounding)"
            )
            raise ModelError.at(at, "is not at right angles to the normal", remedy)


def planes_of(planes: Any) -> int | None:
    """How many planes divide the sliding of each contact; none leave contacting and separating alone."""
    if planes is not None and not (_whole(planes) and 0 <= planes <= MOST_PLANES):
        remedy = f"a whole number: 0, of modes that do not divide sliding, and at most {MOST_PLANES}"
        raise ModelError.at("planes", f"{planes!r} is not a number of dividing planes", remedy)
    return None if planes is None else int(planes)


def friction_of(friction: Any, count: int) -> tuple[float | None, ...]:
    """Coulomb's coefficient by contact, from one for all or one per contact."""
    coefficients = [friction] * count if np.ndim(friction) == 0 else list(friction)
    if len(coefficients) != count:
        raise ModelError.at(
            "friction", f"{len(coefficients)} coefficients for {count} contacts", "one per contact"
        )
    values: list[float | None] = []
    for i, mu in enumerate(coefficients):
        value = mu.item() if isinstance(mu, np.ndarray | np.generic) else mu
        if value is not None and not isinstance(value, numbers.Real):
            raise ModelError.at(f"friction.{i}", f"{value!r} is not a coefficient", "a number, 0 or more")
        values.append(None if value is None else float(value))
    if any(x is not None and not (math.isfinite(x) and x >= 0) for x in values):
        raise ModelError.at("friction", "a coefficient is negative or not finite", "0 or more")
    return tuple(values)


def vector_of(
    values: Any, count: int, at: str, remedy: str = "one per degree of freedom"
) -> NDArray[np.float64]:
    """A velocity or a load: finite numbers, one per degree of freedom unless the remedy says of what."""
    try:
        vector = np.asarray(values, float)
    except (TypeError, ValueError):
        raise ModelError.at(at, f"{values!r} is not a list of numbers", remedy) from None
    except OverflowError:
        raise _too_large(at) from None
    if vector.shape != (count,):
        raise ModelError.at(at, f"has {vector.size} numbers, not {count}", remedy)
    if np.abs(_finite(vector, at)).max(initial=0.0) > LARGEST:
        raise _too_large(at)
    return vector


def definite_of(
    values: Any, count: int, at: str, *, among: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """A matrix of inertia: symmetric, and positive in every direction, or in those of the columns `among`."""
    problem, remedy = f"is not a symmetric {count} x {count} matrix", "one row per degree of freedom"
    try:
        matrix = np.asarray(values, float)
    except (TypeError, ValueError):
        raise ModelError.at(at, problem, remedy) from None
    if matrix.shape != (count, count) or not np.isfinite(matrix).all() or not _is_symmetric(matrix):
        raise ModelError.at(at, problem, remedy)
    inner = matrix if among is None else among.T @ matrix @ among
    if not _positive(inner):
        raise ModelError.at(at, "is not positive definite", "every degree of freedom needs some inertia")
    return matrix


def _positive(matrix: NDArray[np.float64]) -> bool:
    """Whether every direction has some of it, whatever the units of its rows."""
    diagonal = np.diagonal(matrix)
    if not (diagonal > 0).all():
        return False
    scaled = matrix / np.sqrt(np.outer(diagonal, diagonal))
    return not scaled.size or float(np.linalg.eigvalsh(scaled)[0]) > 0


def _is_symmetric(matrix: NDArray[np.float64]) -> bool:
    """Whether it is symmetric, whatever the units of its rows."""
    diagonal = np.sqrt(np.abs(np.diagonal(matrix)))
    size = np.maximum(np.outer(diagonal, diagonal), np.abs(matrix))
    return bool((np.abs(matrix - matrix.T) <= _UNSYMMETRIC * np.maximum(size, size.T)).all())


def _listed(values: Any, at: str) -> Any:
    """Something with a length that is not text."""
    single = isinstance(values, np.ndarray) and values.ndim == 0
    if isinstance(values, str | bytes) or not hasattr(values, "__len__") or single:
        raise ModelError.at(at, f"{values!r} is not a list", "give lists of numbers, one list per contact")
    return values


def _whole(x: Any) -> bool:
    return isinstance(x, numbers.Integral) and not isinstance(x, bool)


def _double(x: Any, at: str) -> float:
    try:
        return float(x)
    except OverflowError:
        raise _too_long(at) from None


def _finite(rows: Rows, at: str) -> Rows:
    if not np.isfinite(rows).all():
        raise ModelError.at(at, "holds a number that is not finite", "give finite numbers")
    return rows


def _sized(rows: Rows, at: str) -> Rows:
    """Rows whose length floats can measure; a row of zeros has none."""
    for i, largest in enumerate(np.abs(rows).max(axis=1) if rows.size else ()):
        if largest and not SMALLEST <= largest <= LARGEST:
            raise _too_long(f"{at}.{i}")
    return rows


def _too_large(at: str) -> ModelError:
    return ModelError.at(at, f"holds a number beyond {LARGEST:g}", "give smaller numbers, in other units")


def _too_long(at: str) -> ModelError:
    problem = f"is longer than {LARGEST:g} or shorter than {SMALLEST:g}"
    return ModelError.at(at, problem, "scale it; the length of a row changes no mode")


def touching_of(contacts: Sized, text: str) -> NDArray[np.bool_]:
    """Which contacts touch, from signs such as `00+0` (a bar and what follows is not read)."""
    signs = text.partition("|")[0].strip() if isinstance(text, str) else ""
    n = len(contacts)
    if not isinstance(text, str) or len(signs) != n or set(signs) - {"0", "+"}:
        raise ModelError.at(
            "mode", f"{text!r} does not give one sign (0 or +) to each of {n} contacts", "as in " + "0" * n
        )
    return np.array([s == "0" for s in signs], bool)
