"""A fan of pulls: every direction between two, with boundaries between those that hold and those that do not.

The fan is divided until of each piece all pulls at once are shown to come apart, or all to be held
(`enclosing.py`). What is left between two pieces shrinks onto a direction at which something changes. Where
the outcome does, exact predictions on both sides close in on it; where it does not, the sliver is named.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Any

from msgspec import UNSET

from detent.foundation.errors import ModelError
from detent.foundation.progress import doing, reached
from detent.judge.apart import Apart
from detent.judge.diodes.enclosing import EnclosedPulls, Outcome, reaches_goal, wedge_of_pulls
from detent.judge.diodes.pulls import escaped
from detent.model.document.ask import Between
from detent.motion.quasistatic.decide import DecidedRuns
from detent.motion.quasistatic.enclosed.states import Work
from detent.motion.quasistatic.machine.angle import WrittenAngle, written
from detent.motion.quasistatic.machine.fasteners import Fastener
from detent.numeric.rational import flint_of
from detent.record.amount import Force
from detent.record.holding.fan import Fan, FanBoundary, FanOutcome, FanPiece
from detent.record.mating import LEADS_AWAY, Escape

# [rad] Pieces are divided down to this, and what is left open there is a sliver.
SLIVER = 1e-6
MOST_SLIVERS = 64  # side by side; more are a piece of which directions are only tried
WIDEST = math.radians(8)  # of a piece: wedges of a whole fan are enclosed too loosely
LOCATED = 1e-13  # [rad] between the exact predictions on both sides of a boundary
MOST_STEPS = 150_000  # of enclosures, unless the document says otherwise; beyond, directions are only tried
TRIED = 12  # directions of a piece, for its forces
WIDE_BOXES = 64.0  # as enclosures are tried again where those of the usual size leave a piece open


@dataclass(frozen=True)
class _Piece:
    first: float
    last: float
    outcome: FanOutcome
    proved: bool


class FanOfPulls:
    """Pulls out of the assembled state of one fastener in all directions between two angles [rad]."""

    def __init__(self, runs: DecidedRuns, machine: Fastener, goal: Apart, asked: Between) -> None:
        self.runs, self.machine, self.goal = runs, machine, goal
        self.first, self.last = _ends(asked)
        self._refuse()
        self.work = Work(MOST_STEPS if asked.most_steps is None else asked.most_steps)
        self.enclosed = EnclosedPulls(machine, goal.legs[-1].pawl_runs, self.work)
        self.known: dict[float, Escape] = {}

    def decide(self) -> Fan:
        """The whole fan."""
        with doing("fan of directions"):
            pieces = [self._looked_at(piece) for piece in self._merged(self._pieces())]
        boundaries = self._boundaries(pieces)
        slivers = [p for p in pieces if not p.proved and p.last - p.first <= MOST_SLIVERS * SLIVER]
        told = tuple(self._told(piece) for piece in pieces if piece not in slivers)
        whole = self.last - self.first
        free = sum(p.last - p.first for p in pieces if p.proved and p.outcome == "apart")
        proved = sum(p.last - p.first for p in pieces if p.proved)
        forced = [(each.least, each.least_at) for each in told if each.least is not UNSET]
        weakest: Any = min(forced, key=lambda each: float(each[0]), default=(UNSET, UNSET))
        return Fan(
            from_=self.first,
            to=self.last,
            pieces=told,
            boundaries=boundaries,
            share_apart=(free / whole, min(1.0, (free + whole - proved) / whole)),
            share_proved=min(1.0, proved / whole),
            slivers=tuple(((p.first + p.last) / 2, (p.last - p.first) / 2) for p in slivers),
            weakest=weakest[1],
            weakest_force=weakest[0],
            steps=self.work.steps,
            most_steps=self.work.most,
        )

    def _refuse(self) -> None:
        """Refuse a fan that cannot be asked for."""
        v = self.goal.insertion
        push = math.atan2(float(v[1]), float(v[0]))
        turns = math.ceil((self.first - push) / (2 * math.pi) - 1e-12)
        if push + 2 * math.pi * turns <= self.last + 1e-12:
            raise ModelError.at(
                "ask.mate.fan",
                f"contains the direction of the push, {math.degrees(push) % 360:.6g}°, which only leads in",
                "give the directions that lead out, as from_deg and to_deg on either side of straight back",
            )

    def _pieces(self) -> list[_Piece]:
        """From the first angle to the last, each piece proved, or too small to be divided.

        The widest first, so that where the work allowed is done no side of the fan is left out.
        """
        count = math.ceil((self.last - self.first) / WIDEST)
        ends = [self.first + (self.last - self.first) * k / count for k in range(count)] + [self.last]
        widest = [(a - b, a, b) for a, b in pairwise(ends)]
        heapify(widest)
        pieces: list[_Piece] = []
        open_ = self.last - self.first
        while widest:
            _, first, last = heappop(widest)
            share = 100 * open_ / (self.last - self.first)
            reached(self.work.steps, self.work.most, f"{share:.2g} % still open")
            outcome = self._enclosed(first, last)
            if outcome is not None:
                pieces.append(_Piece(first, last, outcome, True))
                open_ -= last - first
            elif last - first <= SLIVER or self.work.spent:
                pieces.append(_Piece(first, last, "holds", False))
            else:
                middle = (first + last) / 2
                heappush(widest, (first - middle, first, middle))
                heappush(widest, (middle - last, middle, last))
        return sorted(pieces, key=lambda piece: piece.first)

    def _looked_at(self, piece: _Piece) -> _Piece:
        """A piece of which nothing is proved, with what directions in it come to: apart where one does."""
        if piece.proved:
            return piece
        found = {self._tried(angle) for angle in self._angles(piece)}
        outcome: FanOutcome = "apart" if "apart" in found else "holds" if "holds" in found else "leads away"
        return replace(piece, outcome=outcome)

    @staticmethod
    def _angles(piece: _Piece) -> list[float]:
        """The directions of a piece that are tried, for its forces, or for want of a proof."""
        wide = piece.last - piece.first
        small = wide <= MOST_SLIVERS * SLIVER
        count = 1 if small or (piece.proved and piece.outcome != "apart") else TRIED
        return [piece.first + wide * (k + 0.5) / count for k in range(count)]

    def _enclosed(self, first: float, last: float) -> FanOutcome | None:
        """What all directions of a piece come to; None where that stays open."""
        pushes = wedge_of_pulls(self.goal, first, last)
        if self.goal.outline is None and self._away(pushes):
            return "leads away"
        until = reaches_goal(self.goal, pushes, self.machine)
        if until is None:
            return None
        outcome: Outcome | None = self.enclosed.outcome(pushes, until)
        if outcome is None and last - first < 1e3 * SLIVER:
            outcome = self.enclosed.outcome(pushes, until, wider=WIDE_BOXES)
        return outcome

    def _away(self, pushes: Any) -> bool:
        """Whether all directions of a wedge lead away from where it counts as apart."""
        v = [float(each) for each in self.goal.insertion]
        corners = (pushes.velocity - pushes.tilt[0], pushes.velocity + pushes.tilt[0])
        return all(float(each @ v) >= -1e-15 for each in corners)

    def pulled(self, angle: float) -> Escape:
        """The exact prediction of one pull, in the direction of the doubles nearest to an angle."""
        if angle not in self.known:
            direction = tuple(flint_of(Fraction(each)) for each in (math.cos(angle), math.sin(angle)))
            self.known[angle], _ = escaped(
                self.runs,
                self.machine,
                (direction[0], direction[1]),
                self.goal,
                f"{math.degrees(angle):.9g}°",
            )
        return self.known[angle]

    def _tried(self, angle: float) -> FanOutcome:
        escape = self.pulled(angle)
        if escape.cause == LEADS_AWAY:
            return "leads away"
        return "apart" if escape.apart else "holds"

    def _merged(self, pieces: list[_Piece]) -> list[_Piece]:
        """Proved pieces side by side that come to the same are one, and so are those that are not proved."""
        merged: list[_Piece] = []
        for piece in pieces:
            last = merged[-1] if merged else None
            alike = last is not None and (last.proved, last.outcome) == (piece.proved, piece.outcome)
            if last is not None and (alike or not (last.proved or piece.proved)):
                merged[-1] = _Piece(last.first, piece.last, last.outcome, last.proved)
            else:
                merged.append(piece)
        return merged

    def _boundaries(self, pieces: list[_Piece]) -> tuple[FanBoundary, ...]:
        """Where proved pieces on either side of what is open come to something else."""
        proved = [piece for piece in pieces if piece.proved]
        boundaries = []
        for one, other in pairwise(proved):
            if one.outcome != other.outcome:
                boundaries.append(self._boundary(one, other))
        return tuple(boundaries)

    def _boundary(self, one: _Piece, other: _Piece) -> FanBoundary:
        low, high = one.last, other.first
        if low == high:
            low, high = low - LOCATED, high + LOCATED
        while high - low > max(LOCATED, 4e-16 * abs(high)):
            middle = (low + high) / 2
            if not low < middle < high:
                break
            if self._tried(middle) == one.outcome:
                low = middle
            else:
                high = middle
        ways = tuple((math.cos(angle), math.sin(angle)) for angle in (low, high))
        return FanBoundary(
            angle=(low + high) / 2,
            low=low,
            high=high,
            before=self.pulled(low).cause,
            after=self.pulled(high).cause,
            directions=(ways[0], ways[1]),
        )

    def _told(self, piece: _Piece) -> FanPiece:
        """A piece for the record, with forces of some pulls in it."""
        if piece.outcome == "leads away":
            return FanPiece(from_=piece.first, to=piece.last, outcome=piece.outcome, proved=piece.proved)
        angles = self._angles(piece)
        pulls = [(self.pulled(angle), angle) for angle in angles]
        forces = [(each.force, angle) for each, angle in pulls if each.force is not UNSET]
        least: tuple[Any, Any] = min(forces, key=lambda each: float(each[0]), default=(UNSET, UNSET))
        held = [each.cause for each, _ in pulls if not each.apart]
        return FanPiece(
            from_=piece.first,
            to=piece.last,
            outcome=piece.outcome,
            proved=piece.proved,
            cause=held[0] if held else UNSET,
            tried=len(angles),
            least=least[0] if least[0] is UNSET else Force(least[0]),
            least_at=least[1],
        )


def _ends(asked: Between) -> tuple[float, float]:
    """The two angles [rad], the second after the first, less than a whole turn on."""
    degrees = asked.from_deg is not None or asked.to_deg is not None
    first, last = (
        float(_written(each, degrees))
        for each in ((asked.from_deg, asked.to_deg) if degrees else (asked.from_, asked.to))
    )
    if not 0 < last - first < 2 * math.pi:
        raise ModelError.at(
            "ask.mate.fan",
            f"goes from {math.degrees(first):.6g}° to {math.degrees(last):.6g}°, which is no fan",
            "give a second angle that is larger, by less than a whole turn",
        )
    return first, last


def _written(value: Any, degrees: bool) -> WrittenAngle:
    return written(value, None) if degrees else written(None, value)
