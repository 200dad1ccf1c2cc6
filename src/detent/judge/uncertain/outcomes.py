"""Every outcome of the first leg from uncertain starts in uncertain directions.

Starts that differ only along the push come to the same, since at rest nothing happens until the first
contact: what counts is the offset across it. Offsets and tilts are divided into boxes until all pushes of a
box are shown to end in the same way (`motion/quasistatic/enclosed`); from the middle of what is proved an
exact prediction is made, so that what is called possible is reached.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from detent.foundation.progress import doing, reached
from detent.judge.diodes.enclosing import EnclosedPulls
from detent.judge.uncertain.contacts import first_contacts
from detent.judge.uncertain.plans import sampled_plans
from detent.judge.uncertain.starts import Starts, starts_of
from detent.model.document.ask import Uncertain
from detent.motion.quasistatic.enclosed.pairs import StraightPushes
from detent.motion.quasistatic.enclosed.states import OpenError, Work
from detent.motion.quasistatic.exact.legs import StraightPush, run_leg
from detent.motion.quasistatic.exact.pawl import PawlRun
from detent.motion.quasistatic.fastener_run import FastenerRun
from detent.motion.quasistatic.slice.table import SlicePoint
from detent.numeric.polynomial.algebraic import real
from detent.numeric.rational import flint_of
from detent.record.holding.uncertain import Said, UncertainOutcome, UncertainStart, WhereItIs

OUTCOMES = ("done", "blocked", "jam", "stick", "limit")
# Of the whole width of offsets, and of tilts: boxes are divided down to this.
SLIVER = 1e-5
MOST_LEFT = 5e-3  # of all offsets and tilts: so much may stay open beside what is told of all
MOST_BOXES = 400
MOST_STEPS = 30_000  # of enclosures, unless the document says otherwise; boxes not reached stay open
MOST_TRIED = 32  # exact predictions from the middles of boxes that stay open, the widest first


@dataclass(frozen=True)
class _Box:
    offset: tuple[float, float]
    tilt: tuple[float, float]
    ends: frozenset[str]  # what it may come to; empty where that is open

    @property
    def told(self) -> WhereItIs:
        return WhereItIs(offset=self.offset, tilt=self.tilt)


def uncertain_outcomes(evidence: FastenerRun, asked: Uncertain) -> UncertainStart:
    """What the first leg may come to."""
    machine, leg = evidence.fastener, evidence.plan.legs[0]
    starts = starts_of(machine, leg, asked)
    follow = _Follow(evidence, starts, Work(MOST_STEPS if asked.most_steps is None else asked.most_steps))
    with doing("uncertain starts"):
        boxes = follow.boxes()
    area = _area(starts.offset, (-starts.tilt, starts.tilt))
    decided = [box for box in boxes if len(box.ends) == 1]
    with doing("predictions from uncertain starts"):
        outcomes = tuple(_outcome(each, boxes, decided, area, follow) for each in OUTCOMES)
    return UncertainStart(
        offset=starts.offset,
        tilt=(-starts.tilt, starts.tilt),
        turned=starts.turned,
        outcomes=tuple(each for each in outcomes if each is not None),
        first_contacts=first_contacts(machine, starts),
        share_proved=min(1.0, sum(_area(box.offset, box.tilt) for box in decided) / area),
        slivers=tuple(box.told for box in boxes if len(box.ends) != 1),
        boxes=follow.count,
        steps=follow.work.steps,
        most_steps=follow.work.most,
        tried=len(follow.tried),
        plans=sampled_plans(machine, starts),
    )


def _outcome(
    outcome: str, boxes: list[_Box], decided: list[_Box], area: float, follow: _Follow
) -> UncertainOutcome:
    where = _joined([box for box in decided if outcome in box.ends])
    share = sum(_area(box.offset, box.tilt) for box in where) / area
    left = [box for box in boxes if len(box.ends) != 1]
    may = [box for box in left if not box.ends or outcome in box.ends]
    slivers = sum(_area(box.offset, box.tilt) for box in may) <= MOST_LEFT * area
    all_left = sum(_area(box.offset, box.tilt) for box in left) <= MOST_LEFT * area
    said: Said
    if where and all_left and len(decided) == sum(outcome in box.ends for box in decided):
        said = "always"
    elif any(follow.exactly(box) == outcome for box in (*where, *_widest(may))):
        said = "possibly"
    else:
        said = "never" if slivers else "not excluded"
    if said == "never" and not may and not where:
        share = 0.0
    return UncertainOutcome(outcome=outcome, said=said, where=tuple(b.told for b in where), share=share)


def _widest(boxes: list[_Box]) -> list[_Box]:
    """So many boxes as are tried; the same for every outcome of which nothing is proved."""
    return sorted(boxes, key=lambda box: (-_area(box.offset, box.tilt), box.offset, box.tilt))[:MOST_TRIED]


def _joined(boxes: list[_Box]) -> list[_Box]:
    """Boxes side by side in offset, of one range of tilts, are one."""
    joined: list[_Box] = []
    for box in sorted(boxes, key=lambda each: (each.tilt, each.offset)):
        last = joined[-1] if joined else None
        if last is not None and last.tilt == box.tilt and last.offset[1] == box.offset[0]:
            joined[-1] = _Box((last.offset[0], box.offset[1]), box.tilt, box.ends)
        else:
            joined.append(box)
    return joined


def _area(offset: tuple[float, float], tilt: tuple[float, float]) -> float:
    wide, high = offset[1] - offset[0], tilt[1] - tilt[0]
    return (wide or 1.0) * (high or 1.0)


class _Follow:
    """Boxes of offsets and tilts, followed and predicted."""

    def __init__(self, evidence: FastenerRun, starts: Starts, work: Work) -> None:
        self.evidence, self.starts, self.work = evidence, starts, work
        rest = SlicePoint(real(0), 0, real(0))
        self.rests = tuple(PawlRun(end=rest) for _ in evidence.fastener.pawls)
        self.enclosed = EnclosedPulls(evidence.fastener, self.rests, work)
        self.count = 0
        self.tried: dict[_Box, str] = {}

    def boxes(self) -> list[_Box]:
        """The whole of offsets and tilts, divided."""
        starts = self.starts
        whole = (starts.offset, (-starts.tilt, starts.tilt))
        widths = [max(high - low, 1e-300) for low, high in whole]
        work = [whole]
        done: list[_Box] = []
        while work:
            offset, tilt = work.pop(0)  # the widest are the oldest
            spent = self.work.spent or self.count >= MOST_BOXES
            reached(self.work.steps, self.work.most, f"{len(done)} boxes done, {len(work) + 1} to do")
            ends = frozenset() if spent else self._ends(offset, tilt)
            shares = [(high - low) / width for (low, high), width in zip((offset, tilt), widths, strict=True)]
            if len(ends) == 1 or max(shares) <= SLIVER or spent:
                done.append(_Box(offset, tilt, ends))
            elif shares[0] >= shares[1]:
                middle = sum(offset) / 2
                work += [((offset[0], middle), tilt), ((middle, offset[1]), tilt)]
            else:
                middle = sum(tilt) / 2
                work += [(offset, (tilt[0], middle)), (offset, (middle, tilt[1]))]
        return done

    def pushes(self, offset: tuple[float, float], tilt: tuple[float, float]) -> tuple[StraightPushes, float]:
        """All pushes of a box from the rearmost start, and how far the foremost is from there."""
        starts = self.starts
        rear, front = starts.advances(*offset)
        one, other = (self._direction(angle) for angle in tilt)
        place = rear * starts.forward + sum(offset) / 2 * starts.left
        spread = np.array([(offset[1] - offset[0]) / 2 * starts.left, [0.0, 0.0]])
        return StraightPushes(
            place, (one + other) / 2, spread, np.array([[0.0, 0.0], (other - one) / 2])
        ), front - rear

    def _direction(self, angle: float) -> Any:
        starts = self.starts
        return starts.speed * (math.cos(angle) * starts.forward + math.sin(angle) * starts.left)

    def _ends(self, offset: tuple[float, float], tilt: tuple[float, float]) -> frozenset[str]:
        """What pushes of a box may end in; empty where that stays open."""
        self.count += 1
        pushes, along = self.pushes(offset, tilt)
        later = along / self.starts.speed
        until = (self.starts.lasts, self.starts.lasts + later)
        kinds: set[str] = set()
        try:
            root = self.enclosed.ends(len(self.rests), pushes, until)
            if root.stopped:
                first, last = (
                    each(times)
                    for each, times in zip((min, max), zip(*root.blocked, strict=True), strict=True)
                )
                until = (first, until[1] if root.done else last)
            stopped = False
            for index in range(len(self.rests)):
                ends = self.enclosed.ends(index, pushes, until)
                kinds |= ends.stopped
                stopped = stopped or not ends.done
        except OpenError:
            return frozenset()
        whole = root.stopped | ({"done"} if root.done else set())
        return frozenset(kinds if stopped else kinds | whole)

    def exactly(self, box: _Box) -> str:
        """The exact prediction from the middle of a box."""
        if box not in self.tried:
            reached(len(self.tried))
            self.tried[box] = self._predicted(box)
        return self.tried[box]

    def _predicted(self, box: _Box) -> str:
        starts, machine = self.starts, self.evidence.fastener
        offset = sum(box.offset) / 2
        rear, front = starts.advances(offset, offset)
        place = (rear + front) / 2 * starts.forward + offset * starts.left
        velocity = self._direction(sum(box.tilt) / 2)
        shift, speed = ([flint_of(Fraction(float(each))) for each in pair] for pair in (place, velocity))
        line = StraightPush((shift[0], shift[1]), (speed[0], speed[1]), real(0))
        run = run_leg(machine, line, real(Fraction(starts.lasts)), self.rests)
        return run.cause
