"""A followed hook as rows: its load on the pushed part, work, stored energy, where it stands, its stress."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from detent.foundation.names import listed
from detent.foundation.units import measured, unit_names
from detent.library.mating.force_law import Floats
from detent.model.machine.elastic.directions import DIRECTIONS
from detent.motion.compliant.followed import ContactChange, FollowedLeg
from detent.motion.compliant.hooks.bending import BentBeam
from detent.motion.compliant.hooks.following import HookChange, HookLeg
from detent.motion.compliant.hooks.problem import HookProblem, HookState
from detent.motion.compliant.hooks.support import cross
from detent.motion.leading.plan import PushPlan, StraightLeg
from detent.record.table import with_unit

# Of the largest energy stored: a hook that rests with less has let go.
_LET_GO = 0.5
# Of the contacts' forces: a share along the push so small is rounding, of a hook on its peak.
_ACROSS = 1e-6
# Of the step beside it: a shorter one is no support for a parabola.
_SHORT = 1e-4


def load_of(problem: HookProblem, state: HookState, origin: Floats) -> Floats:
    """(6,) on what is pushed, by the hook's contacts, about a point; on its support they are passed on."""
    load = np.zeros(6)
    on_support = problem.base in problem.driven
    for contact in state.carried:
        a, b = problem.surfaces.bodies(contact.row)
        other = a if b == problem.hook else b
        if (other in problem.driven) == on_support:
            continue  # within what is pushed, or within what stands still
        force = contact.force if on_support else -contact.force
        load[:3] += force
        load[3:] += cross(contact.point - origin, force)
    return load


def followed_leg(
    problem: HookProblem,
    beam: BentBeam | None,
    plan: PushPlan,
    leg: StraightLeg,
    went: HookLeg,
    joint: str,
    stored_before: float = 0.0,
) -> FollowedLeg:
    """One hook along one leg, as the compliant method has it; `stored_before` at most on legs before it."""
    states = [row.state for row in went.rows]
    most = max(stored_before, *(problem.stored(state) for state in states))
    way = np.array([row.way for row in went.rows])
    drawn = plan.frame(plan.part)[:3, 3]
    load = np.array([load_of(problem, state, drawn + state.shift) for state in states])
    push = -load[:, :3] @ leg.direction
    work = _work(way, push)
    changes = [_change(problem, change, plan, joint) for change in went.changes]
    detail = ""
    if went.cause == "jam":
        before = tuple(problem.name(row) for row in went.blocking)
        detail = f"the hook finds no balance any more against {listed(list(before)) or 'what touches it'}"
        hook = problem.system.bodies[problem.hook].name
        end = float(way[-1])
        changes.append(
            ContactChange(end, "jam", before, before, joint, detail, reason="closed", subjects=(hook,))
        )
        way, work = np.append(way, end), np.append(work, work[-1])
        load = np.vstack([load, np.full((1, 6), np.inf)])
        states.append(states[-1])
    elif went.cause == "blocked":
        detail = f"{listed([problem.surfaces.name(row) for row in went.blocking])} block the push"
    hook = problem.system.bodies[problem.hook].name
    return FollowedLeg(
        way=way,
        load=load,
        work=work,
        begins_with=states[0].names(problem),
        changes=tuple(changes),
        cause=went.cause,
        detail=detail,
        columns=columns_of(problem, beam, plan, joint, states),
        facts={"dissipated": sum(change.dissipated for change in went.changes)},
        frames={hook: np.array([state.frames[problem.hook] for state in states])},
        bending=None if beam is None else beam.largest(problem, states, joint),
        bent=_bent(problem, way, states),
        memory=went,
        lies=_lies(problem, plan, leg, states[-1], most),
        most_stored=most,
    )


def _bent(problem: HookProblem, way: Floats, states: list[HookState]) -> Floats:
    """Which way the hook was bent, on the mean of the way on which it touched."""
    root = np.linalg.cholesky(problem.support.stiffness).T
    mean = np.zeros(len(root))
    for state, length in zip(states[1:], np.diff(way).tolist(), strict=False):
        bent = root @ state.coordinates
        if state.mode and bent.any():
            mean += length * bent / np.linalg.norm(bent)
    return mean


def _lies(problem: HookProblem, plan: PushPlan, leg: StraightLeg, last: HookState, most: float) -> str:
    """Where the hook lies at the end and how bent, on a ramp or a peak; nothing of one that has let go.

    But for friction a hook past its peak draws the push on. One that rests less bent than it was, in its
    place but preloaded, has let go; `most` is what it stored at most on the way.
    """
    if not last.mode or problem.stored(last) < _LET_GO * most:
        return ""
    way = leg.direction if problem.base not in problem.driven else -leg.direction
    pressed = sum(abs(contact.pressure) for contact in last.carried)
    against = sum(contact.pressure * float(contact.normal @ way) for contact in last.carried)
    if against < -_ACROSS * pressed:
        return ""
    hook = problem.system.bodies[problem.hook].name
    moved = last.coordinates[[not turns for turns in problem.support.turns]]
    if len(moved):
        bent = measured(
            float(np.linalg.norm(moved)) / plan.metres, unit_names(plan.mechanism.units).length.strip()
        )
    else:
        bent = measured(float(np.degrees(np.linalg.norm(last.coordinates))), "degrees")
    return f"{hook} lies on {listed(list(last.names(problem)))}, bent {bent}"


def _work(way: Floats, push: Floats) -> Floats:
    """[J] up to each row: by parabolas between changes of contact, where a way has two rows.

    A step that is short beside its neighbours, as one of rounding at a leg's end, is a trapezium of its own:
    a parabola over both takes the rounding of the push by the ratio of their lengths.
    """
    from scipy.integrate import cumulative_simpson

    steps = np.diff(way)
    beside = np.maximum(np.append(steps[1:], 0.0), np.insert(steps[:-1], 0, 0.0))
    short = np.flatnonzero(steps <= _SHORT * beside)
    ends = np.unique([0, *short, *(short + 1), len(way) - 1])
    work = np.concatenate([[0.0], np.cumsum(steps * (push[1:] + push[:-1]) / 2)])
    total = 0.0
    for first, last in pairwise(ends):
        piece = slice(first, last + 1)
        if last - first > 1:
            work[piece] = total + cumulative_simpson(push[piece], x=way[piece], initial=0.0)
        else:
            work[last] = total + steps[first] * (push[first] + push[last]) / 2
        total = work[last]
    return work


def _change(problem: HookProblem, change: HookChange, plan: PushPlan, joint: str) -> ContactChange:
    detail = ""
    energy = unit_names(plan.mechanism.units).energy.strip()
    if change.brought > 0:
        detail = f"with its overlap already there, which stores {measured(change.brought, energy)} more"
    if change.kind == "snap":
        stored = problem.stored(change.before)
        detail = f"{measured(change.dissipated, energy)} of {measured(stored, energy)} stored are dissipated"
    if change.ambiguous:
        detail = "not the only state: friction could hold the contact as well"
    return ContactChange(
        change.way,
        change.kind,
        change.before.names(problem),
        change.after.names(problem),
        joint,
        detail,
        subjects=(problem.system.bodies[problem.hook].name,),
    )


def columns_of(
    problem: HookProblem, beam: BentBeam | None, plan: PushPlan, joint: str, states: list[HookState]
) -> Mapping[str, Any]:
    """Where the hook stands, in its free directions, and what its support stores."""
    names = unit_names(plan.mechanism.units)
    every = DIRECTIONS[3]
    columns: dict[str, Any] = {}
    for k, (direction, turns) in enumerate(zip(problem.support.free, problem.support.turns, strict=True)):
        values = np.array([state.coordinates[k] for state in states])
        unit = "rad" if turns else names.length.strip()
        columns[with_unit(f"{joint}.{every[direction]}", unit)] = values if turns else values / plan.metres
    energies = np.array([problem.stored(state) for state in states])
    columns[with_unit(f"{joint}.stored", names.energy.strip())] = energies
    if beam is not None:
        unit = "" if plan.mechanism.units == "1" else "Pa"
        columns[with_unit(f"{joint}.stress", unit)] = np.array([beam.stress(problem, s)[0] for s in states])
    return columns
