"""What must be true of an elastic joint: of its beam, its plate or its matrix."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any

from detent.foundation.names import listed
from detent.model.document.joint import Beam, Joint, Plate
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.directions import DIRECTIONS
from detent.model.machine.elastic.written import (
    NO_MODULUS,
    NO_WIDTH,
    free_directions,
    functions_along,
    knots_with_ends,
    known_modulus,
    known_width,
    stiffness_rows,
)
from detent.model.reading.start_references import Complaint

HALF = Fraction(1, 2)
_MOST_KNOTS = 100  # along a side
_LEAST_FUNCTIONS = 3  # a hook moves in three ways
_ALIKE = Fraction(1, 10**6)  # of entries that should be equal: what rounded digits may miss
_SINGULAR = 1e-12  # least eigenvalue of a stiffness with ones on its diagonal
_LONGEST = 1000  # side over side
_SMALLEST_FOOT = Fraction(1, 10**4)


def joint_rules(table: Joint) -> Iterator[Complaint]:
    """What its own table says."""
    given = [key for key in ("stiffness", "beam", "plate") if getattr(table, key) is not None]
    if len(given) != 1:
        found = f", and this one has {listed(given)}" if given else ""
        yield "", f"an elastic joint has exactly one of stiffness, beam, plate{found}", "keep or add one"
    if table.free is None:
        return
    if table.stiffness is None:
        yield "free", "a beam or a plate says itself where it gives way", "take it out, or give `stiffness`"
    if not table.free:
        yield "free", "is empty: the joint would be rigid", "name directions, or use a fixed joint"
    twice = next((d for k, d in enumerate(table.free) if d in table.free[:k]), None)
    if twice is not None:
        yield "free", f"names {twice} twice", "name each direction once"


def beam_rules(beam: Beam) -> Iterator[Complaint]:
    for key in ("height", "width"):
        value = getattr(beam, key)  # None of a width that is a thickness
        if isinstance(value, tuple) and len(value) != 2:
            yield (
                key,
                f"has {len(value)} numbers",
                "give one, or two where it tapers: at the root, at the end",
            )


def plate_rules(plate: Plate) -> Iterator[Complaint]:
    if plate.poisson is not None and not -1 < plate.poisson < HALF:
        problem = f"Poisson's ratio is {float(plate.poisson):g}"
        yield "poisson", problem, "give one between -1 and 0.5, as 0.3"
    if not plate.clamped:
        yield "clamped", "no edge is clamped, so that nothing holds the plate", 'name one at least, as "x=0"'
    if any(side <= 0 for side in plate.sides):
        return  # said by another rule; nothing lies on such a plate
    if max(plate.sides) > _LONGEST * min(plate.sides):
        problem = f"one side is more than {_LONGEST} times the other"
        yield "sides", problem, "use `beam` for what is that slender, or mend the number"
    on_edge = False
    for axis, side, place in zip("xy", plate.sides, plate.hook_at, strict=True):
        if not 0 <= place <= side:
            problem = f"{axis} = {float(place):g} is off the plate, which goes from 0 to {float(side):g}"
            yield "at", problem, "give a point of the plate, from its corner x=0, y=0"
        edge = {0: f"{axis}=0", side: f"{axis}=1"}.get(place)
        if edge in plate.clamped and not on_edge:
            on_edge = True
            yield (
                "at",
                f"the part sits on the clamped edge {edge}, which does not give way",
                "give a point inside"
                if plate.at is not None
                else "add it: unless said, it is the far corner",
            )
    yield from _footprint(plate)
    if plate.knots is not None:
        yield from _knots(plate)


def _footprint(plate: Plate) -> Iterator[Complaint]:
    if plate.footprint is None:
        return
    for axis, side, place, foot in zip("xy", plate.sides, plate.hook_at, plate.footprint, strict=True):
        if foot > 0 and 0 <= place <= side and not foot / 2 <= place <= side - foot / 2:
            low, high = float(place - foot / 2), float(place + foot / 2)
            problem = f"it goes from {axis} = {low:g} to {high:g}, and the plate from 0 to {float(side):g}"
            yield "footprint", problem, "give the size of its foot, inside the plate"
        if 0 < foot < _SMALLEST_FOOT * side:
            problem = f"its {axis} is less than 0.0001 of the plate's side"
            yield "footprint", problem, "give the size of its foot, or leave it out for a point"


def _knots(plate: Plate) -> Iterator[Complaint]:
    assert plate.knots is not None
    sound = True
    for k, (axis, knots, side) in enumerate(zip("xy", plate.knots, plate.sides, strict=True)):
        if len(knots) > _MOST_KNOTS:
            yield f"knots.{k}", f"has {len(knots)} knots, at most {_MOST_KNOTS} are taken", "give fewer"
            sound = False
        if any(b <= a for a, b in pairwise(knots)):
            yield f"knots.{k}", "do not grow from one to the next", "give them in order, each once"
            sound = False
        beyond = next((knot for knot in knots if not 0 <= knot <= side), None)
        if beyond is not None:
            problem = f"{axis} = {float(beyond):g} is off the plate, which goes from 0 to {float(side):g}"
            yield f"knots.{k}", problem, "give knots between its edges"
            sound = False
    if sound and prod(functions_along(plate, k) for k in range(2)) < _LEAST_FUNCTIONS:
        counts = listed([str(len(knots) - 1) for knots in knots_with_ends(plate)])
        problem = f"{counts} intervals leave fewer than {_LEAST_FUNCTIONS} shape functions"
        yield "knots", problem, "give more knots, or leave them out"


def elastic_in(mechanism: Mechanism, joint: Joint, at: str) -> Iterator[Complaint]:
    """What the whole document says of an elastic joint: its dimension, its materials."""
    for key in ("beam", "plate"):
        if getattr(joint, key) is not None and known_modulus(mechanism, joint) is None:
            yield f"{at}.{key}.modulus", *NO_MODULUS
    if joint.beam is not None and known_width(mechanism, joint) is None:
        yield f"{at}.beam.width", *NO_WIDTH
    if joint.plate is not None and mechanism.dimension == 2:
        problem = "a plate lies in the joint's x-y and bends out of it, which the plane does not have"
        yield f"{at}.plate", problem, "write dimension = 3, or use `beam`"
    every = DIRECTIONS[mechanism.dimension]
    away = [direction for direction in joint.free or () if direction not in every]
    if away:
        yield f"{at}.free", f"there is no {away[0]} in the plane", f"its directions are {listed(list(every))}"
    elif joint.stiffness is not None:
        yield from _matrix(joint, mechanism.dimension, f"{at}.stiffness")
        gives_way = len(free_directions(joint, mechanism.dimension))
        yield from _damping(joint, gives_way, at)
    elif joint.beam is not None or joint.plate is not None:
        yield from _damping(joint, 2 if joint.beam is not None else 3, at)


def _damping(joint: Joint, free: int, at: str) -> Iterator[Complaint]:
    if isinstance(joint.damping, tuple) and len(joint.damping) != free:
        problem = f"has {len(joint.damping)} numbers, and the joint gives way in {free} directions"
        yield f"{at}.damping", problem, "give one number, or one per free direction"


def _matrix(joint: Joint, dimension: int, at: str) -> Iterator[Complaint]:
    """One number per direction, or a square matrix: symmetric, and positive definite where it is not zero."""
    every, free = len(DIRECTIONS[dimension]), len(free_directions(joint, dimension))
    rows: Any = joint.stiffness or ()
    lists = [row for row in rows if isinstance(row, tuple)]
    size = len(rows)
    if size not in (every, free) or (lists and (len(lists) != size or any(len(r) != size for r in lists))):
        named = f" of `free`, or {every}" if free != every else ""
        yield (
            at,
            f"is not {free} numbers, nor {free} rows of {free}",
            f"give one per direction{named}, or the matrix",
        )
        return
    if size == every != free and _sum_of(rows) != _sum_of(stiffness_rows(joint, dimension)):
        problem = "has entries in directions that `free` does not name, which are rigid"
        yield at, problem, "name them in `free`, or write zeros there"
        return
    yield from _definite(stiffness_rows(joint, dimension), at)


def _sum_of(rows: Any) -> Fraction:
    """Of all entries without their signs."""
    return sum(
        (_sum_of(row) if isinstance(row, tuple | list) else abs(Fraction(row)) for row in rows), Fraction()
    )


def _definite(rows: list[list[Any]], at: str) -> Iterator[Complaint]:
    held = [k for k, row in enumerate(rows) if any(row) or any(other[k] for other in rows)]
    if not held:
        yield (
            at,
            "is zero in every direction: the joint holds nothing",
            "give a stiffness, or take the joint out",
        )
        return
    low = next((k for k in held if rows[k][k] <= 0), None)
    if low is not None:
        problem = f"is {float(rows[low][low]):g} in direction {low + 1}, on the diagonal"
        yield at, problem, "give a number above zero; a row of zeros alone frees a direction"
        return
    for i in held:
        for j in held[: held.index(i)]:
            if (rows[i][j] - rows[j][i]) ** 2 > _ALIKE**2 * rows[i][i] * rows[j][j]:
                problem = (
                    f"is not symmetric: row {j + 1}, column {i + 1} is {float(rows[j][i]):g}, "
                    f"row {i + 1}, column {j + 1} {float(rows[i][j]):g}"
                )
                yield at, problem, "make them equal; no spring has such a matrix"
                return
    if len(held) > 1 and _least_eigenvalue([[float(rows[i][j]) for j in held] for i in held]) < _SINGULAR:
        problem = "is singular, or negative in some direction: it is not positive definite"
        yield at, problem, "give a stiffness that takes work in every direction; a row of zeros frees one"


def _least_eigenvalue(rows: list[list[float]]) -> float:
    """Of the matrix with ones on its diagonal."""
    import numpy as np

    matrix = np.array(rows)
    size = np.sqrt(np.diag(matrix))
    return float(np.linalg.eigvalsh((matrix + matrix.T) / 2 / np.outer(size, size))[0])
