"""What does this machine do over time? The answer, read from a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import structs

from detent.foundation.errors import ModelError
from detent.foundation.units import unit_names
from detent.model.machine.mass import assumed_thickness
from detent.motion.methods import method_of
from detent.motion.prediction import predict
from detent.record.running import ContactTotal, Running
from detent.record.scope import Scope

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.motion.methods import Method
    from detent.record.run import Run

ROWS = 600
MOST_ROWS = 1_000_000
# Where extremes of coordinates are looked for between rows: so many looks per step.
_LOOKS = 8
# Of the energy that moves: an account that is open by more has something that is not counted.
_BALANCED = 1e-3


def run(
    mechanism: Mechanism,
    *,
    method: Method | None = None,
    until: float | None = None,
    every: float | None = None,
    times: Sequence[float] | None = None,
    drives: Mapping[str, Drive] | None = None,
) -> Running:
    """The machine over time, by the method given, else by the one that the document asks for, else rigid."""
    ask = mechanism.ask.run if mechanism.ask is not None else None
    by = method if method is not None else method_of(mechanism, "run")
    until = until if until is not None else (None if ask is None or ask.until is None else float(ask.until))
    if until is None:
        raise ModelError.at(
            "ask.run.until", "is missing: how long is it to run?", "add `until` [s], or give --until"
        )
    every = every if every is not None else (None if ask is None or ask.every is None else float(ask.every))
    if times is None and ask is not None and ask.times is not None and every is None:
        times = [float(t) for t in ask.times]
    made = predict(mechanism, method=by, drives=drives, until=until)
    return running_of(made, mechanism, _rows(made, until, every, times))


def _rows(made: Run, until: float, every: float | None, times: Sequence[float] | None) -> Any:
    end = made.evidence.along.end
    if times is not None:
        rows = np.array(sorted(times), float)
        if not np.isfinite(rows).all() or (rows < 0).any():
            raise ModelError.at("times", "are not times of a run", "give seconds from 0 on")
        return rows[rows <= end * (1 + 1e-12)]
    if every is None:
        return np.linspace(0.0, end, ROWS + 1)
    if not (np.isfinite(every) and every > 0) or until / every > MOST_ROWS:
        raise ModelError.at("every", f"{every} does not give rows", "give seconds between rows")
    return (
        np.append(np.arange(0.0, end, every), end) if end % every else np.arange(0.0, end + every / 2, every)
    )


def running_of(made: Run, mechanism: Mechanism, rows: Any) -> Running:
    """The answer at some times of a run."""
    evidence = made.evidence
    trajectory = evidence.trajectory_at(rows)
    forces = evidence.contact_forces(rows)
    return Running(
        times=trajectory.times,
        states=trajectory.coordinates,
        velocities=trajectory.speeds,
        forces=forces,
        energy=trajectory.energy,
        events=trajectory.events,
        stop=trajectory.stop,
        steps=len(evidence.along.steps),
        ranges=_ranges(evidence),
        energy_minima=evidence.energy_minima,
        contacts=_totals(trajectory.events, forces),
        scope=_with_thickness(_with_open_account(evidence, rows, mechanism.units), mechanism),
        method=trajectory.method,
        notes=trajectory.notes,
        units=mechanism.units,
        state_units=trajectory.coordinate_units,
        title=mechanism.title,
        speed_ran=trajectory.speed_ran,
    ).computed_from(made)


def _ranges(evidence: Any) -> dict[str, tuple[float, float]]:
    """Least and greatest of each coordinate: at the ends of steps, and between them where it turns back."""
    along = evidence.along
    shares = np.linspace(0.0, 1.0, _LOOKS + 1)
    begins, lengths = along.steps[:, 0], along.steps[:, 1] * along.steps[:, 2]
    looks = np.unique(begins[:, None] + lengths[:, None] * shares)
    columns = along.at(looks).coordinates
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
    if abs(worst) <= _BALANCED * moved:
        return scope
    amount = f"{abs(worst):.4g}{unit_names(units).energy}"
    words = f"{amount} that drives at a speed or friction at contacts {'put in' if worst > 0 else 'took'}"
    return structs.replace(scope, left_out=(*scope.left_out, words))


def _with_thickness(scope: Scope, mechanism: Mechanism) -> Scope:
    """The scope with how thick flat parts with a density were taken to be."""
    moving = [name for name, part in mechanism.parts.items() if not part.fixed]
    return structs.replace(scope, assumed=(*scope.assumed, *assumed_thickness(mechanism, moving)))


def _totals(events: Any, forces: Mapping[str, Any]) -> tuple[ContactTotal, ...]:
    seen: dict[str, list[Any]] = {}
    for event in events:
        if event.kind in ("contact", "impact"):
            seen.setdefault(event.after[0], []).append(event)
    totals = [
        ContactTotal(
            contact=name,
            parts=(events_of[0].subjects[0], events_of[0].subjects[1]),
            count=len(events_of),
            peak_force=float(np.max(forces[name], initial=0.0)) if name in forces else 0.0,
            peak_impulse=max((event.impulse or 0.0) for event in events_of),
        )
        for name, events_of in seen.items()
    ]
    return tuple(totals)
