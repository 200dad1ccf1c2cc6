"""Can the contact forces of a mode balance a load? Its forces are those of its `force_cone`.

A load counts as balanced where what is left of it is rounding. Where rationals decide (`exact_balance.py`)
that is what a double of the load is known to, 1e-14 of itself; else 2e-7 of the load, in floating point. Both
are shares of the whole load, whether or not any force acts along what is left of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact.checks import refuse_other_kind, vector_of
from detent.contact.contacts import Contacts
from detent.contact.forces.exact_balance import balanced_load, decides_balance
from detent.contact.forces.exact_motion import OWN
from detent.contact.forces.friction import (
    ROUND,
    ForceCone,
    coefficients,
    force_cone,
    pushes,
    slip_rows,
    unit_normal,
)
from detent.contact.modes.mode import Mode
from detent.contact.modes.space import null_space
from detent.contact.scaling import reach_scale
from detent.foundation.shown import Shown, brief
from detent.numeric.arrangement.complex import EQUAL, GAP
from detent.numeric.linear_program import INFINITE, Program, maximise

Floats = NDArray[np.float64]

# Sides of the pyramids that bound normal forces: 0.12 % wider than round at their corners.
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


@dataclass(frozen=True, repr=False)
class Balance(Shown):
    """Whether a mode's contact forces can balance a load; `normal` are the forces if so."""

    possible: bool
    normal: tuple[float, ...]  # [N] by contact, one choice where statics does not determine them
    residual: float
    within: float  # of the load: what may be left of one that counts as balanced
    find_range: Callable[[int], tuple[float, float]] | None = field(default=None, repr=False, compare=False)

    def _line(self) -> str:
        return f"possible={self.possible}, normal={brief(self.normal)}"

    @property
    def exactness(self) -> str:
        """How near to balanced a load counts as balanced, and in which numbers that was decided."""
        return f"to {self.within:.0e} of it, in {'rationals' if self.within == OWN else 'floating point'}"

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


def balance(mode: Mode, load: Any, *, friction: Any = None) -> Balance:
    """Can the mode's contact forces hold a generalised force `load` on the velocity vector?

    The cone of a sticking contact is round: where its pyramid cannot hold the load, edges are added
    towards what is missing, until it is held or no force of the round cone would help.
    """
    refuse_other_kind(mode, Mode, "mode")
    contacts = mode.modes.contacts
    wanted = vector_of(load, contacts.degrees, "wrench")
    mu = coefficients(contacts, friction)
    found = _in_floats(mode, wanted, mu)
    if not decides_balance(mode.modes, mode.signs, mu):
        return found
    # Floats refuse what only enormous forces would hold; of the rest rationals see a billionth too much.
    holds = found.possible and balanced_load(mode.modes, mode.signs, wanted, mu) is not None
    return replace(found, within=OWN) if holds or not found.possible else _lost(found.residual, OWN)


def _lost(residual: float, within: float = _HELD) -> Balance:
    return Balance(False, (), residual, within)


def _in_floats(mode: Mode, wanted: Floats, mu: list[float]) -> Balance:
    contacts = mode.modes.contacts
    forces = force_cone(mode, friction=mu)
    free, _ = null_space(contacts.floats.held, np.eye(contacts.degrees))
    target = -free.T @ wanted
    # In units of the load: a micronewton is as much a load as a kilonewton. What joints carry is left out.
    scale = float(np.abs(target).max(initial=0.0))
    if scale <= EQUAL * float(np.abs(wanted).max(initial=0.0)):
        unloaded = partial(_range, mode, forces, 0 * target, mu)
        return Balance(True, (0.0,) * len(contacts), scale, _HELD, unloaded)
    if not len(forces.generators):
        return _lost(float(np.linalg.norm(target)))
    seen, missed = _coordinates(_rounded(free, forces.generators))
    if (np.abs(missed @ target) > _HELD * _beside(contacts, free, missed, target)).any():
        return _lost(float(np.linalg.norm(target)))
    wanted = seen @ target
    scale = float(np.abs(wanted).max(initial=0.0))
    if not scale:
        return _lost(float(np.linalg.norm(target)))
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
            return Balance(True, tuple(float(x) for x in normal), left, _HELD, find_range)
        wider = _widened(mode, forces, free @ (seen.T @ missing), mu)
        if len(wider.owner) == len(forces.owner):
            break
        forces = wider
    return _lost(left)


def _beside(contacts: Contacts, free: Floats, missed: Floats, target: Floats) -> Floats:
    """What the part of a load that no force acts along is weighed against, by its rows: the whole load.

    A part along one axis is otherwise weighed against itself. Where the sum that it is of has
    larger terms, as about a far origin, against those.
    """
    over = np.linalg.solve(reach_scale(contacts.sites, contacts.degrees), free)
    along = np.linalg.norm(missed @ over.T, axis=1)
    whole = np.linalg.norm(np.linalg.lstsq(over.T, target, rcond=None)[0])
    terms: Floats = np.abs(missed) @ np.abs(target)
    beside: Floats = np.maximum(terms, along * whole)
    return beside


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
