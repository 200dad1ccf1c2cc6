"""The path of a plan over time, sampled: angles, poses, a trajectory for films and plots."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.units import unit_names
from detent.geometry.exact.polygon import ExactLeaf, doubled
from detent.geometry.frame import Frame
from detent.model.document.mechanism import Mechanism
from detent.model.machine.placed import place
from detent.model.machine.poses import windings
from detent.motion.quasistatic.answer.loads import PawlLoads, pawl_loads
from detent.motion.quasistatic.answer.report import leg_contacts, leg_end, leg_events
from detent.motion.quasistatic.answer.stretch_path import StretchPath
from detent.motion.quasistatic.exact.legs import STUCK, LegRun, PlanRun
from detent.motion.quasistatic.exact.pawl import PawlRun, SlidingStretch
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl
from detent.record.event import Event
from detent.record.frozen import column
from detent.record.trajectory import Trajectory

if TYPE_CHECKING:
    from detent.record.frozen import Floats

SAMPLES = 40  # of a stretch: smooth to the eye
FRAMES = 120  # of a leg, evenly in time
TURNING = 8  # rows of a snap, at one time: it rotates while time stands still


def along(stretch: SlidingStretch) -> tuple[Any, Any]:
    """Times on the leg's line and angles from rest along a stretch, evenly in its parameter."""
    path = StretchPath(stretch)
    parameters = np.linspace(*path.ends, 2 if stretch.arc.curve is None else SAMPLES)
    return path.time(parameters), path.angle(parameters)


def angles_at(leg: LegRun, index: int, times: Any) -> Any:
    """A pawl's angle from rest at times on the leg's line; at a snap, where it lands.

    Instants are compared as the exact times round: the samples of a stretch round
    otherwise, and an instant between two stretches would fall to neither.
    """
    pawl_run = leg.pawl_runs[index]
    angles = np.zeros(len(times))  # at rest where nothing holds it off
    for stretch in pawl_run.stretches:
        path = StretchPath(stretch)
        within = (times >= path.span[0]) & (times <= path.span[1])
        angles[within] = path.angle(np.array([path.parameter_at(t) for t in times[within].tolist()]))
    for event in pawl_run.events:
        if event.landed is not None:
            angles[times == float(event.place.t)] = event.landed.angle()
    return angles


def regions(leaf: ExactLeaf, hinge: Any, angles: Any) -> Any:
    """A leaf of a pawl at each of some angles, about a hinge, in doubles."""
    import shapely

    x, y = leaf.doubles.T
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    points = np.stack([hinge[0] + cosine * x - sine * y, hinge[1] + sine * x + cosine * y], axis=2)
    if not leaf.closed:
        return shapely.linestrings(points)
    rings = [
        (doubled([leaf.points[k] for k in ring]) > 0, shapely.polygons(points[:, ring.start : ring.stop]))
        for ring in leaf.rings
    ]
    solid = shapely.union_all(np.array([shapes for outer, shapes in rings if outer]), axis=0)
    holes = [shapes for outer, shapes in rings if not outer]
    return shapely.difference(solid, shapely.union_all(np.array(holes), axis=0)) if holes else solid


@dataclass(frozen=True)
class LegRows:
    """The rows of a trajectory on one leg: times on its line, and how each is to be read."""

    leg: LegRun
    times: Any  # on the leg's line; at a snap one time has several rows
    flies: Any  # rows within a snap, in which no force is known
    before: Any  # rows of what was just before their time

    @property
    def instants(self) -> Any:
        """The same from the plan's start [s]; the leg's ends as they round, so that no time goes back."""
        start, end = self.leg.instant(self.leg.line.start), self.leg.instant(self.leg.end)
        instants = np.clip(self.times + start - self.times[0], start, end)
        instants[self.times == self.times[-1]] = end
        return instants

    @property
    def shift(self) -> Any:
        """Where the root is, from where it is drawn."""
        velocity = np.array([float(c) for c in self.leg.line.velocity])
        return np.array([float(c) for c in self.leg.line.shift]) + self.times[:, None] * velocity


def leg_rows(leg: LegRun) -> LegRows:
    """Times evenly over a leg, and those of its events; a snap has several rows at its one time."""
    instants = [float(h.place.t) for pawl_run in leg.pawl_runs for h in pawl_run.events]
    snaps = [float(h.place.t) for pawl_run in leg.pawl_runs for h in pawl_run.events if h.landed is not None]
    evenly = np.linspace(float(leg.line.start), float(leg.end), FRAMES)
    local = np.unique(np.concatenate([evenly, instants]))
    frozen = np.isin(local, snaps)
    rows = np.where(frozen, TURNING, 1)
    first = np.concatenate([[0], np.cumsum(rows)[:-1]])
    flies, before = np.zeros(rows.sum(), dtype=bool), np.zeros(rows.sum(), dtype=bool)
    for begin in first[frozen]:
        before[begin] = True
        flies[begin + 1 : begin + TURNING - 1] = True
    if not frozen[-1]:
        before[-1] = True
    return LegRows(leg, np.repeat(local, rows), flies, before)


def trajectory(
    mechanism: Mechanism,
    fastener: Fastener,
    plan: PlanRun,
    *,
    events: Sequence[tuple[Event, ...]] | None = None,
    loads: Sequence[Sequence[PawlLoads]] | None = None,
    method: str = "",
    certified: str = "",
) -> Trajectory:
    """The whole plan over time: hinges, poses, events, contacts, forces, the energy in the springs.

    Events and loads of each leg are used where they are known already. A snap has several rows at
    its one time; between the first and the last of them no force is known.
    """
    events = [leg_events(fastener, leg) for leg in plan.legs] if events is None else events
    loads = [pawl_loads(fastener, leg) for leg in plan.legs] if loads is None else loads
    drawn = place(mechanism).frames

    def angle_of(part: str) -> float:
        """As drawn, with its whole turns, which a frame does not show."""
        rows = drawn[part].rows
        return math.atan2(float(rows[1][0]), float(rows[0][0])) + math.tau * windings(mechanism, part)

    rows = [leg_rows(leg) for leg in plan.legs]
    angles = {
        pawl.joint: np.concatenate(
            [_with_snaps(r.leg.pawl_runs[k], r.times, angles_at(r.leg, k, r.times)) for r in rows]
        )
        for k, pawl in enumerate(fastener.pawls)
    }
    shift = np.concatenate([r.shift for r in rows])
    forces = _forces(fastener, rows, loads)
    poses = {fastener.root: _carried(drawn[fastener.root], angle_of(fastener.root), shift)}
    for pawl in fastener.pawls:
        poses[pawl.part] = _rotated(drawn[pawl.part], angle_of(pawl.part), pawl, shift, angles[pawl.joint])
    return Trajectory(
        times=np.concatenate([r.instants for r in rows]),
        coordinates={p.joint: p.rest + p.sense * angles[p.joint] for p in fastener.pawls},
        poses=poses,
        events=tuple(
            e
            for leg, of_leg in zip(plan.legs, events, strict=True)
            for e in _with_block(fastener, leg, of_leg)
        ),
        stop=leg_end(fastener, plan.legs[-1]),
        units=mechanism.units,
        method=method,
        contacts=tuple(entry for leg in plan.legs for entry in leg_contacts(fastener, leg)),
        forces=forces,
        force_units=dict.fromkeys(forces, unit_names(mechanism.units).force.strip()),
        energy={"stored": _stored(fastener, angles)},
        legs=tuple((leg.instant(leg.line.start), leg.instant(leg.end)) for leg in plan.legs),
        notes=(*fastener.notes, *plan.notes),
        certified=certified,
        coordinate_units={pawl.joint: "rad" for pawl in fastener.pawls},
    )


def _with_block(fastener: Fastener, leg: LegRun, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events of a leg, and that the root itself was blocked at its end."""
    if leg.cause != "blocked":
        return events
    return (*events, Event(time=leg.instant(leg.end), kind="blocked", subjects=(fastener.root,)))


def _forces(
    fastener: Fastener, rows: Sequence[LegRows], loads: Sequence[Sequence[PawlLoads]]
) -> dict[str, Floats]:
    """What the drive must overcome and what each contact carries [N], row by row."""
    drive: list[float | None] = []
    by_contact: dict[str, dict[int, float | None]] = {}
    flying: list[int] = []
    for leg, pawls in zip(rows, loads, strict=True):
        for t, flies, before in zip(leg.times.tolist(), leg.flies, leg.before, strict=True):
            row = len(drive)
            if flies:
                flying.append(row)
                drive.append(None)
                continue
            ends = t == leg.times[-1] and leg.leg.cause in STUCK
            carried = [pawl.at(t, not before) for pawl in pawls]
            bounded = not ends and all(math.isfinite(each.resisting) for each in carried)
            drive.append(sum(each.resisting for each in carried) if bounded else None)
            for each in carried:
                if each.contact:
                    size = each.size if math.isfinite(each.size) else None
                    by_contact.setdefault(each.contact, {})[row] = size
    columns = {f"drive {fastener.drive}": column(drive)}
    for name, sizes in by_contact.items():
        sizes |= dict.fromkeys(flying)
        columns[name] = column([sizes.get(row, 0.0) for row in range(len(drive))])
    return columns


def _stored(fastener: Fastener, angles: dict[str, Any]) -> Floats:
    """The energy in the springs [J]."""
    springs = [p.spring.energy(angles[p.joint]) for p in fastener.pawls]
    return column(np.sum(springs, axis=0))


def _with_snaps(pawl_run: PawlRun, times: Any, angles: Any) -> Any:
    """The same with the rows of a snap rotating evenly from where it lets go to where it lands."""
    with_snaps = angles.copy()
    for event in pawl_run.events:
        if event.landed is not None:
            rows = np.flatnonzero(times == float(event.place.t))
            with_snaps[rows] = np.linspace(event.place.angle(), event.landed.angle(), len(rows))
    return with_snaps


def _carried(drawn: Frame, angle: float, shift: Any) -> Any:
    origin = np.array([float(drawn.origin[0]), float(drawn.origin[1])])
    return np.column_stack([origin + shift, np.full(len(shift), angle)])


def _rotated(drawn: Frame, angle: float, pawl: Pawl, shift: Any, angles: Any) -> Any:
    """The part's frame, rotated about the hinge from where it is drawn."""
    hinge = np.array([float(c) for c in pawl.hinge])
    away = angles - pawl.drawn
    arm = np.array([float(drawn.origin[0]), float(drawn.origin[1])]) + pawl.closing - hinge
    cosine, sine = np.cos(away), np.sin(away)
    x = hinge[0] + shift[:, 0] + cosine * arm[0] - sine * arm[1]
    y = hinge[1] + shift[:, 1] + sine * arm[0] + cosine * arm[1]
    return np.column_stack([x, y, angle + away])
