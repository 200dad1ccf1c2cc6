"""What touched, slid, stuck and hit in a rigid mating: events, order, traces, first and second contact."""

from __future__ import annotations

import numpy as np

from detent.judge.rigid_mating.forces import MatingForces
from detent.numeric.cone_problem import OPEN, SLIDE, STICK
from detent.record.event import Event, EventKind, Interval
from detent.record.led.rigid import Blow, ContactTrace, FoundContact

_TRACED = 100  # points of a trace, at most
_SHALLOW = 0.5  # of the tip's depth: a contact below it is inside the hole


def named(forces: MatingForces, candidates: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(forces.run.machine.name_of(c) for c in candidates)


def seeds(forces: MatingForces, candidates: tuple[int, ...]) -> tuple[str, ...]:
    """Names of Fig. 20, each once; ours where it has none."""
    found: list[str] = []
    for candidate in candidates:
        told = forces.profile.names.get(candidate)
        found.append(told[0].pair if told else forces.run.machine.name_of(candidate))
    return tuple(sorted(set(found)))


def loaded_sets(forces: MatingForces, start: float, until: float) -> list[tuple[float, tuple[int, ...]]]:
    """From when on which candidates push."""
    steps = forces.run.steps
    rows: list[tuple[float, tuple[int, ...]]] = []
    for k in np.flatnonzero((steps.times[:-1] >= start - 1e-12) & (steps.times[:-1] < until)).tolist():
        n = int(steps.counts[k])
        pushing = steps.impulses[k, :n, 0] + steps.blows[k, :n, 0] > 0
        now = tuple(sorted(int(c) for c in steps.candidates[k, :n][pushing]))
        if not rows or rows[-1][1] != now:
            rows.append((float(steps.times[k]), now))
    return rows


def intervals_of(forces: MatingForces, start: float, until: float) -> tuple[Interval, ...]:
    sets = loaded_sets(forces, start, until)
    ends = [*(time for time, _ in sets[1:]), until]
    return tuple(
        Interval(from_=since, to=to, contacts=named(forces, now))
        for (since, now), to in zip(sets, ends, strict=True)
        if now and to > since
    )


def contact_order(forces: MatingForces, start: float, until: float) -> tuple[str, ...]:
    """What pushed with more than the least force over the time of a mean, one after the other."""
    every, least = forces.reading.averaged, forces.reading.loaded
    edges = np.arange(start, until + 1e-9, every)
    if len(edges) < 2:
        return ()
    loaded = {
        candidate: force.between(edges[:-1], edges[1:])[:, 0] > least
        for candidate, force in forces.by_candidate.items()
    }
    order: list[str] = []
    for k in range(len(edges) - 1):
        now = "+".join(seeds(forces, tuple(c for c, on in loaded.items() if on[k])))
        if now and (not order or order[-1] != now):
            order.append(now)
    return tuple(order)


def events_of(forces: MatingForces, start: float, until: float) -> tuple[Event, ...]:
    """Touching, lifting, impacts, sticking and sliding, with the signs of contacts before and after."""
    steps, events = forces.run.steps, []
    rows = np.flatnonzero((steps.times >= start - 1e-12) & (steps.times <= until)).tolist()
    states = {k: _statuses(forces, k) for k in {*rows, *(k - 1 for k in rows if k > 0)}}
    for k in rows:
        time = float(steps.times[k])
        n = int(steps.counts[k])
        blown = [int(c) for i, c in enumerate(steps.candidates[k, :n]) if steps.blows[k, i, 0] > 0]
        before = states[k - 1] if k else {}
        now = states[k]
        if blown:
            size = float(np.linalg.norm(steps.totals[k, 3:6]))
            events.append(_event(forces, time, "impact", before, now, tuple(blown), impulse=size))
        if k == len(steps.times) - 1:
            continue
        began = tuple(c for c in now if c not in before)
        ended = tuple(c for c in before if c not in now)
        if began:
            events.append(_event(forces, time, "contact", before, now, began))
        if ended:
            events.append(_event(forces, time, "release", before, now, ended))
        for kind, was, becomes in (("stick", SLIDE, STICK), ("slide", STICK, SLIDE)):
            changed = tuple(c for c in now if before.get(c) == was and now[c] == becomes)
            if changed:
                events.append(_event(forces, time, kind, before, now, changed))  # type: ignore[arg-type]
    return tuple(events)


def _statuses(forces: MatingForces, k: int) -> dict[int, int]:
    """Of the contacts that push over the step from row k on."""
    steps = forces.run.steps
    n = int(steps.counts[k])
    return {
        int(c): int(s)
        for c, s, pushed in zip(
            steps.candidates[k, :n], steps.statuses[k, :n], steps.impulses[k, :n, 0], strict=True
        )
        if s != OPEN and pushed > 0
    }


def _event(
    forces: MatingForces,
    time: float,
    kind: EventKind,
    before: dict[int, int],
    now: dict[int, int],
    changed: tuple[int, ...],
    impulse: float | None = None,
) -> Event:
    plan = forces.run.machine.plan
    moved = forces.run.gripper_motion(*forces.run.steps.at([time]))[0][0]
    return Event(
        time=time,
        kind=kind,
        travel=float(moved[:3] @ plan.legs[0].direction) / plan.metres,
        before=named(forces, tuple(before)),
        after=named(forces, tuple(now)),
        mode_before="".join("0ss"[s] if s != STICK else "f" for s in before.values()) or None,
        mode_after="".join("0ss"[s] if s != STICK else "f" for s in now.values()) or None,
        impulse=impulse,
        detail=" ".join(seeds(forces, changed)),
    )


def first_contact(forces: MatingForces, start: float, until: float) -> FoundContact:
    for time, now in loaded_sets(forces, start, until):
        if now:
            return _at(forces, time, now)
    return FoundContact()


def second_contact(forces: MatingForces, start: float, until: float) -> FoundContact:
    """The first moment beyond a depth with more than the least force on a contact inside the hole."""
    steps, reading = forces.run.steps, forces.reading
    pushed = forces.forces_of_steps()
    depths = forces.depths[:-1, None]
    along = steps.contacts[:-1, :, 1:4] @ forces.profile.axes[:, 0] - forces.profile.face
    inside = (pushed > reading.loaded) & (along > _SHALLOW * depths) & (depths > reading.second)
    on = (steps.times[:-1] >= start) & (steps.times[:-1] < until)
    rows = np.flatnonzero(inside.any(axis=1) & on)
    if not len(rows):
        return FoundContact()
    k = int(rows[0])
    found = tuple(int(c) for c, there in zip(steps.candidates[k], inside[k], strict=True) if there)
    return _at(forces, float(steps.times[k]), found)


def _at(forces: MatingForces, time: float, candidates: tuple[int, ...]) -> FoundContact:
    depth = float(forces.depth_at(time))
    return FoundContact(
        time=time,
        depth=depth / forces.run.machine.plan.metres,
        depth_mm=1e3 * depth if forces.run.mechanism.units != "1" else None,
        contacts=named(forces, candidates),
        named=seeds(forces, candidates),
    )


def blows_of(forces: MatingForces, start: float, until: float) -> tuple[Blow, ...]:
    steps, found = forces.run.steps, []
    for k in np.flatnonzero((steps.times >= start) & (steps.times <= until)).tolist():
        n = int(steps.counts[k])
        blown = tuple(int(c) for i, c in enumerate(steps.candidates[k, :n]) if steps.blows[k, i, 0] > 0)
        if blown:
            x, y, z = (float(p) for p in steps.totals[k, 3:6] @ forces.profile.axes)
            found.append(Blow(time=float(steps.times[k]), impulse=(x, y, z), contacts=named(forces, blown)))
    return tuple(found)


def traces_of(forces: MatingForces, start: float, until: float, scale: float) -> tuple[ContactTrace, ...]:
    """Of each contact while it was loaded, in the frames of its two parts."""
    steps, machine, traces = forces.run.steps, forces.run.machine, []
    on = (steps.times >= start) & (steps.times <= until)
    inside = np.arange(steps.candidates.shape[1])[None, :] < steps.counts[:, None]
    loaded = inside & on[:, None] & (steps.impulses[:, :, 0] > 0)
    for candidate in np.unique(steps.candidates[loaded]).tolist():
        mine = loaded & (steps.candidates == candidate)
        rows = np.flatnonzero(mine.any(axis=1))
        rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), _TRACED)).astype(int))]
        fixed, held = (
            int(body) for body in machine.candidates.pairs[machine.candidates.listed[candidate, 3]]
        )
        on_held: list[tuple[float, float, float]] = []
        on_fixed: list[tuple[float, float, float]] = []
        for k in rows.tolist():
            point = steps.contacts[k, int(np.flatnonzero(mine[k])[0]), 1:4]
            for body, points in ((held, on_held), (fixed, on_fixed)):
                pose = machine.pose(body, steps.states[k])
                x, y, z = (float(c) for c in scale * (pose[:, :3].T @ (point - pose[:, 3])))
                points.append((x, y, z))
        (name,) = named(forces, (int(candidate),))
        told = forces.profile.names.get(int(candidate))
        traces.append(
            ContactTrace(
                contact=name,
                named=told[0].pair if told else "",
                held=machine.names[held],
                fixed=machine.names[fixed],
                times=tuple(float(t) for t in steps.times[rows]),
                on_held=tuple(on_held),
                on_fixed=tuple(on_fixed),
            )
        )
    return tuple(traces)
