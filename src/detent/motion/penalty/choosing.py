"""A run of the penalty method from a document, with the stiffness and damping given or chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from detent.contact.candidate import Candidates, candidates
from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.progress import doing, reached
from detent.mechanics.closing_rows import COORDINATE
from detent.mechanics.tree import Tree, loop_tables, tree_of
from detent.mechanics.tree_kernels import mass_and_force, place_tree, plane_state
from detent.model.machine.system import compile_system
from detent.motion.penalty.log import joined
from detent.motion.penalty.penalty_run import DEEPEST_OF_SIZE, WORK, PenaltyRun
from detent.motion.penalty.stepping import (
    DEEPEST,
    FULL,
    MERGED,
    NO_INERTIA,
    NOW,
    OPEN,
    REJECTED,
    STEPS,
    advance,
    begin,
    new_log,
    new_motion,
)
from detent.motion.penalty.stops import stops_of
from detent.motion.penalty.tables import overlapping
from detent.motion.running.along import MOST_KEPT, coordinate_scales
from detent.motion.running.beginning import pairs_in_each_other
from detent.motion.running.driving import Driven, driven_of, pushed
from detent.motion.running.starting import refuse_unsound, start_of
from detent.record.run import Run

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism


_CHOICES = 8  # how often stiffness and damping are chosen at most
_AS_DEEP = 0.7  # of the overlap of parts at most a quarter as stiff: stiffness does not help
# Sliding speed over the size and second, at which friction is nearly all there.
_SLIPPING = 1e-4
# The load sinks in by this share of the overlap allowed.
_SINKING = 0.1
# Damping over stiffness, times the speed at which parts likely meet; and that speed at least, of the likely.
_QUICK = 300.0
_SLOWEST = 1e-3
_ACCURACY = 2e-5
_LOGGED = 4096  # steps that a log has room for


def predict(
    mechanism: Mechanism,
    *,
    stiffness: float | None,
    damping: float | None,
    features: Literal["outline", "primitives"],
    accuracy: float | None,
    drives: Mapping[str, Drive] | None = None,
    until: float | None = None,
) -> Run:
    """Runs a machine over time."""
    if until is None:
        raise UnsupportedError("this method runs over time", "say until when: `until` [s]", "until")
    system = compile_system(mechanism)
    tree = tree_of(system)
    driven = driven_of(tree, mechanism.drives if drives is None else drives, start_of(tree))
    _refuse_plans(driven)
    tree = pushed(tree, driven)
    refuse_unsound(tree)
    left_out = pairs_in_each_other(tree, start_of(tree)[0])
    possible = candidates(system, bounded=features, plane=True, left_out=left_out)
    assert isinstance(possible, Candidates)
    choose = PenaltyChoice(tree, possible, features, accuracy or _ACCURACY, until, driven)
    evidence = choose.run(stiffness, damping)
    return Run(evidence.trajectory, evidence, finer=evidence.trajectory)


def _refuse_plans(driven: Driven) -> None:
    """This method holds coordinates of the tree to one constant speed each."""
    for each in driven.coordinates:
        steady = len(each.pieces) == 1 and each.pieces[0].acceleration == 0.0
        if each.measured.bodies[2] != COORDINATE or not steady:
            words = "the penalty method drives joints that close no loop, at one constant speed"
            raise UnsupportedError(
                words, "use the rigid method, or give `speed` alone", f"drives.{each.drive}"
            )


@dataclass(frozen=True, eq=False)
class PenaltyChoice:
    """What a run needs besides its stiffness, and how that is chosen."""

    tree: Tree
    possible: Candidates
    features: Literal["outline", "primitives"]
    accuracy: float
    until: float
    driven: Driven = field(default_factory=lambda: Driven((), {}, ()))

    def run(self, stiffness: float | None, damping: float | None) -> PenaltyRun:
        """With a stiffness, or with the first that keeps overlaps small; likewise its damping.

        Parts come off each other at 1 / ratio at most, ratio being damping over stiffness. So a ratio far
        above the inverse of the speeds at which parts meet lets nothing rebound: a lever that did would be
        off its lock, or be driven deep between two others.
        """
        size = self.tree.system.size
        force, speed = self.scales()
        chosen = force / (_SINKING * DEEPEST_OF_SIZE * size) if stiffness is None else stiffness
        ratio, most, softer = _QUICK / speed, _QUICK / (_SLOWEST * speed), None
        for choice in range(1, _CHOICES + 1):
            numbered = choice if stiffness is None else 0
            run = self.once(chosen, ratio * chosen if damping is None else damping, numbered)
            deep = stiffness is None and run.deepest > DEEPEST_OF_SIZE * size
            rebounds = damping is None and ratio < most and ratio * run.meeting < 1.0
            if not (deep or rebounds) or choice == _CHOICES:
                break
            if rebounds:
                ratio = min(_QUICK / run.meeting, most)
                continue
            if softer is not None and run.deepest > _AS_DEEP * softer.deepest:
                return softer  # a point that passes another sinks as deep, however stiff
            softer = run
            # Of a blow the overlap goes down with the root of the stiffness, of a load with itself.
            chosen *= max(4.0, 2.0 * (run.deepest / (DEEPEST_OF_SIZE * size)) ** 2)
        return run

    def scales(self) -> tuple[float, float]:
        """A force [N] and a speed [m/s] that springs, weights and inertias of the machine make likely."""
        tree, freedoms = self.tree, self.tree.freedoms
        y, v = start_of(tree)
        state = plane_state(tree.machine)
        place_tree(tree.machine, y, v, state)
        mass, force = np.zeros((freedoms, freedoms)), np.zeros(freedoms)
        mass_and_force(tree.machine, state, mass, force)
        reach, size = coordinate_scales(tree), tree.system.size
        # Of a rotation the arm is likely a tenth of the size.
        arms = np.where(reach == 1.0, 0.1 * size, 1.0)
        forces = np.abs(force) / arms
        masses = np.diag(mass) / arms**2
        strongest = float(forces.max(initial=0.0)) or float(masses.max(initial=1.0))
        moving = masses > 0
        rates = forces[moving] / masses[moving]
        speed = math.sqrt(2 * float(rates.max(initial=0.0)) * 0.1 * size)
        return strongest, max(speed, float(np.abs(v * arms).max(initial=0.0))) or size

    def once(self, stiffness: float, damping: float, choice: int) -> PenaltyRun:
        """One run; logs grow as needed."""
        tree, system = self.tree, self.tree.system
        slipping = _SLIPPING * system.size
        law = np.array([self._law(pair, stiffness, damping, slipping) for pair in self.possible.pairs])
        law = law.reshape(-1, 4)
        y, v = start_of(tree)
        stops = stops_of(tree)
        over = overlapping(
            tree.machine,
            self.possible,
            law,
            primitives=self.features == "primitives",
            size=system.size,
            loops=loop_tables(tree),
            drives=[
                (each.measured.bodies[0], each.pieces[0].speed, each.pieces[0].value)
                for each in self.driven.coordinates
            ],
            stops=stops,
            stop_law=[(stiffness, damping, 0.0, slipping) for _ in stops],
        )
        scales = coordinate_scales(tree)
        moving = new_motion(
            over, scales, until=self.until, accuracy=self.accuracy, first=1e-5 * self.until, y=y, v=v
        )
        log, logs = new_log(tree.freedoms, _LOGGED, _LOGGED), []
        work = 2000 * WORK
        begin.at(work)(over, moving, log)
        with doing("running the machine"):
            while True:
                code = advance.at(work)(over, moving, log)
                if code == NO_INERTIA:
                    raise ModelError.at(
                        "parts", "a part that moves has no inertia", "give mass, inertia or density"
                    )
                logs.append(log)
                if code != FULL or len(logs) * sum(array.nbytes for array in log) > MOST_KEPT:
                    break
                reached(len(logs) * _LOGGED, detail=f"steps, {moving.clock[NOW]:.4g} of {self.until:g} s")
                log = new_log(tree.freedoms, _LOGGED, _LOGGED)
        log = joined(logs)
        count = int(log.counted[STEPS])
        return PenaltyRun(
            tree, self.possible, over, stiffness, damping, self.features, self.accuracy, self.until,
            float(moving.clock[DEEPEST]), float(moving.clock[OPEN]), count,
            int(log.counted[REJECTED]), int(log.counted[MERGED]), choice,
            slipping, log, code == FULL, advance.speed(work),
        )  # fmt: skip

    def _law(self, pair: Any, stiffness: float, damping: float, slipping: float) -> tuple[float, ...]:
        bodies, touching = self.tree.system.bodies, self.tree.system.touching
        friction = touching.friction(bodies[pair[0]].name, bodies[pair[1]].name)
        return stiffness, damping, float(friction or 0), slipping
