"""Does a robot put it together, and how is its motion disturbed? Read from a run that a leader led.

The disturbance is the gripper's velocity less that of the same run without contact. It is told by leg: on
entering, from the first touch on, and on leaving, from where the parts begin to let each other go.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from detent.foundation.progress import doing
from detent.foundation.units import measured, unit_names
from detent.judge.compliant.inserting import legs_in
from detent.judge.led.energy import energy_told
from detent.judge.led.torques import passed_limits
from detent.library.mating.force_law import MatingLoad, RememberingLaw
from detent.library.robots.serial_arm import Floats
from detent.model.document.ask import AskMate
from detent.motion.compliant.hooks.connection import HookConnection
from detent.motion.compliant.hooks.smoothed import SmoothHookLaw
from detent.motion.compliant.led.energy import energy_of
from detent.motion.compliant.led.led_run import SMOOTH, CoupledRun, History, Impact
from detent.motion.compliant.led.steps import LedSteps
from detent.motion.leading.plan import StraightLeg
from detent.record.compliant_mating import GoesIn, HookBending
from detent.record.event import Event, Interval, Stop
from detent.record.led.mating import Deviation, LedEnergy, LedForce, LedImpact, LedLeg, LedMating
from detent.record.run import Run
from detent.record.scope import Scope
from detent.record.table import with_unit

_COUNTS_AS_IN = 0.95  # of the way along the first leg, unless the document gives a depth
_STANDS = 1e-3  # of the fastest speed asked: slower counts as standing
_UNBALANCED = 1e-4  # of the energy put in: more is named in the scope


def led_mating_of(run: Run) -> LedMating:
    """The answer of `detent mate` from a led run."""
    evidence = run.evidence
    assert isinstance(evidence, CoupledRun)
    with doing("forces"):
        looked = evidence.history(evidence.looked)
        account = energy_of(evidence)
    legs = tuple(_leg(evidence, looked, k) for k in range(len(evidence.plan.legs)))
    per_metre = 1 / evidence.plan.metres
    phases = [phase for leg in legs for phase in (leg.meeting, leg.entering, leg.leaving)]
    deviations = [phase for phase in phases if phase is not None]
    energy = energy_told(account)
    leader = evidence.leader
    axes = {axis: _three(leader.task_axes[:, k]) for k, axis in enumerate("xyz")}
    return LedMating(
        robot=leader.name,
        leads=leader.kind,
        held=leader.held,
        dynamics=evidence.dynamics,
        insertion=_insertion(evidence, looked, legs),
        until=float(evidence.steps.times[-1]),
        largest_deviation=max((each.largest for each in deviations), default=0.0),
        fastest=evidence.system.course.fastest * per_metre,
        legs=legs,
        energy=energy,
        passed_limits=passed_limits(evidence.leader, looked.times, evidence.torques(looked)),
        series=_series(evidence),
        task_axes=axes,
        gripper=_three(leader.gripper[:3, 3] * per_metre),
        accuracy=evidence.accuracy,
        steps=len(evidence.steps.times) - 1,
        method=f"{evidence.name}, {evidence.dynamics}",
        scope=_scope(evidence, energy),
        notes=tuple(note for one in evidence.connections for note in one.notes),
        units=evidence.mechanism.units,
    ).computed_from(run)


def _leg(run: CoupledRun, looked: History, number: int) -> LedLeg:
    leg, legs = run.plan.legs[number], run.plan.legs
    until = legs[number + 1].start if number + 1 < len(legs) else float(run.steps.times[-1])
    window = (looked.times >= leg.start) & (looked.times <= until)
    if not window.any():  # the run ended before it
        window = looked.times >= looked.times[-1]
    touching = _touching(run.steps, run.steps.contacts, leg.start, until)
    entering, leaving = _phases(_touching(run.steps, run.steps.gives_way, leg.start, until), until)
    first = next((since for since, contacts in touching if contacts), until)
    meeting = None if entering is None or first >= entering[0] else (first, entering[0])
    ended = float(run.steps.times[-1])
    stop = min(leg.start + leg.duration, ended)
    cause: Any = "done" if stop < ended or leg.start + leg.duration == ended else "interrupted"
    detail = f"the run ends at {ended:.4g} s" if cause == "interrupted" else ""
    if cause == "interrupted" and run.locked:
        cause, detail = "jam", f"friction locks at {', '.join(run.locked)}: no load is in balance"
    elif cause == "interrupted" and run.steps.why:
        cause, detail = "jam", run.steps.why
    return LedLeg(
        start=leg.start,
        end=Stop(time=stop, cause=cause, travel=_travel_at(run, stop), detail=detail),
        events=_events(run, touching),
        contact_sequence=tuple(contacts for _, contacts in touching),
        contacts=tuple(
            Interval(from_=since, to=ends, contacts=contacts)
            for (since, contacts), ends in zip(touching, [*(t for t, _ in touching[1:]), until], strict=True)
            if contacts
        ),
        force=_force(run, looked, leg, window),
        entering=None if entering is None else _deviation(run, looked, leg, *entering),
        leaving=None if leaving is None else _deviation(run, looked, leg, *leaving),
        until=max(leg.start, min(until, ended)),
        impacts=tuple(_impact(run, leg, each) for each in run.impacts if leg.start <= each.time < until),
        meeting=None if meeting is None else _deviation(run, looked, leg, *meeting),
        bending=_bending(run, looked, window),
    )


def _bending(run: CoupledRun, looked: History, window: Any) -> tuple[HookBending, ...]:
    """What the beams of hooks endure where it was looked."""
    found = []
    if looked.loads is None:
        return ()
    for k, one in enumerate(run.connections):
        if isinstance(one, HookConnection):
            law, loads = run.system.laws[k], [looked.loads[i][k] for i in np.flatnonzero(window)]
            assert isinstance(law, SmoothHookLaw)
            found.append(one.led_bending(law, loads))
    return tuple(bent for bent in found if bent is not None)


def _impact(run: CoupledRun, leg: StraightLeg, impact: Impact) -> LedImpact:
    before, after = (v[:3] / run.plan.metres for v in (impact.before, impact.after))
    return LedImpact(
        time=impact.time,
        contacts=impact.contacts,
        impulse=_three(run.leader.task_axes.T @ impact.impulse),
        before=float(before @ leg.direction),
        after=float(after @ leg.direction),
        change=float((after - before) @ leg.direction),
        change_of_any=float(np.linalg.norm(after - before)),
    )


def _touching(
    steps: LedSteps, sets: tuple[tuple[str, ...], ...], since: float, until: float
) -> list[tuple[float, tuple[str, ...]]]:
    """From when on what touches, of sets at the ends of steps, between two times."""
    first = max(int(np.searchsorted(steps.times, since, "right")) - 1, 0)
    found = [(since, sets[first])]
    for k in range(first + 1, len(steps.times)):
        if steps.times[k] > until:
            break
        if sets[k] != found[-1][1] or _jumps(steps, k):
            found.append((float(steps.times[k]), sets[k]))
    return found


def _jumps(steps: LedSteps, k: int) -> list[MatingLoad]:
    """The loads of those laws that jumped at the end of a step."""
    return [load for load in steps.memories[k] or () if load.dissipated > 0]


Phase = tuple[float, float]


def _phases(touching: list[tuple[float, tuple[str, ...]]], until: float) -> tuple[Phase | None, Phase | None]:
    """When parts enter, and when they leave each other."""
    loaded = [k for k, (_, contacts) in enumerate(touching) if contacts]
    if not loaded:
        return None, None
    begin, last = touching[loaded[0]][0], loaded[-1]
    if last + 1 == len(touching):  # never released
        return (begin, until), None
    # What lets go last, with rebounds; where nothing else touched before, from the release on.
    first = last
    while first > loaded[0] and touching[first - 1][1] in ((), touching[last][1]):
        first -= 1
    while not touching[first][1]:
        first += 1
    leaves = touching[first][0] if first > loaded[0] else touching[last + 1][0]
    return (begin, leaves), (leaves, until)


def _events(run: CoupledRun, touching: list[tuple[float, tuple[str, ...]]]) -> tuple[Event, ...]:
    found = []
    energy = unit_names(run.mechanism.units).energy.strip()
    for (_, before), (time, after) in pairwise(touching):
        kind: Any = "contact" if not before else "change" if after else "release"
        jumped = _jumps(run.steps, int(np.searchsorted(run.steps.times, time)))
        detail = ""
        if jumped:
            kind = "snap"
            lost, stored = (
                sum(of) for of in zip(*((j.dissipated, j.stored_before) for j in jumped), strict=True)
            )
            detail = f"{measured(lost, energy)} of {measured(stored, energy)} stored are dissipated"
        travel = _travel_at(run, time)
        found.append(Event(time=time, kind=kind, travel=travel, before=before, after=after, detail=detail))
    return tuple(found)


def _travel_at(run: CoupledRun, time: float) -> float:
    """Of the gripper along the first leg [document units]."""
    q, v, _ = run.steps.at(time)
    moved = run.system.gripper_motion(q, v)[0]
    return float(moved[0, :3] @ run.plan.legs[0].direction) / run.plan.metres


def _force(run: CoupledRun, looked: History, leg: StraightLeg, window: Any) -> LedForce:
    force, times = looked.wrench[window, :3], looked.times[window]
    push = -force @ leg.direction
    k = int(np.argmax(push))
    across = force + push[:, None] * leg.direction
    rigid = looked.touching is not None
    apart = [
        float((-part[window, :3] @ leg.direction).max()) if rigid and part is not None else None
        for part in (looked.laws, looked.touching)
    ]
    speed = looked.velocity[window, :3] @ leg.direction
    travel = looked.moved[window, :3] @ run.plan.legs[0].direction / run.plan.metres
    work = float(np.sum((push[1:] * speed[1:] + push[:-1] * speed[:-1]) / 2 * np.diff(times)))
    return LedForce(
        peak=float(push[k]),
        peak_push=float(push[k]),
        peak_at_travel=float(travel[k]),
        peak_at_time=float(times[k]),
        peak_task=_three(run.leader.task_axes.T @ force[k]),
        pull_in=float(push.min()),
        lateral=float(np.linalg.norm(across, axis=1).max()),
        moment=float(np.linalg.norm(looked.wrench[window, 3:], axis=1).max()),
        work=work,
        peak_giving_way=apart[0],
        peak_rigid=apart[1],
    )


def _deviation(run: CoupledRun, looked: History, leg: StraightLeg, since: float, until: float) -> Deviation:
    window = (looked.times >= since) & (looked.times <= until)
    times = looked.times[window]
    off = (looked.velocity[window, :3] - looked.free_velocity[window, :3]) / run.plan.metres
    along = off @ leg.direction
    low, high = int(np.argmin(along)), int(np.argmax(along))
    dip, overshoot = min(0.0, float(along[low])), max(0.0, float(along[high]))
    return Deviation(
        since=since,
        until=until,
        dip=dip,
        dip_at=float(times[low]),
        overshoot=overshoot,
        overshoot_at=float(times[high]),
        largest=max(-dip, overshoot),
        largest_of_any=float(np.linalg.norm(off, axis=1).max()),
    )


def _insertion(run: CoupledRun, looked: History, legs: tuple[LedLeg, ...]) -> GoesIn:
    names = unit_names(run.mechanism.units)
    ask = run.mechanism.ask.mate if run.mechanism.ask is not None else None
    given = (ask or AskMate()).depth
    depth = None if given is None else float(given)
    number = legs_in([leg.direction for leg in run.plan.legs])
    first, last = run.plan.legs[0], run.plan.legs[number - 1]
    ends = last.origin + last.length * last.direction - first.origin
    asked = float(ends @ first.direction) / run.plan.metres
    if run.locked:
        why = f"friction locks at {', '.join(run.locked)}: no load is in balance there"
        return GoesIn(answer="no", why=why, last_leg=number)
    if run.steps.why:
        words = f"at {run.steps.times[-1]:.4g}{names.time} {run.steps.why}"
        return GoesIn(answer="no", why=words, last_leg=number)
    if not run.done:
        words = f"the steps got no further than {run.steps.times[-1]:.4g}{names.time}"
        return GoesIn(answer="no", why=words, last_leg=number)
    if run.grounded is not None:
        time, wall = run.grounded
        words = (
            f"at {time:.4g}{names.time} the groove's ground meets the wall at {wall}, beside the axis; "
            "from there on the ring is followed as if it did not"
        )
        return GoesIn(answer="no", why=words, last_leg=number)
    travel, stands = legs[number - 1].end.travel or 0.0, ""
    if len(legs) == number and last.start + last.duration < run.steps.times[-1]:
        travel, stands = _at_rest(run)
        stands = f", {stands}"
    named = "leg 1" if number == 1 else f"legs 1 to {number}"
    went = f"the gripper goes {travel:.4g} of {asked:.4g}{names.length} asked on {named}{stands}"
    least = _COUNTS_AS_IN * asked if depth is None else depth
    ended = float(run.steps.times[-1])
    if ended < last.start + last.duration and travel < least:
        words = f"the run ends at {ended:.4g}{names.time}, before {named} does, {travel:.4g} of {asked:.4g}"
        return GoesIn(answer="undecided", why=f"{words}{names.length} in", last_leg=number)
    if not any(leg.contacts for leg in legs[:number]):
        why = f"{went}, and the mating parts do not touch"
        return GoesIn(answer="nothing touched", why=why, last_leg=number)
    counts = f"{least:.4g}{names.length} count as in"
    return GoesIn(answer="yes" if travel >= least else "no", why=f"{went}; {counts}", last_leg=number)


def _at_rest(run: CoupledRun) -> tuple[float, str]:
    """The gripper's travel at the run's end, behind the last leg, and whether it stands there."""
    names, leg, end = unit_names(run.mechanism.units), run.plan.legs[-1], float(run.steps.times[-1])
    q, v, _ = run.steps.at(np.array([end]))
    speed = float(run.system.gripper_motion(q, v)[1][0, :3] @ leg.direction)
    after = f"{end - leg.start - leg.duration:.4g}{names.time} after its end"
    if abs(speed) <= _STANDS * run.system.course.fastest:
        return _travel_at(run, end), f"where it stands {after}"
    return _travel_at(run, end), f"{after}; it still moves by {speed / run.plan.metres:.3g}{names.speed}"


def _series(run: CoupledRun) -> dict[str, Floats]:
    """The answer's table."""
    from scipy.spatial.transform import Rotation

    history, leader = run.history(run.rows), run.leader
    names, unit = unit_names(run.mechanism.units), 1 / run.plan.metres
    length, speed, time = names.length.strip(), names.speed.strip(), names.time.strip()
    force, torque = names.force.strip(), names.torque.strip()
    turning = f"rad/{time}" if time else ""
    axes, grip = leader.task_axes, leader.gripper
    columns = {with_unit("time", time): history.times}
    along = run.plan.legs[0].direction
    way = run.system.course.asked(history.times)[0]
    columns[with_unit("travel", length)] = unit * history.moved[:, :3] @ along
    columns[with_unit("asked", length)] = unit * way @ along
    turned = Rotation.from_rotvec(history.moved[:, 3:])
    grasp = turned * Rotation.from_matrix(grip[:3, :3])
    for axis, column in zip("xyz", (unit * (grip[:3, 3] + history.moved[:, :3])).T, strict=True):
        columns[with_unit(axis, length)] = column
    for name, column in zip("wijk", grasp.as_quat(scalar_first=True).T, strict=True):
        columns[name] = column
    both = (("", history.velocity), ("_free", history.free_velocity))
    for ending, velocity in both:
        for k, axis in enumerate("xyz"):
            columns[with_unit(f"v{axis}{ending}", speed)] = unit * velocity[:, :3] @ axes[:, k]
        for k, axis in enumerate("xyz"):
            columns[with_unit(f"turning_{axis}{ending}", turning)] = velocity[:, 3:] @ axes[:, k]
    for k, axis in enumerate("xyz"):
        columns[with_unit(f"F{axis}", force)] = history.wrench[:, :3] @ axes[:, k]
    columns[with_unit("push", force)] = _push(run, history, history.wrench)
    if history.touching is not None:
        columns[with_unit("push_giving_way", force)] = _push(run, history, history.laws)
        columns[with_unit("push_rigid", force)] = _push(run, history, history.touching)
        for k, axis in enumerate("xyz"):
            columns[with_unit(f"F{axis}_rigid", force)] = history.touching[:, :3] @ axes[:, k]
    # The gripper turns little, but its axes do turn with it.
    turned_grip = grasp.as_matrix()
    for part, name, of in ((slice(0, 3), "wrench_f", force), (slice(3, 6), "wrench_m", torque)):
        local = np.einsum("mij,mi->mj", turned_grip, history.wrench[:, part])
        for k, axis in enumerate("xyz"):
            columns[with_unit(f"{name}{axis}", of)] = local[:, k]
    for name, column in run.torques(history).items():
        columns[with_unit(name, torque)] = column
    for name, is_length, column in zip(leader.names, leader.lengths, history.q.T, strict=True):
        columns[with_unit(name, length if is_length else "rad")] = unit * column if is_length else column
    columns |= run.followed_parts
    return {name: np.ascontiguousarray(column) for name, column in columns.items()}


def _push(run: CoupledRun, history: History, wrench: Floats) -> Floats:
    """Against the force, along the leg that is on."""
    starts = np.array([leg.start for leg in run.plan.legs])
    on = np.clip(np.searchsorted(starts, history.times, "right") - 1, 0, None)
    directions = np.array([leg.direction for leg in run.plan.legs])[on]
    return np.asarray(-np.sum(wrench[:, :3] * directions, axis=1))


def _scope(run: CoupledRun, energy: LedEnergy) -> Scope:
    covers = (
        "forces of the mating parts and the motion of what leads them, "
        f"{'in full' if run.dynamics == 'full' else 'linear about the working point'}, {run.stepped_by}; "
        "extremes at 8 places of every step"
    )
    left_out = [*run.leader.left_out, "weight and inertia of what is held, in the wrench"]
    if run.dynamics == "linear" and run.leader.arm is not None:
        left_out.append("what is of second order in the way and the speed: Coriolis torques, turned axes")
    left_out += run.contacts_left_out
    for one in run.connections:
        left_out += one.left_out
    if energy.unbalanced > _UNBALANCED * max(abs(energy.input), abs(energy.mating), 1e-12):
        left_out.append(f"{energy.unbalanced:.2g} J of energy, which the steps lose")
    assumed = [*run.leader.assumed, *(each for one in run.connections for each in one.assumed)]
    for law in run.system.laws:
        assumed += law.assumed if isinstance(law, RememberingLaw) else ()
    assumed += run.contacts_assumed
    if run.smooth_assumed:
        speed = SMOOTH / run.plan.metres
        unit = unit_names(run.mechanism.units).speed
        assumed.append(
            f"friction grows over a sliding speed of {speed:g}{unit} (chosen for Detent, not measured)"
        )
    return Scope(
        certainty="computed", covers=covers, left_out=tuple(dict.fromkeys(left_out)), assumed=tuple(assumed)
    )


def _three(vector: Any) -> tuple[float, float, float]:
    x, y, z = (float(c) for c in vector)
    return x, y, z
