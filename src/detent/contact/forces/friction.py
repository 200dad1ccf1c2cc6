"""Contact forces that go with a mode: Coulomb's cone by contact state.

Per unit of normal force a contact pushes along its normal and, by friction, in
its tangent plane: nothing where it separates; anywhere inside the cone where it
sticks; at the cone's edge and against the sliding where it slides. A sector of
sliding directions gives the part of the edge opposite to it, here the chords
between its bounding directions (so the set is convex and inside Coulomb's).
Forces act on the second body along +n; the generalised force is rows' x force.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact.checks import friction_of, refuse_other_kind, vector_of
from detent.contact.contacts import Contacts, spanning, tangent_ranks
from detent.contact.modes.mode import Mode
from detent.contact.modes.space import null_space
from detent.foundation.errors import UnsupportedError
from detent.foundation.shown import Shown, brief
from detent.numeric.arrangement.complex import EQUAL, GAP
from detent.numeric.linear_program import INFINITE, Program, maximise
from detent.record.frozen import hold_arrays

Floats = NDArray[np.float64]

ROUND = 2  # directions of a tangent plane in space; in the plane a cone has two edges and no round

# Edges of the pyramid that stands for the friction cone of a sticking contact in
# space, at least; more where the contact has more dividing planes.
_EDGES = 8
# Sides of those that bound normal forces: 0.12 % wider than round at their corners.
RANGE_SIDES = 64
# Of the forces, a range of a normal force that rounding alone may leave.
_SAME = 1e-6


# Of the load, what may stay unbalanced: HiGHS holds its rows to 1e-7, and a load on the edge of a
# round cone is approached, not met.
_HELD = 2e-7
# Of directions of length one, coordinates that rounding alone may leave.
_ROUNDING = 1e-12
# Edges added to a round cone at most: each brings it four times nearer, so that thirty exhaust a double.
_ROUNDS = 60


@dataclass(frozen=True, eq=False, repr=False)
class ForceCone(Shown):
    """Generators of the contact forces of a mode, as generalised forces.

    `generators[j]` is what a unit of normal force at contact `owner[j]` does on the
    velocity vector, with the friction that belongs to that generator.
    """

    generators: Floats  # (p, d)
    owner: NDArray[np.int64]
    held: Floats  # rows of the joints, which can carry any force

    def __post_init__(self) -> None:
        hold_arrays(self)


@dataclass(frozen=True, repr=False)
class Balance(Shown):
    """Whether a mode's contact forces can balance a load; `normal` are the forces if so."""

    possible: bool
    normal: tuple[float, ...]  # [N] by contact, one choice where statics does not determine them
    residual: float
    find_range: Callable[[int], tuple[float, float]] | None = field(default=None, repr=False, compare=False)

    def _line(self) -> str:
        return f"possible={self.possible}, normal={brief(self.normal)}"

    @cached_property
    def normal_range(self) -> tuple[tuple[float, float], ...]:
        """By contact, the least and the largest normal force; INFINITE without a bound.

        In space a pyramid about its cone stands for a sticking contact's: no range is too narrow.
        """
        return () if self.find_range is None else tuple(map(self.find_range, range(len(self.normal))))

    @property
    def determined(self) -> tuple[bool, ...]:
        """By contact, whether statics determines its normal force."""
        size = max(self.normal, default=0.0)
        return tuple(high - low <= _SAME * size for low, high in self.normal_range)


def slip_rows(contacts: Contacts, contact: int) -> tuple[Floats, Floats]:
    """Tangential velocity of a contact by orthonormal axes, and its dividing directions in them.

    Where only rows are known, one or two planes count as unit directions at right
    angles, more as unit directions at k pi / planes.
    """
    rows = contacts.floats.tangent[contact]
    count = len(rows)
    if count == 0:
        return rows, np.zeros((0, 0))
    drawn = np.array(contacts.sites[contact].tangents)
    if len(drawn):
        _, values, right = np.linalg.svd(drawn, full_matrices=False)
        axes = right[values > EQUAL * values[0]]
        directions = drawn @ axes.T
    elif count <= 2:
        return rows, np.eye(count)
    else:
        angles = np.arange(count) * math.pi / count
        directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    frame, *_ = np.linalg.lstsq(directions, rows, rcond=None)
    if np.abs(directions @ frame - rows).max() > EQUAL * np.abs(rows).max():
        raise UnsupportedError(
            f"rows alone do not say how the {count} planes of contact {contact} are oriented",
            f"give the contact by its point and tangents, or rows at k pi / {count}",
        )
    return frame, directions


def unit_normal(contacts: Contacts, contact: int) -> Floats:
    """The row of a unit normal; as given where only rows are known."""
    drawn = contacts.sites[contact].normal
    row: Floats = contacts.floats.normal[contact] / (math.hypot(*drawn) if drawn else 1.0)
    return row


def force_cone(mode: Mode, *, friction: Any = None) -> ForceCone:
    """Generators of the forces that the contacts of a mode can exert."""
    refuse_other_kind(mode, Mode, "mode")
    contacts = mode.modes.contacts.floats
    mu = coefficients(contacts, friction)
    generators = [np.zeros((0, contacts.degrees))]
    owner: list[int] = []
    for i in np.flatnonzero(mode.touching).tolist():
        first = len(contacts) + sum(mode.modes.planes[:i])
        signs = mode.signs[first : first + mode.modes.planes[i]]
        generators.append(pushes(contacts, i, mu[i], edge_directions(contacts, i, signs)))
        owner += [i] * len(generators[-1])
    return ForceCone(np.concatenate(generators), np.array(owner, np.int64), contacts.held)


def pushes(contacts: Contacts, contact: int, mu: float, directions: list[Floats]) -> Floats:
    """A unit of normal force with friction in each of these directions, as generalised forces."""
    refuse_blind(contacts, contact, mu)
    normal = unit_normal(contacts, contact)
    slip, _ = slip_rows(contacts, contact)
    return np.array([normal + mu * (along @ slip) if along.size else normal for along in directions])


def refuse_blind(contacts: Contacts, contact: int, mu: float) -> None:
    """Friction needs a tangent plane; planes that do not span it leave some of its directions out."""
    spanned, needed = tangent_ranks(contacts, contact)
    if mu > 0 and spanned < needed:
        raise UnsupportedError(
            f"contact {contact} has friction, but its dividing planes do not span its tangent plane",
            f"{spanning(contacts, contact, needed)}, or friction 0",
        )


def edge_directions(contacts: Contacts, contact: int, signs: NDArray[np.int8]) -> list[Floats]:
    """Unit directions (in the slip frame) of friction on the second body: one per generator.

    `signs` are those of the contact's planes; without any, friction may point anywhere.
    """
    slip, planes = slip_rows(contacts, contact)
    k = len(slip)
    if k == 0:
        return [np.zeros(0)]
    if not signs.any():
        return _around(k, len(planes))
    if k == 1:
        return [-np.sign(planes[0]) * float(signs[0])]
    return [-direction for direction in _sector(planes, signs)]


def _around(k: int, planes: int) -> list[Floats]:
    if k == 1:
        return [np.array([1.0]), np.array([-1.0])]
    edges = max(_EDGES, 4 * planes)
    angles = 2 * math.pi * np.arange(edges) / edges
    return list(np.stack([np.cos(angles), np.sin(angles)], axis=1))


def _sector(planes: Floats, signs: NDArray[np.int8]) -> list[Floats]:
    """Bounding unit directions of the sliding sector {d: sign(planes d) = signs}."""
    kept = []
    for plane in planes:
        along = np.array([-plane[1], plane[0]]) / np.linalg.norm(plane)
        for direction in (along, -along):
            side = planes @ direction
            near = np.abs(side) <= EQUAL * np.abs(side).max()
            if (near | (np.sign(side) == signs)).all() and not (signs[near] == 0).sum() < (signs == 0).sum():
                kept.append(direction)
    unique: list[Floats] = []
    for direction in kept:
        if all(np.abs(direction - other).max() > EQUAL for other in unique):
            unique.append(direction)
    return unique


def coefficients(contacts: Contacts, friction: Any) -> list[float]:
    """Coulomb's coefficient by contact; `friction` overrides the contacts' own."""
    mu_by_contact = contacts.friction if friction is None else friction_of(friction, len(contacts))
    missing = [i for i, mu in enumerate(mu_by_contact) if mu is None]
    if missing:
        raise UnsupportedError(
            f"contact {missing[0]} has no friction coefficient, and forces need one",
            "give `friction` with the contact or under [touching], or --friction",
        )
    return [float(mu) for mu in mu_by_contact if mu is not None]


def balance(mode: Mode, load: Any, *, friction: Any = None) -> Balance:
    """Can the mode's contact forces hold a generalised force `load` on the velocity vector?

    The cone of a sticking contact is round: where its pyramid cannot hold the load, edges are added
    towards what is missing, until it is held or no force of the round cone would help.
    """
    refuse_other_kind(mode, Mode, "mode")
    contacts = mode.modes.contacts
    wanted = vector_of(load, contacts.degrees, "wrench")
    forces = force_cone(mode, friction=friction)
    free, _ = null_space(contacts.floats.held, np.eye(contacts.degrees))
    target = -free.T @ wanted
    mu = coefficients(contacts, friction)
    # In units of the load: a micronewton is as much a load as a kilonewton. What joints carry is left out.
    scale = float(np.abs(target).max(initial=0.0))
    if scale <= EQUAL * float(np.abs(wanted).max(initial=0.0)):
        return Balance(True, (0.0,) * len(contacts), scale, partial(_range, mode, forces, 0 * target, mu))
    if not len(forces.generators):
        return Balance(False, (), float(np.linalg.norm(target)))
    seen, missed = _coordinates(_rounded(free, forces.generators))
    if (np.abs(missed @ target) > _HELD * (np.abs(missed) @ np.abs(target))).any():
        return Balance(False, (), float(np.linalg.norm(target)))
    wanted = seen @ target
    scale = float(np.abs(wanted).max(initial=0.0))
    share = wanted / scale
    for _ in range(_ROUNDS):
        matrix = seen @ free.T @ forces.generators.T
        best = maximise(-np.ones(len(forces.owner)), matrix, share, share, least=0.0, most=INFINITE)
        near = _nearest(matrix, share) if best is None else best
        missing = share - matrix @ near
        left = float(np.linalg.norm(target - scale * (free.T @ (forces.generators.T @ near))))
        if float(np.abs(missing).max()) <= _HELD:
            normal = np.bincount(forces.owner, scale * near, minlength=len(contacts))
            find_range = partial(_range, mode, forces, target, mu)
            return Balance(True, tuple(float(x) for x in normal), left, find_range)
        wider = _widened(mode, forces, free @ (seen.T @ missing), mu)
        if len(wider.owner) == len(forces.owner):
            break
        forces = wider
    return Balance(False, (), left)


def _range(
    mode: Mode, forces: ForceCone, target: Floats, mu: list[float], contact: int
) -> tuple[float, float]:
    """The least and the largest normal force of a contact among all forces that add up to the target."""
    contacts = mode.modes.contacts
    if contact not in forces.owner:
        return 0.0, 0.0
    free, _ = null_space(contacts.floats.held, np.eye(contacts.degrees))
    about = _about_cones(mode, forces, mu)
    seen, _ = _coordinates(_rounded(free, about.generators))
    wanted = seen @ target
    scale = float(np.abs(wanted).max(initial=0.0)) or 1.0
    matrix, share = seen @ free.T @ about.generators.T, wanted / scale
    cost = (about.owner == contact).astype(float)
    for loose in (0.0, _HELD / 10, _HELD, 10 * _HELD):
        ends = [
            sign
            * Program(
                sign * cost, matrix, share - loose, share + loose, 0.0, INFINITE, exacting=not loose
            ).bound()
            for sign in (-1.0, 1.0)
        ]
        if ends[0] <= ends[1]:
            return scale * max(0.0, ends[0]), scale * max(0.0, ends[1])
    return 0.0, INFINITE  # nothing more is known of it


def _about_cones(mode: Mode, forces: ForceCone, mu: list[float]) -> ForceCone:
    """The same with pyramids about the round cones of contacts that stick."""
    contacts = mode.modes.contacts.floats
    angles = 2 * math.pi * np.arange(RANGE_SIDES) / RANGE_SIDES
    corners = list(np.stack([np.cos(angles), np.sin(angles)], axis=1) / math.cos(math.pi / RANGE_SIDES))
    generators, owner = [np.zeros((0, contacts.degrees))], []
    for i in np.unique(forces.owner).tolist():
        round_one = len(slip_rows(contacts, i)[0]) == ROUND and mode.state(i) == "sticking" and mu[i] > 0
        generators.append(
            pushes(contacts, i, mu[i], corners) if round_one else forces.generators[forces.owner == i]
        )
        owner += [i] * len(generators[-1])
    return ForceCone(np.concatenate(generators), np.array(owner, np.int64), forces.held)


def _rounded(free: Floats, generators: Floats) -> Floats:
    """Forces over the velocities that joints leave; what rounding leaves of one that joints carry is zero."""
    forces = free.T @ generators.T
    forces[np.abs(forces) <= GAP[0] * np.linalg.norm(generators, axis=1)] = 0.0
    return forces


def _coordinates(matrix: Floats) -> tuple[Floats, Floats]:
    """Rows on a load: its coordinates among columns of forces, and what none of these can hold.

    In the coordinates the forces have no long and no short directions, so that what is left of a load
    weighs the same in any unit of length and about any origin.
    """
    size = np.abs(matrix).max(axis=1)
    scale = 1 / np.where(size > 0, size, 1.0)
    axes, values, _ = np.linalg.svd(scale[:, None] * matrix)
    rank = int(np.count_nonzero(values > EQUAL * values[0]))
    missed = axes[:, rank:].T
    # A load along one coordinate would otherwise be weighed against the rounding that is left there.
    missed = np.where(np.abs(missed) <= _ROUNDING, 0.0, missed)
    return (axes[:, :rank] / values[:rank]).T * scale, missed * scale


def _nearest(matrix: Floats, share: Floats) -> Floats:
    """Forces that come as near to the load as they can: what is left has no part along any of them."""
    from scipy.optimize import nnls

    size = np.linalg.norm(matrix, axis=0)
    some = size > 0
    forces = np.zeros(len(size))
    forces[some] = nnls(matrix[:, some] / size[some], share)[0] / size[some]
    return forces


def _widened(mode: Mode, forces: ForceCone, missing: Floats, mu: list[float]) -> ForceCone:
    """The same with an edge of each sticking round cone that pushes towards what is missing, if any does."""
    contacts = mode.modes.contacts.floats
    small = EQUAL * float(np.linalg.norm(missing))
    edges, owner = [], []
    for i in np.unique(forces.owner):
        slip, _ = slip_rows(contacts, int(i))
        if len(slip) != ROUND or mode.state(int(i)) == "sliding":
            continue
        towards = slip @ missing
        size = float(np.linalg.norm(towards))
        edge = unit_normal(contacts, int(i)) + (mu[i] / size) * (towards @ slip) if size > 0 else missing * 0
        if edge @ missing > small * np.linalg.norm(edge):
            edges.append(edge)
            owner.append(int(i))
    return ForceCone(
        np.concatenate([forces.generators, np.array(edges).reshape(-1, contacts.degrees)]),
        np.concatenate([forces.owner, np.array(owner, np.int64)]),
        forces.held,
    )
