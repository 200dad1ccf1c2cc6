"""What an elastic joint is between its two parts: a stiffness in the directions that give way, others rigid.

A beam gives way across itself and by bending, (w, -w'), a plate across itself and by tilting, (w, w,y, -w,x):
as Meitinger & Pfeiffer write them. Whatever else the parts could do past each other is rigid: its compliance
is left out of the matrix, not written as a stiffness of zero, for which a direction is free of any spring.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from detent.foundation.errors import ModelError
from detent.foundation.units import metres
from detent.model.document.joint import Direction
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.beam import beam_compliance
from detent.model.machine.elastic.directions import DIRECTIONS, turns
from detent.model.machine.elastic.plate import PlateBending, plate_bending
from detent.model.machine.elastic.written import beam_of, free_directions, modulus_of, stiffness_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_LEAST_EIGENVALUE = 1e-10  # of a compliance with ones on its diagonal, below which it is singular


@dataclass(frozen=True, eq=False)
class ElasticSupport:
    """The stiffness of an elastic joint in its free directions, SI."""

    kind: Literal["beam", "plate", "matrix"]
    coordinates: tuple[str, ...]  # what the stiffness is written in: w and -w', or the directions themselves
    directions: tuple[Direction, ...]  # of the first end's axes, one per coordinate
    signs: tuple[int, ...]  # of each coordinate along its direction: -w' turns clockwise in the plane
    stiffness: Floats  # (n, n)
    dimension: int
    bending: PlateBending | None = None  # of a plate

    @property
    def rigid(self) -> tuple[Direction, ...]:
        return tuple(d for d in DIRECTIONS[self.dimension] if d not in self.directions)

    @property
    def loose(self) -> tuple[Direction, ...]:
        """Free directions that no spring holds."""
        return tuple(d for d, row in zip(self.directions, self.stiffness, strict=True) if not row.any())

    @property
    def compliance(self) -> Floats:
        """(n, n): the inverse; NaN in the rows and columns of loose directions."""
        held = [k for k, row in enumerate(self.stiffness) if row.any()]
        compliance = np.full_like(self.stiffness, np.nan)
        compliance[np.ix_(held, held)] = np.linalg.inv(self.stiffness[np.ix_(held, held)])
        return compliance

    @property
    def units(self) -> tuple[tuple[str, ...], ...]:
        """Of the stiffness: N/m, N/rad and N m/m between the two kinds, N m/rad."""
        return tuple(
            tuple(
                f"{'N m' if turns(row) else 'N'}/{'rad' if turns(column) else 'm'}"
                for column in self.directions
            )
            for row in self.directions
        )


@dataclass(frozen=True, eq=False)
class ElasticMatrices:
    """The same on all degrees of freedom, for methods; zeros where it is rigid say nothing."""

    stiffness: Floats  # (3, 3) in the plane, (6, 6) in space, on the first end's axes
    damping: Floats
    rigid: tuple[int, ...]  # degrees of freedom that it holds


def elastic_support(mechanism: Mechanism, name: str) -> ElasticSupport:
    """Of an elastic joint by its name; ModelError where its matrix is no stiffness."""
    joint, dimension = mechanism.joints[name], mechanism.dimension
    scale = metres(mechanism.units)
    if joint.beam is not None:
        with np.errstate(all="ignore"):  # whatever overflows is refused below
            compliance = beam_compliance(beam_of(mechanism, joint), modulus_of(mechanism, name), scale)
        stiffness = _inverse(compliance, f"joints.{name}.beam")
        directions: tuple[Direction, ...] = ("y", "turn_z") if dimension == 2 else ("z", "turn_y")
        turned = -1 if dimension == 2 else 1
        return ElasticSupport("beam", ("w", "-w'"), directions, (1, turned), stiffness, dimension)
    if joint.plate is not None:
        with np.errstate(all="ignore"):
            bending = plate_bending(joint.plate, modulus_of(mechanism, name), scale)
        key = "plate" if joint.plate.knots is None else "plate.knots"
        stiffness = _inverse(bending.compliance, f"joints.{name}.{key}")
        directions = ("z", "turn_x", "turn_y")
        return ElasticSupport(
            "plate", ("w", "w,y", "-w,x"), directions, (1, 1, 1), stiffness, dimension, bending
        )
    directions = free_directions(joint, dimension)
    matrix = np.array([[float(x) for x in row] for row in stiffness_rows(joint, dimension)])
    return ElasticSupport("matrix", directions, directions, (1,) * len(directions), _even(matrix), dimension)


def elastic_matrices(mechanism: Mechanism, name: str) -> ElasticMatrices:
    """Stiffness and damping of an elastic joint, as methods take them."""
    support = elastic_support(mechanism, name)
    every = DIRECTIONS[mechanism.dimension]
    places = [every.index(direction) for direction in support.directions]
    signs = np.array(support.signs, float)
    stiffness, damping = np.zeros((2, len(every), len(every)))
    stiffness[np.ix_(places, places)] = support.stiffness * np.outer(signs, signs)
    given: Any = mechanism.joints[name].damping
    if given is not None:
        dampers = given if isinstance(given, tuple) else (given,) * len(places)
        damping[places, places] = [float(d) for d in dampers]
    return ElasticMatrices(stiffness, damping, tuple(every.index(direction) for direction in support.rigid))


def _inverse(compliance: Floats, at: str) -> Floats:
    """The stiffness; refused where doubles do not hold it, or a load would not bend what it loads."""
    with np.errstate(all="ignore"):
        size = np.sqrt(np.diag(compliance))
        scaled = compliance / np.outer(size, size)
        if np.isfinite(scaled).all() and np.linalg.eigvalsh(scaled)[0] > _LEAST_EIGENVALUE:
            stiffness = np.linalg.inv(scaled) / np.outer(size, size)
            if np.isfinite(stiffness).all() and np.all(np.diag(stiffness) > 0):
                return _even(stiffness)
    if at.endswith("knots"):
        problem = "their functions do not bend in all ways at the hook"
        raise ModelError.at(at, problem, "give more knots, or leave them out")
    problem = "its sizes give a stiffness that is out of all proportion"
    raise ModelError.at(
        at, problem, "give sizes of one order, in the document's units, and the modulus in Pa"
    )


def _even(matrix: Any) -> Floats:
    """Symmetric to the last digit."""
    even: Floats = (matrix + matrix.T) / 2
    return even
