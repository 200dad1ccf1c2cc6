"""Which contacts carry, and which of them slide or stick: the modes in which a hook can be in balance.

A mode is consistent where no contact pulls, none is overlapped that does not carry, each that carries is
where its two features meet, friction stays in its cone where a contact sticks and opposes the sliding where
it slides. Modes are tried by how little they change what carried before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from detent.motion.compliant.hooks.balance import BalanceStep
from detent.motion.compliant.hooks.problem import (
    STICKS,
    HeldContact,
    HookMode,
    HookProblem,
    HookState,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Contacts that may carry: so many of those that are near.
_NEAREST = 6
# Of the scale of forces: a pull so small is rounding.
_PULLS = 1e-9
# Of the length: sliding so little the other way is rounding.
_SLIPS = 1e-9
# Times what has sunk in: nearer than that two overlaps of corners are one contact.
_SAME = 20.0
# A share of the cone beyond one that is rounding.
_CONE = 1e-7


@dataclass(frozen=True)
class Fault:
    """Why a balance is not consistent: what it overlaps, or none of it."""

    overlapped: tuple[int, ...] = ()
    blocked: tuple[int, ...] = ()  # rows of pairs without the hook


def fault_of(problem: HookProblem, state: HookState, depth: float) -> Fault | None:
    """What is wrong with a balance; None of one that is consistent."""
    unit = problem.energy / problem.length
    for contact in state.carried:
        if contact.pressure < -_PULLS * unit:
            return Fault()
        if contact.status == STICKS:
            if contact.pressure > _PULLS * unit and contact.held > 1 + _CONE:
                return Fault()
        elif float(state.slides[contact.row] @ contact.slid) < -_SLIPS * problem.length:
            return Fault()
    least = problem.system.tolerance.length
    sunk = max((-contact.gap for contact in state.carried), default=0.0)
    near = problem.surfaces.near(state.frames, least, depth + 2 * max(sunk, 0.0))
    carrying = {contact.row for contact in state.carried}
    overlapped = [row for row, gap in near.items() if gap < -least and row not in carrying]
    overlapped = [row for row in overlapped if not problem.surfaces.outside(row, state.frames, least)]
    if overlapped and sunk > least:
        overlapped = [row for row in overlapped if not _is_the_same(problem, state, row, sunk)]
    if overlapped:
        blocked = tuple(row for row in overlapped if not problem.is_hooks(row))
        return Fault(tuple(overlapped), blocked)
    return None if all(_is_local(problem, row, carrying, near) for row in carrying) else Fault()


def _is_local(problem: HookProblem, row: int, carrying: set[int], near: Mapping[int, float]) -> bool:
    """Whether the features of a contact meet; where a corner has sunk in between two surfaces one speaks."""
    if row in near:
        return True
    return any(other in near and problem.surfaces.one_corner(row, other) for other in carrying)


def _is_the_same(problem: HookProblem, state: HookState, row: int, sunk: float) -> bool:
    """Whether an overlap is one of a contact that has sunk in: two corners in each other touch once."""
    point = problem.surfaces.one(row, state.frames).point
    return any(float(np.abs(point - contact.point).max()) <= _SAME * sunk for contact in state.carried)


def beside(problem: HookProblem, state: HookState, frames: Floats, close: float) -> list[int]:
    """Surfaces that a corner which has sunk in is as deep in as in the one that carries it."""
    rows = []
    for contact in state.mode:
        if problem.compliance(contact.row) > 0:
            gap = problem.surfaces.one(contact.row, frames).gap
            rows += [
                row
                for row in problem.surfaces.on_corner(contact.row)
                if abs(problem.surfaces.one(row, frames).gap - gap) <= close
            ]
    return rows


def moved_by(problem: HookProblem, before: HookState, after: HookState) -> float:
    """How far the hook went, in its scales."""
    change = (after.coordinates - before.coordinates) / problem.scales
    return float(np.abs(change).max(initial=0.0))


def search(
    increment: BalanceStep, near: Sequence[int], *, depth: float, most: float, unstable: bool = False
) -> HookState | None:
    """A consistent mode near the state before, of contacts that are near or come to be overlapped."""
    problem, before = increment.problem, increment.before
    rows = [*dict.fromkeys([*(contact.row for contact in before.mode), *near])]
    tried: set[HookMode] = set()
    fallback: HookState | None = None
    grown = True
    while grown:
        grown = False
        for mode in _modes(increment, rows[: _NEAREST + len(before.mode)]):
            if mode in tried:
                continue
            tried.add(mode)
            state = increment.solve(mode)
            if state is None or moved_by(problem, before, state) > most:
                continue
            fault = fault_of(problem, state, depth)
            if fault is None:
                if state.stable:
                    return state
                fallback = fallback or state
            elif new := [r for r in fault.overlapped if r not in rows and problem.is_hooks(r)]:
                rows += new
                grown = True
        if fallback is not None and unstable:
            return fallback
    return None


def _kept_first(statuses: Sequence[int], held: int | None) -> list[int]:
    return sorted(statuses, key=lambda status: held is not None and status != held)


def _modes(increment: BalanceStep, rows: Sequence[int]) -> Iterator[HookMode]:
    """All modes of some contacts, those first that change least."""
    held = {contact.row: contact.status for contact in increment.before.mode}
    statuses, most = increment.statuses, increment.most
    sets = [chosen for k in range(min(most, len(rows)) + 1) for chosen in combinations(rows, k)]
    for chosen in sorted(sets, key=lambda each: (len(set(each) ^ set(held)), len(each))):
        order = [_kept_first(statuses, held.get(row)) for row in chosen]
        for each in product(*order):
            yield tuple(HeldContact(row, status) for row, status in zip(chosen, each, strict=True))
