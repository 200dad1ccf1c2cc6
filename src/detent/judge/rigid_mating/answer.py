"""The answer of `detent mate` from a rigid run: figures as they are read, contacts by name, how it ends.

What holds of any rigid run is told here, of round pegs too; what their contacts are is said by `round_pegs`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

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
from detent.judge.rigid_mating.ending import insertion, jamming_path, leg_end
from detent.judge.rigid_mating.forces import MatingForces, rigid_force, three
from detent.judge.rigid_mating.profile import MatingProfile
from detent.motion.rigid.mating.energy import energy_of_mating
from detent.motion.rigid.mating.mating_run import RigidMatingRun
from detent.record.compliant_mating import CompliantSeries
from detent.record.led.rigid import RigidLeg, RigidMating
from detent.record.run import Run
from detent.record.scope import Scope
from detent.record.table import with_unit

_SOLVED = ("by statuses", "by pivots", "by projection", "by cones of eight sides", "unsolved")


@dataclass(frozen=True)
class ToldPeg:
    """What is said of one kind of peg: legs, clearance [document units], scope; and fields of its own."""

    legs: tuple[RigidLeg, ...]
    clearance: dict[str, float] | float
    covers: str
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)


def rigid_mating_of(run: Run, told: ToldPeg) -> RigidMating:
    """The record of a run, of which a kind of peg is told."""
    evidence = run.evidence
    assert isinstance(evidence, RigidMatingRun)
    machine = evidence.machine
    tally = dict(zip(_SOLVED, evidence.tally[:5], strict=True))
    torques = evidence.torques(evidence.steps.times)
    return RigidMating(
        robot=machine.leader.name,
        leads=machine.leader.kind,
        held=machine.leader.held,
        insertion=insertion(evidence, told.legs[0].end),
        until=float(evidence.steps.times[-1]),
        legs=told.legs,
        clearance=told.clearance,
        largest_torques={name: float(np.abs(column).max()) for name, column in torques.items()},
        energy=energy_told(energy_of_mating(evidence)),
        passed_limits=passed_limits(machine.leader, evidence.steps.times, torques),
        solved={how: count for how, count in tally.items() if count},
        step=machine.step,
        steps=len(evidence.steps.times) - 1,
        method=evidence.name,
        scope=_scope(evidence, told),
        notes=(*told.notes, *_open(evidence)),
        units=machine.mechanism.units,
        **told.fields,
    ).computed_from(run)


def flat_peg(run: RigidMatingRun) -> ToldPeg:
    """Of a peg with flat sides."""
    with doing("forces"):
        forces = MatingForces(run, MatingProfile(run.machine))
        legs = tuple(_leg(forces, *window) for window in run.legs)
    profile, scale = forces.profile, 1 / run.machine.plan.metres
    unit = unit_names(run.mechanism.units).length
    return ToldPeg(
        legs,
        {axis: play * scale for axis, play in profile.clearance.items()},
        "rigid parts",
        notes=tuple(
            f"the peg is {-play * scale:.4g}{unit} larger than its hole along {axis}"
            for axis, play in profile.clearance.items()
            if play < 0
        ),
        fields={"task_axes": {axis: three(profile.axes[:, k]) for k, axis in enumerate("xyz")}},
    )


def _leg(forces: MatingForces, number: int, start: float, until: float) -> RigidLeg:
    run, leg = forces.run, forces.run.machine.plan.legs[number]
    scale = 1 / run.machine.plan.metres
    beyond = _largest_beyond(forces, start, until)
    in_mm = run.mechanism.units != "1"
    series = _series(forces, start, until)
    return RigidLeg(
        start=start,
        end=leg_end(forces, number, until),
        events=events_of(forces, start, until),
        contact_order=contact_order(forces, start, until),
        contacts=intervals_of(forces, start, until),
        force=rigid_force(forces.reading, forces.totals, forces.depth_at, start, until, series),
        first_contact=first_contact(forces, start, until),
        second_contact=second_contact(forces, start, until),
        max_contact_force=beyond,
        max_contact_force_beyond_20_mm=beyond if in_mm and forces.reading.second == 20e-3 else None,
        penetration_um=run.overlap_um(start, until),
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
            float(force.between(middles - half, middles + half).max())
            for force in forces.by_candidate.values()
        ),
        default=0.0,
    )


def _series(forces: MatingForces, start: float, until: float) -> CompliantSeries:
    """Rows at even times: depth and travel there, forces as means around them."""
    run, plan = forces.run, forces.run.machine.plan
    times, half = forces.running(start, until, forces.reading.averaged), forces.reading.averaged / 2
    means = forces.totals.between(times - half, times + half)
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
    turning = forces.moments.between(times - half, times + half)
    for k, axis in enumerate("xyz"):
        columns[with_unit(f"M{axis}", torque)] = turning[:, k]
    for candidate, force in forces.by_candidate.items():
        pushed = force.between(times - half, times + half)[:, 0]
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


def _scope(run: RigidMatingRun, told: ToldPeg) -> Scope:
    machine = run.machine
    covers = (
        f"{told.covers} under Coulomb friction, led by equations linear about the drawing, at steps of "
        f"{machine.step:g} s: touching located to {machine.control(1.0)[-1]:.1g} s, lifting, sticking and "
        "sliding to a step; overlaps at ends of steps"
    )
    left_out = [*machine.leader.left_out, "weight and inertia of what is held, in the forces", *told.left_out]
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


def _open(run: RigidMatingRun) -> tuple[str, ...]:
    """That forces are open, where statics does not settle them."""
    rows = run.open_forces
    if not rows:
        return ()
    return (
        f"at {rows} of {len(run.steps.times) - 1} steps statics leaves single contact forces open; they "
        "are those nearest to the forces before",
    )
