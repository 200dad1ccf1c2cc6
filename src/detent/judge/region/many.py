"""Ten thousand misalignments of a rigid mating, in one batch.

    designs = MisalignedMatings.read("rect_peg_carrier", offsets)    # (n, 3) in document units, world axes
    batch = mate_batch(designs)
    batch["outcome"], batch["depth"], batch["push"]

What moves are the fixed parts, in front of which the peg is led as drawn. Each run is the one of the document
with these parts elsewhere, `designs.document(i)`, to the last digit: features and equations are made once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import listed
from detent.foundation.progress import doing
from detent.judge.region.misaligned import Counterpart, hole_of
from detent.judge.region.peg_runs import OVERLAPS, UNDECIDED, PegEnd, PegTask
from detent.library.mating.force_law import Floats
from detent.model.document.mechanism import Mechanism
from detent.model.machine.pushed.compliant import rings_in
from detent.motion.leading.plan import plan_of
from detent.motion.rigid.mating.machine import ContactMachine, overlapping
from detent.motion.rigid.mating.many import each_run, processors, standing
from detent.motion.rigid.mating.mating_run import RigidMatingRun, prepared
from detent.numeric.threads import on_one_thread
from detent.record.batch import Batch
from detent.record.scope import Scope


@dataclass(frozen=True, eq=False)
class MisalignedMatings:
    """One rigid mating with its fixed parts beside their place, or turned."""

    hole: Counterpart
    offsets: Floats  # (n, 3) in document units, world axes
    turns: Floats  # (n, 3) rotation vectors about `hole.about` [rad], world axes

    @classmethod
    def read(
        cls, mechanism: Mechanism, offsets: Any, tilts_deg: Any = None, *, about: Any = None
    ) -> MisalignedMatings:
        """Offsets in document units; tilts as rotation vectors in degrees, about a point: the middle of the
        fixed parts' box unless given.
        """
        table = {"offsets": offsets, "tilts_deg": np.zeros(3) if tilts_deg is None else tilts_deg}
        for name, given in table.items():
            try:
                table[name] = np.atleast_2d(np.asarray(given, float))
            except (TypeError, ValueError):
                raise ModelError.at(name, "are no rows of numbers", "give (n, 3) numbers") from None
            if table[name].shape[1:] != (3,) or not np.isfinite(table[name]).all():
                problem = f"have the shape {table[name].shape}, or hold what is not finite"
                raise ModelError.at(name, problem, "give (n, 3) numbers, a row per mating")
        count = max(map(len, table.values()))
        if not all(len(rows) in (1, count) for rows in table.values()):
            problem = f"are {len(table['tilts_deg'])}, and offsets {len(table['offsets'])}"
            raise ModelError.at("tilts_deg", problem, "give one for all, or one for each offset")
        offset, turn = (np.broadcast_to(rows, (count, 3)) for rows in table.values())
        hole = hole_of(plan_of(rigid_parts(mechanism)), None if about is None else np.asarray(about, float))
        return cls(hole, offset, np.radians(turn))

    def __len__(self) -> int:
        return len(self.offsets)

    def elsewhere(self, offsets: Floats, turns: Floats) -> MisalignedMatings:
        """The same mating at other misalignments (n, 3), prepared once for all."""
        other = MisalignedMatings(self.hole, offsets, turns)
        other.__dict__.update(prepared=self.prepared, task=self.task)
        return other

    def document(self, number: int) -> Mechanism:
        """One of them written out, with its first leg alone."""
        return self.hole.misaligned(self.offsets[number], self.turns[number])

    @cached_property
    def prepared(self) -> tuple[ContactMachine, float]:
        """The machine as drawn, and when its runs end."""
        return prepared(self.hole.misaligned(np.zeros(3), np.zeros(3)))

    @cached_property
    def task(self) -> PegTask:
        return PegTask(self.prepared[0])

    def poses(self, number: int) -> Floats:
        """(bodies, 3, 4) of one of them."""
        machine = self.prepared[0]
        poses = machine.drawn.copy()
        for part in self.hole.parts:
            frame = self.hole.frame(part, self.offsets[number], self.turns[number])
            poses[machine.names.index(part)] = frame[:3]
        return poses


def rigid_asked(mechanism: Mechanism) -> bool:
    """Whether the document asks for a mating of rigid parts over time."""
    ask = mechanism.ask.mate if mechanism.ask is not None else None
    return ask is not None and ask.method == "rigid" and not rings_in(mechanism)


def rigid_parts(mechanism: Mechanism) -> Mechanism:
    """The document, refused where its mating is not one of rigid parts over time."""
    rings = rings_in(mechanism)
    if not rigid_asked(mechanism):
        problem = "its mating is not one of rigid parts over time"
        if rings:
            problem = f"{listed(list(rings))} gives way"
        raise UnsupportedError(problem, 'ask of a document with method = "rigid"', "ask.mate.method")
    return mechanism


@on_one_thread
def mate_batch(designs: MisalignedMatings) -> Batch:
    """Every mating, over the processors that there are.

    Columns: `outcome` (in, jammed, wedged, blocked at the rim, missed the chamfer, undecided, overlaps where
    parts begin in each other), the tip's `depth`, `travel` along the leg, the largest mean `push` against it,
    whether anything `touched`, the deepest `overlap` at ends of steps.
    """
    ends = ends_of(designs)
    machine = designs.prepared[0]
    scale = 1 / designs.hole.plan.metres
    columns = {
        "outcome": np.array([end.outcome for end in ends], dtype="<U18"),
        "depth": scale * np.array([end.depth for end in ends]),
        "travel": scale * np.array([end.travel for end in ends]),
        "push": np.array([end.push for end in ends]),
        "touched": np.array([end.touched for end in ends], dtype=bool),
        "overlap": np.array([end.overlap for end in ends]),
    }
    units = machine.mechanism.units
    return Batch(
        columns=columns,
        reasons=tuple(end.why if end.outcome in (UNDECIDED, OVERLAPS) else "" for end in ends),
        counts={"designs": len(ends), "processors": processors()},
        units={"depth": units, "travel": units, "push": "N", "overlap": "um"},
        shared={"misaligned": designs.hole.parts, "about": designs.hole.about.tolist()},
        scope=Scope(
            certainty="computed",
            covers=f"each of these misalignments by itself, stepped at {machine.step:g} s as `mate` does; "
            "between them nothing is known",
            left_out=machine.leader.left_out,
            assumed=machine.assumed,
        ),
    )


def ends_of(designs: MisalignedMatings) -> list[PegEnd]:
    """How each of them ends."""
    machine, until = designs.prepared
    poses = [designs.poses(number) for number in range(len(designs))]
    ends: dict[int, PegEnd] = {}
    for number, each in enumerate(poses):
        pair = overlapping(standing(machine, each))
        if pair is not None:
            ends[number] = PegEnd(OVERLAPS, f"{pair[1]} is drawn into {pair[0]}")
    apart = [number for number in range(len(poses)) if number not in ends]

    def told(_: int, run: RigidMatingRun) -> PegEnd:
        return designs.task.end(run)

    with doing("mating"):
        found = each_run(machine, until, [poses[number] for number in apart], told)
    ends |= dict(zip(apart, found, strict=True))
    return [ends[number] for number in range(len(poses))]
