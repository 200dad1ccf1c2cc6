"""The answer of `detent mate` from a rigid run: figures as they are read, contacts by name, how it ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.foundation.progress import doing
from detent.foundation.units import unit_names
from detent.judge.led.energy import energy_told
from detent.judge.led.torques import passed_limits
from detent.judge.rigid_mating.contacts import (
    blows_of,
    contact_order,
    events_of,
    first_contact,
    intervals_of,
    second_contact,
    traces_of,
)
from detent.judge.rigid_mating.ending import at_rest, holds_without_drive, jamming_path
from detent.judge.rigid_mating.forces import MatingForces
from detent.judge.rigid_mating.profile import MatingProfile
from detent.model.document.ask import AskMate
from detent.motion.leading.plan import StraightLeg
from detent.motion.rigid.mating.energy import energy_of_mating
from detent.motion.rigid.mating.mating_run import RigidMatingRun
from detent.record.compliant_mating import CompliantSeries, GoesIn
from detent.record.led.rigid import RigidEnd, RigidForce, RigidLeg, RigidMating
from detent.record.run import Run
from detent.record.scope import Scope
from detent.record.table import with_unit

_COUNTS_AS_IN = 0.95  # of the way of the first leg, unless the document gives a depth
_SOLVED = ("by statuses", "by pivots", "by projection", "by cones of eight sides", "unsolved")


def rigid_mating_of(run: Run) -> RigidMating:
    """The record of a run."""
    evidence = run.evidence
    assert isinstance(evidence, RigidMatingRun)
    if evidence.machine.rounds.matched:
        problem = "what a round peg does in its hole is not told by this answer"
        raise UnsupportedError(
            problem, "`detent.predict` has its run", f"parts.{evidence.machine.leader.held[0]}"
        )
    with doing("forces"):
        forces = MatingForces(evidence, MatingProfile(evidence.machine))
        legs = tuple(_leg(forces, k) for k in range(len(evidence.machine.plan.legs)))
    machine, profile = evidence.machine, forces.profile
    tally = dict(zip(_SOLVED, evidence.tally[:5], strict=True))
    torques = evidence.torques(evidence.steps.times)
    return RigidMating(
        robot=machine.leader.name,
        leads=machine.leader.kind,
        held=machine.leader.held,
        insertion=_insertion(forces, legs),
        until=float(evidence.steps.times[-1]),
        legs=legs,
        task_axes={axis: _three(profile.axes[:, k]) for k, axis in enumerate("xyz")},
        clearance={axis: play / machine.plan.metres for axis, play in profile.clearance.items()},
        largest_torques={name: float(np.abs(column).max()) for name, column in torques.items()},
        energy=energy_told(energy_of_mating(evidence)),
        passed_limits=passed_limits(machine.leader, evidence.steps.times, torques),
        solved={how: count for how, count in tally.items() if count},
        step=machine.step,
        steps=len(evidence.steps.times) - 1,
        method=evidence.name,
        scope=_scope(evidence),
        notes=_notes(forces),
        units=machine.mechanism.units,
    ).computed_from(run)


def _leg(forces: MatingForces, number: int) -> RigidLeg:
    run, legs = forces.run, forces.run.machine.plan.legs
    leg, scale = legs[number], 1 / forces.run.machine.plan.metres
    until = legs[number + 1].start if number + 1 < len(legs) else float(run.steps.times[-1])
    until = min(until, float(run.steps.times[-1]))
    start = min(leg.start, until)
    window = (run.steps.times >= start) & (run.steps.times <= until)
    beyond = _largest_beyond(forces, start, until)
    in_mm = run.mechanism.units != "1"
    return RigidLeg(
        start=start,
        end=rigid_end(forces, leg, until, last=number + 1 == len(legs)),
        events=events_of(forces, start, until),
        contact_order=contact_order(forces, start, until),
        contacts=intervals_of(forces, start, until),
        force=_force(forces, leg, start, until),
        first_contact=first_contact(forces, start, until),
        second_contact=second_contact(forces, start, until),
        max_contact_force=beyond,
        max_contact_force_beyond_20_mm=beyond if in_mm and forces.reading.second == 20e-3 else None,
        penetration_um=1e6 * max(0.0, -float(run.steps.totals[window, 7].min(initial=0.0))),
        impulses=blows_of(forces, start, until),
        traces=traces_of(forces, start, until, scale),
        jamming=jamming_path(forces, start, min(until, leg.start + leg.duration)),
    )


def _largest_beyond(forces: MatingForces, start: float, until: float) -> float:
    times, half = forces.run.steps.times, forces.reading.averaged / 2
    middles = np.arange(start + half, until - half, forces.reading.averaged / 5)
    middles = middles[forces.depth_at(middles) > forces.reading.second]
    middles = middles[(middles >= half) & (middles <= times[-1] - half)]
    if not len(middles):
        return 0.0
    return max(
        (
            float(forces.mean(added, middles - half, middles + half).max())
            for added in forces.by_candidate.values()
        ),
        default=0.0,
    )


def _force(forces: MatingForces, leg: StraightLeg, start: float, until: float) -> RigidForce:
    reading, steps = forces.reading, forces.run.steps
    times, means = forces.corners(start, until)
    depths = forces.depth_at(times)
    shallow = (depths < reading.chamfer) & (np.abs(means[:, 0]) > 0)
    peak = None
    if shallow.any():
        on = means[shallow, 0]
        peak = float(on[np.argmax(np.abs(on))])
    inside = np.flatnonzero(
        (steps.times >= start)
        & (steps.times <= until)
        & (forces.depths >= reading.plateau[0])
        & (forces.depths <= reading.plateau[1])
    )
    plateau = None
    if len(inside) > 1 and steps.times[inside[-1]] > steps.times[inside[0]]:
        plateau = _three(forces.mean(forces.totals, steps.times[inside[0]], steps.times[inside[-1]])[0])
    extreme = means[np.argmax(np.abs(means[:, 0])), 0] if len(means) else 0.0
    return RigidForce(
        peak_chamfer=peak,
        plateau=plateau,
        end=_three(means[-1]) if len(means) else (0.0, 0.0, 0.0),
        extreme=float(extreme),
        series=_series(forces, leg, start, until),
        averaged_s=reading.averaged,
    )


def _series(forces: MatingForces, leg: StraightLeg, start: float, until: float) -> CompliantSeries:
    """Rows at even times: depth and travel there, forces as means around them."""
    run, plan = forces.run, forces.run.machine.plan
    times, means = forces.running(start, until, forces.reading.averaged)
    half = forces.reading.averaged / 2
    names, scale = unit_names(run.mechanism.units), 1 / plan.metres
    length, time = names.length.strip(), names.time.strip()
    newton, torque = names.force.strip(), names.torque.strip()
    q, v = run.steps.at(times)
    moved = run.gripper_motion(q, v)[0]
    columns = {with_unit("time", time): times}
    columns[with_unit("depth", length)] = scale * forces.depth_at(times)
    columns[with_unit("travel", length)] = scale * moved[:, :3] @ plan.legs[0].direction
    columns[with_unit("asked", length)] = scale * run.machine.course.asked(times)[0] @ plan.legs[0].direction
    for k, axis in enumerate("xyz"):
        columns[with_unit(f"F{axis}", newton)] = means[:, k]
    turning = forces.mean(forces.moments, times - half, times + half)
    for k, axis in enumerate("xyz"):
        columns[with_unit(f"M{axis}", torque)] = turning[:, k]
    for candidate, added in forces.by_candidate.items():
        pushed = forces.mean(added, times - half, times + half)[:, 0]
        if pushed.any():
            columns[with_unit(f"N {_called(forces, candidate)}", newton)] = pushed
    for name, column in run.torques(times).items():
        columns[with_unit(name, torque)] = column
    table = np.column_stack(list(columns.values()))
    return CompliantSeries(tuple(columns), tuple(tuple(row) for row in table.tolist()))


def _called(forces: MatingForces, candidate: int) -> str:
    """Our name, with the seed's where it has one."""
    names = forces.profile.names.get(candidate, ())
    own = forces.run.machine.name_of(candidate)
    return f"{names[0].whole} {own}" if names else own


def rigid_end(forces: MatingForces, leg: StraightLeg, until: float, *, last: bool) -> RigidEnd:
    """How a leg ended, and why where the part is not in."""
    run, plan = forces.run, forces.run.machine.plan
    names, scale = unit_names(run.mechanism.units), 1 / plan.metres
    depth = float(forces.depth_at(until))
    moved = run.gripper_motion(*run.steps.at([until]))[0][0]
    travel = float(moved[:3] @ plan.legs[0].direction)
    known: dict[str, Any] = {
        "time": until,
        "travel": travel * scale,
        "depth": depth * scale,
        "depth_mm": 1e3 * depth if run.mechanism.units != "1" else None,
    }
    if last and not run.done:
        return RigidEnd(cause="interrupted", detail=run.why, **known)
    if until < leg.start + leg.duration:
        return RigidEnd(cause="interrupted", detail=f"the run ends at {until:.4g}{names.time}", **known)
    ask = run.mechanism.ask.mate if run.mechanism.ask is not None and run.mechanism.ask.mate else AskMate()
    least = _COUNTS_AS_IN * leg.length if ask.depth is None else float(ask.depth) * plan.metres
    along = float((moved[:3] - leg.origin) @ leg.direction)
    if leg.back or leg.number > 1 or along >= least:
        return RigidEnd(cause="done", **known)
    return RigidEnd(**_stuck(forces, known, along, least, last=last))


def _stuck(
    forces: MatingForces, known: dict[str, Any], along: float, least: float, *, last: bool
) -> dict[str, Any]:
    """Jammed or wedged, and why, of a part that is not in when its drive is used up."""
    run, scale = forces.run, 1 / forces.run.machine.plan.metres
    unit = unit_names(run.mechanism.units).length
    short = f"the part has gone {along * scale:.4g} of {least * scale:.4g}{unit} that count as in"
    narrow = {axis: play for axis, play in forces.profile.clearance.items() if play < 0}
    if narrow:
        larger = ", ".join(f"by {-play * scale:.4g}{unit} along {axis}" for axis, play in narrow.items())
        return known | {"cause": "wedged", "detail": f"the peg is larger than its hole {larger}; {short}"}
    touching = [run.machine.name_of(int(c)) for c in run.steps.candidates[-1, : run.steps.counts[-1]]]
    if not touching:
        return known | {"cause": "jam", "detail": f"nothing touches, and {short}"}
    moving = "" if not last or at_rest(forces) else "; it still moves"
    locked = holds_without_drive(forces) if last else ()
    if locked:
        words = f"friction at {', '.join(locked)} would hold it without the drive; {short}{moving}"
        return known | {"cause": "wedged", "detail": words}
    words = f"the drive is used up against {', '.join(touching)}; {short}{moving}"
    return known | {"cause": "jam", "detail": words}


def _insertion(forces: MatingForces, legs: tuple[RigidLeg, ...]) -> GoesIn:
    first = legs[0].end
    unit = unit_names(forces.run.mechanism.units).length
    went = f"the tip is {first.depth:.4g}{unit} below the block's face when leg 1 ends"
    if first.cause == "interrupted":
        return GoesIn(answer="undecided", why=first.detail)
    if first.cause != "done":
        return GoesIn(answer="no", why=f"{first.cause}: {first.detail}")
    if not any(leg.contacts for leg in legs):
        return GoesIn(answer="nothing touched", why=f"{went}, and the parts do not touch")
    return GoesIn(answer="yes", why=went)


def _scope(run: RigidMatingRun) -> Scope:
    machine = run.machine
    covers = (
        f"rigid parts under Coulomb friction, led by equations linear about the drawing, at steps of "
        f"{machine.step:g} s: touching located to {machine.control(1.0)[-1]:.1g} s, lifting, sticking and "
        "sliding to a step; overlaps at ends of steps"
    )
    left_out = [*machine.leader.left_out, "weight and inertia of what is held, in the forces"]
    if machine.leader.arm is not None:
        left_out.append("what is of second order in the way and the speed: Coriolis torques, turned axes")
    facets, projected = run.tally[3], run.tally[2]
    if projected:
        left_out.append(f"of {projected} contact problems what projections leave: 1e-9 of the speeds")
    if facets:
        left_out.append(f"of {facets} contact problems the round cones: cones of eight sides inside them")
    return Scope(
        certainty="computed",
        covers=covers,
        left_out=tuple(dict.fromkeys(left_out)),
        assumed=machine.assumed,
    )


def _notes(forces: MatingForces) -> tuple[str, ...]:
    run, notes = forces.run, []
    machine = run.machine
    scale, unit = 1 / machine.plan.metres, unit_names(run.mechanism.units).length
    for axis, play in forces.profile.clearance.items():
        if play < 0:
            notes.append(f"the peg is {-play * scale:.4g}{unit} larger than its hole along {axis}")
    rows = run.open_forces
    if rows:
        notes.append(
            f"at {rows} of {len(run.steps.times) - 1} steps statics leaves single contact forces open; they "
            "are those nearest to the forces before"
        )
    return tuple(notes)


def _three(vector: Any) -> tuple[float, float, float]:
    x, y, z = (float(c) for c in vector)
    return x, y, z
