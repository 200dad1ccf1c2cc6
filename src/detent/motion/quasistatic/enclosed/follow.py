"""Every run of a box of pushes at once: what each can come to, enclosed.

A pawl is followed in steps. Between events it lies along the curve of one pair, enclosed for all pushes of
the box by the mean value theorem, while every other pair is shown to stay apart. Where that cannot be shown
a small box is put around the place, and the pawl may leave it along whatever curve of a pair leads out of
it, by a snap, or not at all: all ways that are not shown to be impossible are followed. So ends that
are not found are impossible, and an end that is the only one found is what every push of the box comes to.
Where too much stays open the box is left undecided, to be divided by the caller.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from detent.motion.quasistatic.enclosed.enclosure import Box, Enclosure
from detent.motion.quasistatic.enclosed.pairs import SLACK, Looked
from detent.motion.quasistatic.enclosed.states import AtRest, OnCurve, OpenError, PossibleEnds, State, Work

START = 1e-6  # of the machine's size: the box around the start
TALL = 12.0  # of the least angle: half the height of a box; what lies beyond it is told from the curve
MOST_STEPS = 3000  # of all ways together
MOST_WAYS = 60
MOST_WIDER = 1e6  # than the least, a box
STEP_OVER_SIZE = 0.1  # of a step, at most
MOST_ANGLE = 0.12  # [rad] of a step, at most


class Follower:
    """One body about its hinge, over a box of pushes from t = 0 to a time that differs between two bounds."""

    def __init__(
        self,
        on: Enclosure,
        until: tuple[float, float],
        *,
        limits: tuple[float, float] = (-math.inf, math.inf),
        turns: bool = True,
        work: Work | None = None,
    ) -> None:
        self.on, self.table, self.pushes, self.slack = on, on.table, on.pushes, on.slack
        self.until, self.limits, self.turns = until, limits, turns
        self.arm, self.size = on.arm, on.size
        self.ends = PossibleEnds()
        self.steps, self.allowed = 0, work or Work()
        self.wider = 1.0
        self.stuck = ""
        self.work: list[State] = []
        self.seen: set[Any] = set()

    def run(self, angle: float = 0.0) -> PossibleEnds:
        """All ends, from a free and relaxed angle at t = 0."""
        least = START * self.size
        if angle == 0.0:
            self._leave(Box(0.0, least / self.pushes.speed, 0.0, 0.0), 0, ())
        else:
            wide = 2 * least / self.arm
            box = Box(0.0, 2 * least / self.pushes.speed, angle - wide, angle + wide)
            self._leave(box, 1 if angle > 0 else -1, ())
        while self.work:
            state = self.work.pop(min(range(len(self.work)), key=lambda k: self.work[k].t))
            if isinstance(state, AtRest):
                t = self._rest(state)
                self.work = [each for each in self.work if not (isinstance(each, AtRest) and each.t <= t)]
            else:
                self._covered(state, *self._slide(state))
        if not self.ends.done and not self.ends.stopped:
            raise OpenError("no way out of a box")
        return self.ends

    def _covered(self, state: OnCurve, t: float, angle: float) -> None:
        """Drops ways that begin on a stretch of a curve that has been followed."""

        def on_it(each: State) -> bool:
            if not isinstance(each, OnCurve) or (each.pair, each.side) != (state.pair, state.side):
                return False
            if state.by_angle:
                return (
                    0 <= (each.angle - state.angle) * state.heading <= (angle - state.angle) * state.heading
                )
            return state.t <= each.t <= t

        self.work = [each for each in self.work if not on_it(each)]

    def _step(self) -> None:
        self.steps += 1
        self.allowed.step()
        if self.steps > MOST_STEPS:
            raise OpenError("too many steps")

    def _over(self, t: float) -> bool:
        """Notes what comes to the end of the way by a time; whether everything has."""
        if t >= self.until[0]:
            self.ends.done = True
        return t >= self.until[1]

    def _rest(self, state: AtRest) -> float:
        """Follows a pawl at rest; how far."""
        t, wider = state.t, state.wider
        step = STEP_OVER_SIZE * self.size / self.pushes.speed
        while True:
            if t >= self.until[1]:
                self.ends.done = True
                self.ends.ways.add(state.way)
                return t
            self._step()
            step = min(step, max(self.until[1] - t, 1e-300))
            looked = self.on.look((t + step / 2, step / 2, 0.0, 0.0))
            if not self.on.unclear(looked, *looked.free_change).any():
                t += step
                self._over(t)
                step, wider = 2 * step, 1.0
                continue
            least = self.on.least(t) / self.pushes.speed
            if step > least:
                step = max(step / 2, least)
                continue
            wide = wider * self.on.least(t) / self.arm if self.turns else 0.0
            self._leave(Box(t, t + 2 * wider * least, -wide, wide), 0, state.way, wider=wider)
            return t

    def _slide(self, state: OnCurve) -> tuple[float, float]:
        """Follows a pawl along a curve; how far."""
        t, angle, by_angle, wider = state.t, state.angle, state.by_angle, state.wider
        step = (MOST_ANGLE if by_angle else STEP_OVER_SIZE * self.size / self.pushes.speed) / 8
        while True:
            self._step()
            cell = self._cell(state, t, angle, step)
            if cell is not None:
                t, angle = cell
                wider = 1.0
                if t >= self.until[1]:
                    self.ends.done = True
                    self.ends.ways.add(state.way)
                    return t, angle
                step = min(
                    2 * step, MOST_ANGLE if by_angle else STEP_OVER_SIZE * self.size / self.pushes.speed
                )
                continue
            if self.stuck:
                self.ends.stopped.add(self.stuck)
                self.ends.ways.add((*state.way, self.stuck))
                return t, angle
            least = self.on.least(t) / (self.arm if by_angle else self.pushes.speed)
            if step > least:
                step = max(step / 2, least)
                continue
            self._around(state, t, angle, wider)
            return t, angle

    def _cell(self, state: OnCurve, t: float, angle: float, step: float) -> tuple[float, float] | None:
        """Goes on by one step; None where it is not shown that nothing happens on the way."""
        self.stuck = ""
        i = state.pair
        if state.by_angle:
            middle = angle + state.heading * step / 2
            when = self.on.time_at(i, middle, t)
            if when is None:
                return None
            t_middle, wide, late = when, step / 2, abs(when - t) * 1.5 + self.on.least(t) / self.pushes.speed
        else:
            late = step / 2
            t_middle = t + late
            where = self.on.angle_at(i, t_middle, angle)
            if where is None:
                return None
            middle, wide = where, abs(where - angle) * 1.5 + self.on.least(t) / self.arm
        looked = self.on.look((t_middle, late, middle, wide))
        rates = self.on.rates(looked, i, state.by_angle)
        if rates is None:
            return None
        by_step, by_parameter, other = rates
        radius = wide if state.by_angle else late
        if other * radius + np.abs(by_parameter).sum() > (late if state.by_angle else wide):
            return None
        if state.by_angle and by_step * state.heading <= 0:
            return None
        gap, along = self.on.change_along(looked, i, state.by_angle, radius)
        unclear = self.on.unclear(looked, gap, along)
        unclear[i] = False
        for twin in self.table.twins.get(i, ()):
            unclear[twin] = False
        inside = along[i] + self.slack
        if not inside < looked.along[i] < self.table.length[i] - inside:
            return None
        held = looked.turning[i] * state.side
        if held <= looked.loose[i]:
            return None
        low, high = middle - wide, middle + wide
        if (low if state.side > 0 else -high) <= 0 or high >= self.limits[1] or low <= self.limits[0]:
            return None
        sliding = self.on.slides(looked, i, state.side)
        if sliding < 0 and not unclear.any():
            self.stuck = "stick"
            return None
        if unclear.any() or sliding == 0:
            return None
        if state.by_angle:
            end = angle + state.heading * step
            t_end = self.on.time_at(i, end, t_middle)
            if t_end is None:
                return None
            begun = t_middle - late
            self._over(t_middle + late)
            return (t_end, end) if begun < self.until[1] else (self.until[1], end)
        end_angle = self.on.angle_at(i, t + step, middle)
        if end_angle is None:
            return None
        self._over(t + step)
        return t + step, end_angle

    def _around(self, state: OnCurve, t: float, angle: float, wider: float) -> None:
        """A box that what has come along a curve is in."""
        least = wider * self.on.least(t)
        late, wide = least / self.pushes.speed, least / self.arm
        if state.by_angle:
            # Near a fold what the angle does to the gap is of second order: only farther off it is seen.
            fold = 2 * math.sqrt(wide)
            turning = float(self.on.look((t, 0.0, angle, 0.0)).turning[state.pair])
            if abs(turning) <= 4 * wide * self.arm:
                wide, late = fold, 2 * late
        looked = self.on.look((t, late if state.by_angle else 0.0, angle, 0.0 if state.by_angle else wide))
        rates = self.on.rates(looked, state.pair, state.by_angle)
        if state.by_angle:
            spread = float(rates[1].sum()) if rates is not None else late
            box = Box(
                t - spread - self.slack, t + spread + 2 * late, angle - TALL * wide, angle + TALL * wide
            )
        else:
            spread = float(rates[1].sum()) if rates is not None else wide
            box = Box(t, t + 2 * late, angle - spread - TALL * wide, angle + spread + TALL * wide)
        self._leave(box, state.side, state.way, came=state.pair, wider=wider)

    def _leave(
        self, box: Box, side: int, way: tuple[str, ...], *, came: int | None = None, wider: float = 1.0
    ) -> None:
        """Every way out of a box that is not shown to be impossible."""
        self._step()
        self.wider = 2 * wider
        if box.first >= self.until[1]:
            self.ends.done = True
            self.ends.ways.add(way)
            return
        if box.last >= self.until[0]:
            self.ends.done = True
        if len(way) > MOST_WAYS or wider > MOST_WIDER:
            raise OpenError("too many events")
        looked = self.on.look(box.middle)
        touching = np.flatnonzero(self.on.unclear(looked, *looked.free_change))
        if not self.turns:
            self._rigid(box, way, touching)
            return
        sides = (side,) if side else (1, -1)
        if box.low <= 0 <= box.high and not self.on.blocked(box.last, 0.0, box):
            self._add(AtRest(box.last, way, self.wider), ("rest", round(box.last, 12)))
        bounding = [int(k) for k in touching if self.on.bounds_free(looked, box, int(k), touching)]
        if came is not None and came not in bounding:
            bounding.append(came)
        for each in sides:
            self._limit(box, each, way)
            for k in bounding:
                self._out_along(looked, box, k, each, way)
            self._stops(looked, box, each, way, bounding)
            if not box.low <= 0 <= box.high:
                self._snap(box, each, way)

    def _limit(self, box: Box, side: int, way: tuple[str, ...]) -> None:
        if box.high >= self.limits[1] or box.low <= self.limits[0]:
            self.ends.stopped.add("limit")
            self.ends.ways.add((*way, "limit"))

    def _rigid(self, box: Box, way: tuple[str, ...], touching: Any) -> None:
        """The root does not turn: it is blocked, or goes on."""
        if not len(touching) or not self.on.blocked(box.last, 0.0, box):
            self._add(AtRest(box.last, way, self.wider), ("rest", round(box.last, 12)))
            by_time, change = self.on.look(box.middle).gap_in_time
            if all(by_time[k] > change[k] for k in touching):
                return
        self.ends.stopped.add("blocked")
        self.ends.blocked.append((box.first, box.last))
        self.ends.ways.add((*way, "blocked"))

    def _stops(self, looked: Looked, box: Box, side: int, way: tuple[str, ...], touching: list[int]) -> None:
        """Notes a jam or a stick inside of a box where it is not shown to be impossible."""
        lever = looked.turning[touching] * side
        floors = bool((lever > looked.loose[touching]).all())
        by_time, change = (each[touching] for each in looked.gap_in_time)
        if box.low <= 0 <= box.high and not floors:
            floors = not bool((lever > -looked.loose[touching]).any())  # the other side's
        # Where nothing closes in it may stay at its angle; what is parallel to the push does so by rounding.
        if not floors and not bool((by_time >= change - SLACK * self.pushes.speed).all()):
            self.ends.stopped.add("jam")
            self.ends.ways.add((*way, "jam"))
        for k in touching:
            holds = looked.turning[k] * side > -looked.loose[k]
            if holds and self.on.slides(looked, k, side) <= 0:
                self.ends.stopped.add("stick")
                self.ends.ways.add((*way, "stick"))

    def _out_along(self, looked: Looked, box: Box, k: int, side: int, way: tuple[str, ...]) -> None:
        """The ways out of a box along the curve of one pair."""
        if looked.turning[k] * side <= -looked.loose[k]:
            return  # it holds nothing against the spring
        for heading, angle in ((1, box.high), (-1, box.low)):
            if angle * side > 0:
                self._out_at_angle(box, k, side, heading, angle, way)
        self._out_at_time(box, k, side, way)

    def _out_at_angle(
        self, box: Box, k: int, side: int, heading: int, angle: float, way: tuple[str, ...]
    ) -> None:
        t, late, _, _ = box.middle
        looked = self.on.look((t, late, angle, 0.0))
        if abs(looked.gap[k]) > looked.free_change[0][k] + self.slack:
            return
        by_time, change = float(looked.gap_in_time[0][k]), float(looked.gap_in_time[1][k])
        # Forward in time: dt/du = -turning / by_time along the heading.
        if abs(by_time) > change and -looked.turning[k] * by_time * heading < -looked.loose[k] * abs(by_time):
            return
        if abs(by_time) <= change:
            # Nearly level: what leaves forward in time there is enclosed by the angle, at every time.
            raise OpenError("a curve that leaves a box at an open time")
        when = t - float(looked.gap[k]) / by_time
        of_parameters = np.abs(looked.gap_by_parameter[0][k]) + looked.gap_by_parameter[1][k]
        spread = float(of_parameters.sum()) / (abs(by_time) - change)
        if when + spread < box.first or when - spread > box.last:
            return
        self._go(looked, k, side, OnCurve(k, when, angle, side, heading, True, way), spread)

    def _out_at_time(self, box: Box, k: int, side: int, way: tuple[str, ...]) -> None:
        _, _, angle, wide = box.middle
        looked = self.on.look((box.last, 0.0, angle, wide))
        if abs(looked.gap[k]) > looked.free_change[0][k] + self.slack:
            return
        turning, loose = float(looked.turning[k]), float(looked.loose[k])
        where = self.on.angle_at(k, box.last, angle) if abs(turning) > loose else None
        if where is None:
            raise OpenError("a curve that leaves a box at an open angle")
        of_parameters = np.abs(looked.gap_by_parameter[0][k]) + looked.gap_by_parameter[1][k]
        spread = float(of_parameters.sum()) / (abs(turning) - loose)
        if where + spread < box.low or where - spread > box.high or where * side + spread <= 0:
            return
        self._go(looked, k, side, OnCurve(k, box.last, where, side, 1, False, way), spread)

    def _go(self, looked: Looked, k: int, side: int, state: OnCurve, spread: float) -> None:
        """Takes a way out along a pair's curve, unless it is shown to be impossible."""
        if looked.turning[k] * side <= -looked.loose[k]:
            return
        if self.on.off(state.t, state.angle, spread, state.by_angle, k):
            return
        steep = abs(looked.gap_in_time[0][k]) / self.pushes.speed > abs(looked.turning[k]) / self.arm
        by_angle = bool(steep)
        rate = -float(looked.gap_in_time[0][k]) / float(looked.turning[k]) if looked.turning[k] else 0.0
        state = replace(state, by_angle=by_angle, heading=1 if rate > 0 else -1, wider=self.wider)
        name = self.table.names[k]
        way = state.way if state.way and state.way[-1] == name else (*state.way, name)
        self._add(replace(state, way=way), ("on", k, side, round(state.t, 12), round(state.angle, 12)))

    def _add(self, state: State, key: Any) -> None:
        key = (key, state.way)
        if key not in self.seen:
            self.seen.add(key)
            self.work.append(state)
            if len(self.seen) > 50 * MOST_WAYS:
                raise OpenError("too many ways")

    def _snap(self, box: Box, side: int, way: tuple[str, ...]) -> None:
        """Towards rest at a frozen time, to where something may hold it again."""
        angle = box.low if side > 0 else box.high
        if self.on.blocked((box.first + box.last) / 2, angle, box):
            return
        t, late = (box.first + box.last) / 2, (box.last - box.first) / 2
        step = MOST_ANGLE
        while True:
            self._step()
            left = angle * side
            if left <= 0:
                self._leave(
                    Box(box.first, box.last + self.on.least(t) / self.pushes.speed, 0.0, 0.0),
                    0,
                    (*way, "snap"),
                )
                return
            step = min(step, left)
            looked = self.on.look((t, late, angle - side * step / 2, step / 2))
            if not self.on.unclear(looked, *looked.free_change).any():
                angle -= side * step
                step *= 2
                continue
            least = max(self.on.least(t), (box.last - box.first) * self.pushes.speed) / self.arm
            if step > least:
                step = max(step / 2, least)
                continue
            ends = (angle - side * (step + 2 * least), angle)
            after = way if way and way[-1] == "snap" else (*way, "snap")
            self._leave(Box(box.first, box.last + least, min(ends), max(ends)), side, after)
            return
