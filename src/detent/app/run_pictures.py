"""Pictures of a run over time: its moments, its film with forces, its parts with what acts on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.names import listed
from detent.foundation.units import unit_names

if TYPE_CHECKING:
    from detent.draw.scene.scene import Arrow
    from detent.judge.moments import Moment
    from detent.model.document.mechanism import Mechanism
    from detent.record.instant import Instant
    from detent.record.running import Running

FRAMES = 240  # of a film


def strip_of(mechanism: Mechanism, running: Running, *, forces: bool) -> bytes:
    """The machine at its moments, with a sentence each, and as it ends."""
    from detent.draw.film.strip import strip
    from detent.draw.words.instant import sentence
    from detent.judge.moments import moments_of

    evidence, time = running.run.evidence, unit_names(running.units).time
    moments = moments_of(evidence)
    trajectory = evidence.trajectory_at(np.array([moment.shown for moment in moments]))
    told = {}
    for row, moment in enumerate(moments):
        when = f"{moment.begin:.4g} to {moment.end:.4g}{time}"
        told[row] = [f"{when}: {sentence(moment.instant)}", *_beside(moment, time)]
    assert running.stop is not None
    detail = f" ({running.stop.detail})" if running.stop.detail else ""
    told[len(moments) - 1].append(f"shown as the run ends: {running.stop.cause}{detail}")
    arrows = _arrows(mechanism, [moment.instant for moment in moments]) if forces else None
    return strip(mechanism, trajectory, told=told, arrows=arrows)


def _beside(moment: Moment, time: str) -> list[str]:
    """What happens in a moment that its sentence does not tell: blows, and stretches that are passed over."""
    said = []
    if moment.blows:
        each = [
            f"{count} {'blow' if count == 1 else 'blows'} of {' and '.join(parts)}"
            for parts, count in moment.blows.items()
        ]
        said.append(f"and {listed(each)}")
    if moment.passed:
        stretches = "1 stretch" if moment.passed == 1 else f"{moment.passed} stretches"
        otherwise = f"of less than {moment.brief:.2g}{time}, in which it stands otherwise"
        said.append(f"not shown: {stretches} {otherwise}")
    return said


def film_of(mechanism: Mechanism, running: Running, kind: str, *, forces: bool) -> bytes:
    """The film, with the forces of contacts where they are asked for."""
    from detent.app import films

    trajectory = running.run.finer(FRAMES)
    if not forces:
        return films.film_of(mechanism, trajectory, kind)
    from detent.judge.instants import instants_of

    instants = instants_of(running.run.evidence, [float(t) for t in trajectory.times])
    return films.film_of(mechanism, trajectory, kind, arrows=_arrows(mechanism, instants))


def _arrows(mechanism: Mechanism, instants: Sequence[Instant]) -> dict[int, list[Arrow]]:
    """By row: forces of contacts, by one scale for all."""
    from detent.draw.machine.free_body import contact_arrows, size_of
    from detent.draw.machine.machine import machine_scene

    pushes = (each.force for instant in instants for each in instant.contacts)
    strongest = max((force for force in pushes if math.isfinite(force)), default=0.0)
    size = size_of(machine_scene(mechanism))
    return {row: contact_arrows(instant.contacts, strongest, size) for row, instant in enumerate(instants)}


def free_bodies(mechanism: Mechanism, running: Running, parts: Sequence[str]) -> bytes:
    """Parts at the instants that were asked for, each alone with what acts on it."""
    from detent.draw.film.strip import sheet
    from detent.draw.machine.free_body import free_body_scene

    shown = list(parts) or [name for name, part in mechanism.parts.items() if not part.fixed]
    evidence = running.run.evidence
    shots = []
    for instant in running.instants:
        row = evidence.trajectory_at(np.array([instant.time]))
        poses = {name: column[0] for name, column in row.poses.items()}
        shots += [(free_body_scene(mechanism, poses, instant, part), [""]) for part in shown]
    return sheet(shots, mechanism.title or "what acts on each part")
