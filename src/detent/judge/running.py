"""What does this machine do over time? The answer, read from a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import structs

from detent.foundation.arguments import given, given_each
from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import listed
from detent.foundation.units import unit_names
from detent.geometry.naming import parts_of_contact
from detent.judge.instants import instants_of
from detent.mechanics.axles import gears_as_torques
from detent.model.machine.mass import thickness_of_moving
from detent.model.machine.pushed.compliant import rings_in
from detent.motion.methods import method_of
from detent.motion.prediction import predict
from detent.motion.rigid.method import mates_led_parts
from detent.motion.running.unused import unused_of_contacts
from detent.motion.running.wear import ContactWear
from detent.record.running import ContactTotal, Running
from detent.record.scope import Scope

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.motion.methods import Method
    from detent.motion.running.loads import RunLoads
    from detent.record.run import Run

ROWS = 600
MOST_ROWS = 1_000_000
# Where extremes of coordinates are looked for between rows: so many looks per step.
_LOOKS = 8
# Of the energy that moves: an account that is open by more has something that is not counted.
_BALANCED = 1e-3
# Of the size: a contact that slid less stood still.
_ROUNDING = 1e-12
# Of the time: a row so near to the end is the one there.
_LAST = 1e-12


def run(
    mechanism: Mechanism,
    *,
    method: Method | None = None,
    until: float | None = None,
    every: float | None = None,
    times: Sequence[float] | None = None,
    drives: Mapping[str, Drive] | None = None,
    at: Sequence[float] = (),
) -> Running:
    """The machine over time, by the method given, else by the one that the document asks for, else rigid.

    `at` are times of the instants that are told in full.
    """
    by = method if method is not None else method_of(mechanism, "run")
    until, every, times = rows_asked(mechanism, until, every, times)
    if until is None:
        raise ModelError.at(
            "ask.run.until", "is missing: how long is it to run?", "add `until` [s], or give --until"
        )
    at = given_each("at", at, "give seconds from 0 on")
    refuse_mating(mechanism, drives)
    made = predict(mechanism, method=by, drives=drives, until=until)
    return running_of(made, mechanism, rows_of(made.evidence.along.end, until, every, times), at)


RowsAsked = tuple[float | None, float | None, Sequence[float] | None]


def rows_asked(
    mechanism: Mechanism, until: float | None, every: float | None, times: Sequence[float] | None
) -> RowsAsked:
    """How long it runs and in which rows it is told: as given, else as the document asks."""
    ask = mechanism.ask.run if mechanism.ask is not None else None
    if until is None and ask is not None:
        until = None if ask.until is None else float(ask.until)
    until = None if until is None else given("until", until, "give seconds, above zero")
    if every is not None and times is not None:
        problem = "are given beside `every`; both say which rows there are"
        raise ModelError.at("times", problem, "keep one of the two")
    if times is not None:
        times = given_each("times", times, "give seconds from 0 on")
        if until is not None and max(times, default=0.0) > until:
            problem = f"go on after the run's end at {until:g}"
            raise ModelError.at("times", problem, "give times up to `until`")
    if every is not None:
        every = given("every", every, "give seconds between rows")
    if every is None and times is None and ask is not None:
        every = None if ask.every is None else float(ask.every)
        times = None if ask.times is None else [float(t) for t in ask.times]
        if times and until is not None and min(times) > until:
            problem = f"all lie after the run's end at {until:g}"
            raise ModelError.at("ask.run.times", problem, "let it run longer, or say which rows: `every`")
    return until, every, times


def refuse_mating(mechanism: Mechanism, drives: Mapping[str, Drive] | None = None) -> None:
    """Where parts are mated that give way, or are led by something that does: `mate` answers over time."""
    remedy = "ask `detent mate`: its answer has forces and speeds over time, also of what a robot leads"
    rings = rings_in(mechanism)
    mates = mechanism.ask.mate if mechanism.ask is not None else None
    if rings and (mates is None or mates.method != "rigid"):
        problem = "an O-ring gives way, and is not followed by a run over time"
        raise UnsupportedError(problem, remedy, f"parts.{rings[0]}")
    led = mates_led_parts(mechanism, drives)
    if led is not None:
        problem = (
            "leads along legs what something holds that yields: a mating, which is not a run of a machine"
        )
        raise UnsupportedError(problem, remedy, f"drives.{led}")


def rows_of(end: float, until: float, every: float | None, times: Sequence[float] | None) -> Any:
    """Times of rows of a run that was to go on until then, and ended at `end`."""
    if times is not None:
        rows = np.array(sorted(times), float)
        if not np.isfinite(rows).all() or (rows < 0).any():
            raise ModelError.at("times", "are not times of a run", "give seconds from 0 on")
        reached = rows[rows <= end * (1 + 1e-12)]
        return reached if len(reached) else np.array([end])  # it stopped before: where, is its answer
    if every is None:
        return np.linspace(0.0, end, ROWS + 1)
    if not (np.isfinite(every) and every > 0) or until / every > MOST_ROWS:
        problem = f"{every:g} s does not give rows: one to {MOST_ROWS} of them"
        raise ModelError.at("every", problem, "give seconds between rows")
    rows = every * np.arange(int(end / every * (1 + _LAST)) + 1)
    return np.append(rows[rows < end * (1 - _LAST)], end)


def running_of(made: Run, mechanism: Mechanism, rows: Any, at: Sequence[float] = ()) -> Running:
    """The answer at some times of a run; `at` are instants told in full."""
    evidence = made.evidence
    trajectory = evidence.trajectory_at(rows)
    loads: RunLoads = evidence.loads(rows)
    scope = _with_thickness(_with_open_account(evidence, rows, mechanism.units), mechanism)
    return Running(
        times=trajectory.times,
        states=trajectory.coordinates,
        velocities=loads.speeds_told(trajectory.speeds),
        forces=loads.pushes,
        friction=loads.rubs,
        reactions=loads.reactions,
        torques=loads.torques,
        energy=loads.energy_told(trajectory.energy),
        events=trajectory.events,
        stop=trajectory.stop,
        steps=int((evidence.along.steps[:, 2] > 0.0).sum()),
        ranges=_ranges(evidence),
        energy_minima=evidence.energy_minima,
        contacts=_totals(evidence),
        instants=instants_of(evidence, at),
        scope=structs.replace(
            scope,
            left_out=(
                *scope.left_out,
                *unused_of_contacts(mechanism),
                *evidence.possible.left_out,
                *left_out_of(loads),
            ),
        ),
        method=trajectory.method,
        notes=(*trajectory.notes, *open_forces(loads), *_without_bound(loads)),
        units=mechanism.units,
        size=evidence.tree.system.size / evidence.tree.system.metres_per_unit,
        state_units=trajectory.coordinate_units,
        title=mechanism.title,
        speed_ran=trajectory.speed_ran,
    ).computed_from(made)


def _ranges(evidence: Any) -> dict[str, tuple[float, float]]:
    """Least and greatest of each coordinate: at the ends of steps, and between them where it turns back."""
    along = evidence.along
    columns, _ = along.coordinates_at(along.looks(_LOOKS))
    return {name: (float(column.min()), float(column.max())) for name, column in columns.items()}


def _with_open_account(evidence: Any, rows: Any, units: str) -> Scope:
    """The scope of the run; where energies do not balance, with what is missing among what is left out."""
    scope: Scope = evidence.scope
    times = np.union1d([0.0, evidence.along.end], rows)
    energy = evidence.trajectory_at(times).energy
    gone = energy["dissipated"] + energy["impact"] - energy["input"]
    missing = energy["stored"] + gone - energy["stored"][0]
    moved = float(evidence.along.at(times).kinetic.max()) + float(np.abs(gone).max())
    worst = float(missing[np.argmax(np.abs(missing))])
    if abs(worst) <= _BALANCED * moved or evidence.along.still.all():
        return scope
    amount = f"{abs(worst):.4g}{unit_names(units).energy}"
    words = f"{amount} of energy that came from nowhere" if worst > 0 else f"{amount} of energy that is lost"
    return structs.replace(scope, left_out=(*scope.left_out, words))


def _without_bound(loads: RunLoads) -> tuple[str, ...]:
    if loads.boundless is None:
        return ()
    if loads.boundless.speeds:
        names = listed(list(loads.boundless.speeds))
        return (
            f"speeds of {names} grow without bound at the dead point: so do forces, and what drives give",
        )
    if loads.boundless.force == np.inf and not loads.boundless.rubs:
        return ("forces at the instant at which drives are blocked have no bound: energies are before it",)
    words = "what friction takes and drives give grows without bound at the jam"
    return (f"{words}: energies are those just before",)


def _with_thickness(scope: Scope, mechanism: Mechanism) -> Scope:
    """The scope with how thick flat parts with a density were taken to be."""
    return structs.replace(scope, assumed=(*scope.assumed, *thickness_of_moving(mechanism)))


def _totals(evidence: Any) -> tuple[ContactTotal, ...]:
    """Of every contact that began, or was there from the start and carried something."""
    system = evidence.tree.system
    rounding = _ROUNDING * system.size
    worn: Mapping[str, ContactWear] = evidence.wear
    events = [event for event in evidence.events if event.joint is None]  # stops are of joints
    parts = {event.after[0]: event.subjects for event in events if event.after}
    parts |= {event.before[0]: event.subjects for event in events if event.before}
    names = [*dict.fromkeys(parts), *(name for name in worn if name not in parts and worn[name].impulse > 0)]
    totals = []
    for name in names:
        happened = [event for event in events if name in (*event.before, *event.after)]
        begins = sum(event.kind in ("contact", "impact") for event in happened)
        from_start = not happened or happened[0].kind in ("release", "blocked", "jam")
        blows = [event.impulse or 0.0 for event in happened]
        wear = worn.get(name) or ContactWear()
        first, second = parts.get(name) or parts_of_contact(name)
        totals.append(
            ContactTotal(
                contact=name,
                parts=(first, second),
                count=begins + from_start,
                peak_force=float(wear.peak),
                peak_impulse=float(max(blows, default=0.0)),
                peak_at=float(wear.peak_at),
                impulse=float(wear.impulse + sum(blows)),
                sliding=float(wear.sliding / system.metres_per_unit) if wear.sliding > rounding else 0.0,
            )
        )
    return tuple(totals)


def left_out_of(loads: RunLoads) -> tuple[str, ...]:
    """What reactions do not contain although the machine has it."""
    kinds = {pair.kind for pair in loads.tree.linkage.pairs}
    left_out = []
    if loads.weightless:
        words = (
            f"the mass of {listed(list(loads.weightless))} (inertia alone is given) in reactions of joints"
        )
        left_out.append(words)
    if "gear" in kinds:
        left_out.append("what teeth of gears push apart by their pressure angle, in reactions")
    if torques := gears_as_torques(loads.tree):
        left_out.append(
            f"the forces of teeth of {listed(list(torques))}, in reactions: no part carries both wheels on"
            " axes that lie apart, so that they are told as torques"
        )
    if loads.tree.system.dimension == 3 and kinds:
        left_out.append("reactions out of the plane of motion")
    return tuple(left_out)


def _sharing(loads: RunLoads) -> str:
    """Who divides a load in more than one way; one contact or stop alone does so with joints."""
    stops = [name in loads.stops for name in loads.shared]
    names = [*loads.shared, *(f"friction of {name} at rest" for name in loads.held_by_friction)]
    ways = "that statics divides in more than one way"
    if len(names) == 1:
        return f"{'stop' if stops[0] else 'contact'} {names[0]} shares a load with joints {ways}"
    several = len(stops) > 1
    kinds = "contacts and stops" if any(stops) and not all(stops) else "stop" if all(stops) else "contact"
    return f"{kinds}{'s' if several and ' ' not in kinds else ''} {listed(names)} share a load {ways}"


def open_forces(loads: RunLoads) -> tuple[str, ...]:
    """Reactions and contact forces that statics leaves open, in words."""
    notes = []
    joints = [name for name, rows in loads.reactions.items() if np.isnan(rows).any()]
    if joints:
        notes.append(
            f"reactions of {listed(joints)} are open where they are empty: other joints can carry the same"
        )
    if loads.shared:
        also = f", in reactions of {listed(list(loads.told_one_way))} too" if loads.told_one_way else ""
        notes.append(f"{_sharing(loads)}: one of them is shown{also}")
    if loads.pressed_by_joints:
        each = listed(list(loads.pressed_by_joints))
        notes.append(
            f"joints alone hold parts together at {each}: they touch, and statics leaves open how hard; no"
            " force is shown there, and no friction"
        )
    if loads.held_by_friction and not loads.shared:
        notes.append(
            f"friction of {listed(list(loads.held_by_friction))} at rest holds what statics divides in more"
            " than one way: one of them is shown, in reactions too"
        )
    return tuple(notes)
