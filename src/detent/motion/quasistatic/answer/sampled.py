"""The path of a plan over time, sampled: angles, poses, a trajectory for films and plots."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.geometry.exact.polygon import ExactLeaf, doubled
from detent.geometry.frame import Frame
from detent.model.document.mechanism import Mechanism
from detent.model.machine.placed import place
from detent.motion.quasistatic.exact.legs import LegRun, PlanRun
from detent.motion.quasistatic.exact.pawl import PawlRun, SlidingStretch
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl
from detent.record.event import Event, Stop
from detent.record.trajectory import Trajectory

SAMPLES = 40  # of a stretch: smooth to the eye
FRAMES = 120  # of a leg, evenly in time
TURNING = 8  # rows of a snap, at one time: it turns while time stands


def along(stretch: SlidingStretch) -> tuple[Any, Any]:
    """Times on the leg's line and angles from rest along a stretch."""
    begin, end, curve = stretch.begin, stretch.end, stretch.arc.curve
    if curve is None:
        return np.array([float(begin.t), float(end.t)]), np.array([begin.angle()] * 2)
    u = np.linspace(float(begin.u), float(end.u), SAMPLES)
    scale = max(abs(int(c)) for c in (*curve.p.coeffs(), *curve.q.coeffs()))
    p, q = ([int(poly[i]) / scale for i in range(3)] for poly in (curve.p, curve.q))
    times = -(p[0] + u * (p[1] + u * p[2])) / (q[0] + u * (q[1] + u * q[2]))
    return times, begin.half * math.pi + 2 * np.arctan(u)


def angles_at(leg: LegRun, index: int, times: Any) -> Any:
    """A pawl's angle from rest at times on the leg's line; at a snap, where it lands.

    Instants are compared as the exact times round: the samples of a stretch round
    otherwise, and an instant between two stretches would fall to neither.
    """
    story = leg.stories[index]
    angles = np.zeros(len(times))  # at rest where nothing holds it off
    for stretch in story.stretches:
        within = (times >= float(stretch.begin.t)) & (times <= float(stretch.end.t))
        t, theta = along(stretch)
        angles[within] = np.interp(times[within], t, theta)
    for happening in story.happenings:
        if happening.landed is not None:
            angles[times == float(happening.place.t)] = happening.landed.angle()
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


def trajectory(mechanism: Mechanism, fastener: Fastener, plan: PlanRun) -> Trajectory:
    """The whole plan over time: coordinates of the hinges, poses of root and pawls, events.

    A snap has several rows at its one time.
    """
    drawn = place(mechanism).frames
    times: list[Any] = []
    shifts: list[Any] = []
    angles: dict[str, list[Any]] = {pawl.joint: [] for pawl in fastener.pawls}
    events: list[Event] = []
    for leg in plan.legs:
        instants = [float(h.place.t) for story in leg.stories for h in story.happenings]
        evenly = np.linspace(float(leg.line.start), float(leg.end), FRAMES)
        snaps = [h for story in leg.stories for h in story.happenings if h.landed is not None]
        local = np.unique(np.concatenate([evenly, instants]))
        frozen = np.isin(local, [float(h.place.t) for h in snaps])
        local = np.repeat(local, np.where(frozen, TURNING, 1))
        times.append(local + leg.instant(leg.line.start) - local[0])
        velocity = np.array([float(c) for c in leg.line.velocity])
        shifts.append(np.array([float(c) for c in leg.line.shift]) + local[:, None] * velocity)
        for k, pawl in enumerate(fastener.pawls):
            angles[pawl.joint].append(_with_snaps(leg.stories[k], local, angles_at(leg, k, local)))
            events += [
                Event(
                    time=leg.instant(h.place.t),
                    kind=h.kind,
                    joint=pawl.joint,
                    coordinate=pawl.rest + pawl.sense * h.place.angle(),
                    before=h.before,
                    after=h.after,
                )
                for h in leg.stories[k].happenings
            ]
        if leg.cause == "blocked":
            events.append(Event(time=leg.instant(leg.end), kind="blocked", subjects=(fastener.root,)))
    shift = np.concatenate(shifts)
    turns = {joint: np.concatenate(columns) for joint, columns in angles.items()}
    poses = {fastener.root: _carried(drawn[fastener.root], shift)}
    for pawl in fastener.pawls:
        poses[pawl.part] = _turned(drawn[pawl.part], pawl, shift, turns[pawl.joint])
    last = plan.legs[-1]
    return Trajectory(
        times=np.concatenate(times),
        coordinates={p.joint: p.rest + p.sense * turns[p.joint] for p in fastener.pawls},
        poses=poses,
        events=tuple(sorted(events, key=lambda event: event.time)),
        stop=Stop(time=last.instant(last.end), cause=last.cause),
        units=mechanism.units,
    )


def _with_snaps(story: PawlRun, times: Any, angles: Any) -> Any:
    """The same with the rows of a snap turning evenly from where it lets go to where it lands."""
    turned = angles.copy()
    for happening in story.happenings:
        if happening.landed is not None:
            rows = np.flatnonzero(times == float(happening.place.t))
            turned[rows] = np.linspace(happening.place.angle(), happening.landed.angle(), len(rows))
    return turned


def _carried(drawn: Frame, shift: Any) -> Any:
    origin = np.array([float(drawn.origin[0]), float(drawn.origin[1])])
    turn = np.full(len(shift), _turn_of(drawn))
    return np.column_stack([origin + shift, turn])


def _turned(drawn: Frame, pawl: Pawl, shift: Any, angles: Any) -> Any:
    """The part's frame, turned about the hinge from where it is drawn."""
    hinge = np.array([float(c) for c in pawl.hinge])
    away = angles - pawl.drawn
    arm = np.array([float(drawn.origin[0]), float(drawn.origin[1])]) + pawl.closing - hinge
    cosine, sine = np.cos(away), np.sin(away)
    x = hinge[0] + shift[:, 0] + cosine * arm[0] - sine * arm[1]
    y = hinge[1] + shift[:, 1] + sine * arm[0] + cosine * arm[1]
    return np.column_stack([x, y, _turn_of(drawn) + away])


def _turn_of(frame: Frame) -> float:
    return math.atan2(float(frame.rows[1][0]), float(frame.rows[0][0]))
