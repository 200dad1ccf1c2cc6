"""A plan of straight legs: each pawl's run on each leg, and where the leg ends.

Pawls are independent, so a leg ends where the first of them does, where the
root is blocked, or when it is done. After a jam, a stick or a limit only a leg
straight back can follow; it runs on the same line, from exactly that state.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from flint import arb, ctx, fmpq

from detent.foundation.errors import ModelError
from detent.foundation.progress import doing, reached
from detent.geometry.exact.polygon import ExactLeaf, Point, blocked
from detent.geometry.region import common_region
from detent.model.machine.drawn.overlap import deepest, depth_words
from detent.motion.quasistatic.doubt import Undecided
from detent.motion.quasistatic.exact.pawl import PawlRun, run
from detent.motion.quasistatic.exact.root import collision
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl
from detent.motion.quasistatic.slice.table import Slice, SlicePoint
from detent.numeric.polynomial.algebraic import Real, real, square_root
from detent.numeric.polynomial.balls import nearest
from detent.numeric.rational import flint_of

Cause = Literal["done", "blocked", "jam", "stick", "limit"]
STUCK = ("jam", "stick", "limit")  # only a leg straight back can follow
# Of the machine's size: a run this long still resolves 1/1000 of that size in the
# doubles that filter its pairs; beyond about 1e15 they resolve nothing.
LONGEST = 1e12
INSTANT_BITS = 160  # so that one instant, summed in two ways, is one double


@dataclass(frozen=True)
class StraightPush:
    """Where the root goes: shifted by shift + velocity t, t from `start` on.

    A leg that starts where the leg before got stuck stays on that leg's line;
    `ratio` then takes its times to times of the leg before.
    """

    shift: Point
    velocity: Point
    start: Real
    ratio: Any = None

    def slice(self, pawl: Pawl, until: Real) -> Slice:
        hinge = (pawl.hinge[0] + self.shift[0], pawl.hinge[1] + self.shift[1])
        begin, end = float(self.start), float(until)
        # A little beyond the end, since what follows an event is looked for just after it; and
        # before the start, since free space begins at a rational time.
        span = (begin - 1e-6 * (1 + abs(begin)), end + (end - begin) / 8 + 1e-6 * (1 + abs(end)))
        return Slice(pawl.leaves, pawl.obstacles, hinge, self.velocity, span)


@dataclass(frozen=True)
class LegRun:
    """One leg as it went."""

    line: StraightPush
    began: tuple[Real, ...]  # the instant of its start is the sum of these
    end: Real  # on the line
    cause: Cause
    slices: tuple[Slice, ...]
    pawl_runs: tuple[PawlRun, ...]

    @property
    def exact(self) -> bool:
        """Whether its places are exact; else they are doubles."""
        return all(pawl_run.exact for pawl_run in self.pawl_runs)

    def instant(self, t: Real) -> float:
        """The time [s] at a place on the line, counted from the plan's start."""
        terms = [*self.began, t, -self.line.start]
        with ctx.workprec(INSTANT_BITS):
            return nearest(sum((term.ball(INSTANT_BITS) for term in terms), arb(0)))

    def travel(self, direction: Point, t: Any) -> Any:
        """How far the root is at a place on the line, from where it is drawn, along a direction."""
        size = math.hypot(float(direction[0]), float(direction[1]))
        begun, gained = (
            float(along[0] * direction[0] + along[1] * direction[1])
            for along in (self.line.shift, self.line.velocity)
        )
        return (begun + gained * (float(t) if isinstance(t, Real) else t)) / size


@dataclass(frozen=True)
class PlanRun:
    legs: tuple[LegRun, ...]
    notes: tuple[str, ...]


class Follow(Protocol):
    """Follows one pawl from the end of a run, along a line's times."""

    def __call__(self, index: int, slice_: Slice, before: PawlRun, start: Real, until: Real) -> PawlRun: ...


def exactly(fastener: Fastener) -> Follow:
    """Follow pawls by the exact sweep."""

    def follow(index: int, slice_: Slice, before: PawlRun, start: Real, until: Real) -> PawlRun:
        end = before.end
        assert end is not None
        # On the same line the time is known in the field of the angle, where arithmetic is cheap.
        place = SlicePoint(start if start.rational is not None else end.t, end.half, end.u)
        return run(slice_, place, until, fastener.pawls[index].limits)

    return follow


def run_plan(fastener: Fastener, follow: Follow | None = None) -> PlanRun:
    """Run every leg that can follow the one before; exactly unless another follower is given."""
    with doing("leg"):
        return _run_plan(fastener, follow or exactly(fastener))


def _run_plan(fastener: Fastener, follow: Follow) -> PlanRun:
    pawl_runs: Sequence[PawlRun] = [PawlRun(end=_start(pawl)) for pawl in fastener.pawls]
    _refuse_overlap(fastener, pawl_runs)
    legs: list[LegRun] = []
    notes: list[str] = []
    for index in range(len(fastener.legs)):
        reached(index + 1, len(fastener.legs))
        line, until, problem = _next(fastener, index, legs)
        if problem:
            notes.append(problem)
            break
        done = _run_leg(fastener, line, until, pawl_runs, legs, follow)
        legs.append(done)
        pawl_runs = done.pawl_runs
    return PlanRun(tuple(legs), tuple(notes))


def refuse_start(fastener: Fastener) -> None:
    """Refuse what `run_plan` would before it runs: parts that overlap, legs out of all proportion."""
    _refuse_overlap(fastener, [PawlRun(end=_start(pawl)) for pawl in fastener.pawls])
    for index, leg in enumerate(fastener.legs):
        if not leg.back:
            velocity = _velocity(fastener, leg)
            at = f"drives.{fastener.drive}.legs.{index}"
            refuse_longer(fastener, velocity, _duration(leg, velocity), at)


def refuse_longer(fastener: Fastener, velocity: Point, duration: Real, at: str) -> None:
    """Refuse a straight run that is out of all proportion to the machine."""
    travel = float(duration) * math.hypot(float(velocity[0]), float(velocity[1]))
    if not travel <= LONGEST * fastener.size:
        words = (
            f"it goes {travel:.3g}, more than {LONGEST:.0e} times the machine's size of {fastener.size:.3g}"
        )
        raise ModelError.at(at, words, "end it where the parts have passed each other")


def run_leg(
    fastener: Fastener,
    line: StraightPush,
    until: Real,
    pawl_runs: Sequence[PawlRun],
    follow: Follow | None = None,
) -> LegRun:
    """One leg by itself, from where runs of the pawls ended."""
    return _run_leg(fastener, line, until, pawl_runs, [], follow or exactly(fastener))


def _run_leg(
    fastener: Fastener,
    line: StraightPush,
    until: Real,
    from_: Sequence[PawlRun],
    before: list[LegRun],
    follow: Follow,
) -> LegRun:
    if line.ratio is not None:
        from_ = [_retimed(pawl_run, line.ratio) for pawl_run in from_]
    cause: Cause = "done"
    end = until
    hit = collision(
        fastener.root_leaves, fastener.root_obstacles, line.shift, line.velocity, line.start, until
    )
    if hit is not None and hit < end:
        end, cause = hit, "blocked"
    slices = tuple(line.slice(pawl, end) for pawl in fastener.pawls)
    pawl_runs: list[PawlRun] = []
    for k, slice_ in enumerate(slices):
        pawl_run = follow(k, slice_, from_[k], line.start, end)
        pawl_runs.append(pawl_run)
        if pawl_run.cause != "done" and pawl_run.end is not None:
            end, cause = pawl_run.end.t, pawl_run.cause
    for k, slice_ in enumerate(slices):
        ended = pawl_runs[k].end
        if ended is not None and ended.t > end:
            pawl_runs[k] = follow(k, slice_, from_[k], line.start, end)
    began = _began(before)
    return LegRun(line, began, end, cause, slices, tuple(pawl_runs))


def _retimed(pawl_run: PawlRun, ratio: Any) -> PawlRun:
    """A run that ended on a line, its end in the times of the leg that follows on that line."""
    end = pawl_run.end
    assert end is not None
    return replace(pawl_run, end=SlicePoint(end.t / ratio, end.half, end.u))


def _began(before: list[LegRun]) -> tuple[Real, ...]:
    if not before:
        return (real(0),)
    last = before[-1]
    terms = [*last.began, last.end, -last.line.start]
    total = real(0)
    for term in terms:
        if term.rational is not None:
            total = total + term
    return (total, *(term for term in terms if term.rational is None))


def _next(fastener: Fastener, index: int, legs: list[LegRun]) -> tuple[StraightPush, Real, str]:
    """The line of a leg, where it ends, and what forbids it."""
    leg = fastener.legs[index]
    at = f"drives.{fastener.drive}.legs.{index}"
    last = legs[-1] if legs else None
    if leg.back:
        assert last is not None
        velocity = (-last.line.velocity[0], -last.line.velocity[1])
        if last.end.rational is not None and last.cause not in STUCK:
            return _rebased(last, velocity), last.end - last.line.start, ""
        return StraightPush(last.line.shift, velocity, -last.end, ratio=-1), -last.line.start, ""
    velocity = _velocity(fastener, leg)
    duration = _duration(leg, velocity)
    refuse_longer(fastener, velocity, duration, at)
    if last is None:
        return StraightPush((fmpq(0), fmpq(0)), velocity, real(0)), duration, ""
    stuck = last.cause in STUCK
    ratio = parallel_ratio(velocity, last.line.velocity)
    if stuck and (ratio is None or ratio > 0):
        return last.line, duration, f"{at}: after a {last.cause} only a leg straight back can follow"
    if ratio is None and not last.exact and _rounded_end(fastener, legs):
        raise Undecided(f"leg {index + 1} may start from an irrational place")
    if last.end.rational is not None and not stuck:
        return _rebased(last, velocity), duration, ""
    if ratio is None:
        return (
            last.line,
            duration,
            f"{at}: it starts from an irrational place, which only its own line reaches",
        )
    start = last.end / ratio
    return StraightPush(last.line.shift, velocity, start, ratio=ratio), start + duration, ""


def _rounded_end(fastener: Fastener, legs: list[LegRun]) -> bool:
    """Whether the last of some legs in doubles ended at a rounded place.

    Where a leg stuck is rounded, and what begins there ends so, unless it retraces to a sharp start.
    """
    begins = [False]
    for asked, leg in zip(fastener.legs, legs, strict=False):
        if leg.cause in STUCK:
            begins.append(True)
        else:
            retraced = asked.back and leg.cause == "done"
            begins.append(begins[-2] if retraced else begins[-1])
    return begins[-1]


def _rebased(last: LegRun, velocity: Point) -> StraightPush:
    """A line that starts at t = 0 from a rational place."""
    t = last.end.rational
    x, y = last.line.shift
    shift = (x + t * last.line.velocity[0], y + t * last.line.velocity[1])
    return StraightPush(shift, velocity, real(0))


def first_direction(fastener: Fastener) -> Point:
    """The velocity of the first leg, along which travel is measured."""
    return _velocity(fastener, fastener.legs[0])


def _velocity(fastener: Fastener, leg: Any) -> Point:
    x, y, _ = fastener.direction.direct((leg.velocity[0], leg.velocity[1], 0 * leg.velocity[0]))
    return flint_of(x), flint_of(y)


def _duration(leg: Any, velocity: Point) -> Real:
    """How long a leg lasts; a distance gives a square root where the speed is irrational."""
    if leg.for_ is not None:
        return real(leg.for_)
    distance = flint_of(leg.distance)
    squared = velocity[0] * velocity[0] + velocity[1] * velocity[1]
    return square_root(distance * distance / squared)


def parallel_ratio(velocity: Point, other: Point) -> Any:
    """velocity / other where they are parallel."""
    if velocity[0] * other[1] != velocity[1] * other[0]:
        return None
    k = 0 if other[0] != 0 else 1
    return velocity[k] / other[k]


def _start(pawl: Pawl) -> SlicePoint:
    return SlicePoint(real(0), pawl.start.half, real(pawl.start.u))


def _refuse_overlap(fastener: Fastener, pawl_runs: Sequence[PawlRun]) -> None:
    for leaf in fastener.root_leaves:
        for obstacle in fastener.root_obstacles:
            if blocked(leaf, leaf.points, obstacle):
                _overlap(leaf, leaf.points, obstacle, fastener.units.length)
    still = (fmpq(0), fmpq(0))
    for pawl, pawl_run in zip(fastener.pawls, pawl_runs, strict=True):
        place = pawl_run.end
        assert place is not None
        slice_ = Slice(pawl.leaves, pawl.obstacles, pawl.hinge, still, (0.0, 0.0))
        for leaf in pawl.leaves:
            points = slice_.posed(leaf, fmpq(0), place.half, place.u.rational)
            for obstacle, _ in pawl.obstacles:
                if blocked(leaf, points, obstacle):
                    drawn = float(pawl.start) == pawl.drawn
                    when = "as drawn" if drawn else "at its start angle"
                    _overlap(leaf, points, obstacle, fastener.units.length, when)


def _overlap(leaf: ExactLeaf, points: Any, obstacle: ExactLeaf, unit: str, when: str = "as drawn") -> None:
    """Raise, saying where two parts overlap at the start and how deep at least."""
    shape = leaf.moved(dict(zip(leaf.points, points, strict=True)).__getitem__).region
    thickest = deepest(shape, obstacle.region)
    if thickest is not None:
        (x, y), depth = thickest
        how_far = depth_words(depth, "at least", unit)
    else:  # a segment, or less than rounding
        common = common_region(shape, obstacle.region)
        x, y = common.representative_point().coords[0]
        how_far = f"{common.length:.3g}{unit} of its length inside"
    words = f"{leaf.part!r} overlaps {obstacle.part!r} {when}, at ({x:.6g}, {y:.6g}), {how_far}"
    raise ModelError.at(f"parts.{leaf.part}", words, "start them apart, or touching, or ignore the pair")
