"""A machine without inertia: what balances at a place of its drives, and which way it goes from there.

Coordinates y are in radians and sizes of the machine, gaps in sizes. With E the energy of springs, weight
and constant pushes, D the dampers, rho small: -grad E(y) - rho D (y - y_before) + rows of what is held +
normal rows of contacts (+ friction) = 0. So a part that springs or weight pull goes to its equilibrium, and
one that nothing pulls moves only as far as it is pushed, and by the least work of the dampers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from detent.contact.candidate import Candidates
from detent.mechanics.closing_rows import loop_rows
from detent.mechanics.tree import Tree, loop_tables
from detent.mechanics.tree_kernels import DAMPING, MASS, STIFFNESS, TORQUE, WAY, mass_and_force, place_tree
from detent.motion.rigid import layout
from detent.motion.rigid.following.drive_plan import DrivePlan
from detent.motion.rigid.following.slow_rows import Balanced, SlowRows, Tendency, in_any, met_by
from detent.motion.rigid.following.stops import stops_of
from detent.motion.rigid.forces import contact_rows_of
from detent.motion.rigid.layout import machine_of, packed, state_of, view
from detent.motion.rigid.tables import Acting, rigid_tables
from detent.motion.running.along import coordinate_scales
from detent.numeric.contact_problem import BACKWARD, FORWARD, OPEN, STICK, solve_contact_problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.motion.rigid.layout import Blocks

    Floats = NDArray[np.float64]

TOUCH = 1e-10  # of the size: features nearer than this touch
_ROUNDING = 1e-14  # of the largest stiffness or push: less of a force is what rounding leaves of none
WEAK = 1e-6  # of the stiffness: how much dampers hold what springs pull
_NEWTON = 25
_CLOSED = 1e-12  # of a radian, or of the size: Newton's steps end here
_APART = 1e-6  # step of differences
_FALLS = 1e4  # times as far as drives go in a small way: what weight and springs pull, beside dampers
_HOLDS = 1e-7  # of what is asked: rows that are met
_TURNS = 1e-11  # of the way: what slides less sticks; what slides to and fro passes through less
_SUMMED = 1e-14  # of what is added up to a way that is less: its rounding
FAR = 1e3  # no coordinate goes farther in one step, nor is a force larger times this


class SlowMachine:
    """The equations of a machine along its drives."""

    def __init__(self, tree: Tree, possible: Candidates, plan: DrivePlan, work: float) -> None:
        self.tree, self.possible, self.plan, self.work = tree, possible, plan, work
        self.size = tree.system.size
        self.scales = np.asarray(coordinate_scales(tree))
        self.loops = loop_tables(tree)
        self.blocks = self._blocks()
        self.machine, self.state = machine_of(*self.blocks), state_of(*self.blocks)
        self.freedoms = tree.freedoms
        self._held = np.zeros((len(self.loops.joints), self.freedoms + 2))
        self._room = np.zeros((self.freedoms, self.freedoms))
        self.stops = stops_of(tree)
        self.dampers, self.assumed_damping = self._dampers()
        self._place = place_tree.at(work)
        self._rows_of = contact_rows_of.at(work)
        self._solve_contacts = solve_contact_problem.at(work)

    def _blocks(self) -> Blocks:
        system, possible = self.tree.system, self.possible
        names = [body.name for body in system.bodies]
        touching = system.touching
        rub = [[float(touching.friction(names[a], names[b]) or 0), 0.0] for a, b in possible.pairs]
        control = np.array([1.0, 1e-6, TOUCH * system.size, 1.0])
        return packed(
            rigid_tables(
                self.tree.machine,
                possible,
                np.reshape(rub, (-1, 2)),
                self.loops,
                Acting(),
                control,
                self.scales,
                1,
            )
        )

    def _dampers(self) -> tuple[Floats, bool]:
        """Damping of each coordinate, scaled; the least that is given, or one, where none is."""
        joints = self.tree.machine.joints
        count = len(self.tree.names)
        sizes = np.array([self.unit(k) for k in range(count)])
        given = joints[:count, DAMPING] * sizes**2
        known = given[given > 0]
        usual = float(known.min()) if len(known) else 1.0
        return np.where(given > 0, given, usual) / usual, bool((given == 0).any())

    def unit(self, coordinate: int) -> float:
        name = self.tree.coordinates[coordinate]
        joints = {joint.name: joint for joint in self.tree.system.joints}
        if name in joints:
            return self.size if joints[name].type.coordinate == "length" else 1.0
        return 1.0 if name.endswith(".angle") else self.size

    def damping(self) -> Floats:
        """D in scaled coordinates; of joints of the tree."""
        follow = (
            self.machine.follow * self.scales / np.array([[self.unit(k)] for k in range(len(self.dampers))])
        )
        return np.asarray(follow.T @ (self.dampers[:, None] * follow))

    def put(self, y: Floats, v: Floats | None = None) -> None:
        """Places the bodies."""
        still = np.zeros(self.freedoms) if v is None else v * self.scales
        self._place(self.machine, y * self.scales, still, self.state)

    def coordinate_row(self, k: int) -> Floats:
        """Of a coordinate on the scaled ones, bodies as they are placed."""
        count = len(self.machine.follow)
        if k < count:
            return np.asarray(self.machine.follow[k] * self.scales)
        return np.asarray(
            self.machine.measure[k - count, WAY]
            * self.state.measured[k - count, : self.freedoms]
            * self.scales
        )

    def fastest(self, place: float) -> float:
        """Of the driven coordinates, per position, just after a place."""
        rates = [
            rate / self.unit(k) for k, rate in zip(self.plan.coordinates, self.plan.rates(place), strict=True)
        ]
        return float(np.abs(rates).max(initial=0.0))

    def coordinates(self, y: Floats) -> Floats:
        """All of them [rad, m]."""
        self.put(y)
        return np.array(self.state.joints[0])

    def rows_at(self, y: Floats, place: float, touching: Sequence[int]) -> SlowRows:
        """SlowRows and gaps of what touches, by number; behind the candidates stand the stops."""
        self.put(y)
        m = self.freedoms
        force = np.zeros(m)
        mass_and_force(self.machine, self.state, self._room, force)
        held, open_by = self._held_rows(place)
        features = [c for c in touching if c < len(self.possible)]
        n = len(touching)
        normal, tangent = np.zeros((n, m)), np.zeros((n, m))
        gap, friction = np.zeros(n), np.zeros(n)
        if features:
            numbers = np.array(features, np.int64)
            count = self._rows_of(*self.blocks, numbers, len(features))
            f = len(features)
            rows = view(self.blocks, layout.ROWS)
            normal[:f] = rows[:f] * self.scales / self.size
            if count > f:
                tangent[:f] = rows[f:count] * self.scales / self.size
            gap[:f] = view(self.blocks, layout.CONTACTS)[:f, 0] / self.size
            friction[:f] = view(self.blocks, layout.COLUMNS)[layout.MU, :f]
        for k in range(len(features), n):
            stop = self.stops[touching[k] - len(self.possible)]
            unit = self.unit(stop.coordinate)
            normal[k] = stop.sign * self.coordinate_row(stop.coordinate) / unit
            gap[k] = stop.sign * (self.state.joints[0, stop.coordinate] - stop.end) / unit
        return SlowRows(force * self.scales, held, open_by, normal, tangent, gap, friction)

    def _held_rows(self, place: float) -> tuple[Floats, Floats]:
        m = self.freedoms
        loop_rows(self.loops.joints, self.loops.numbers, self.state.bodies, self.state.spans, self._held)
        goal = self.plan.at(place)
        driven = [self.coordinate_row(k) / self.unit(k) for k in self.plan.coordinates]
        off = [
            (self.state.joints[0, k] - aim) / self.unit(k)
            for k, aim in zip(self.plan.coordinates, goal, strict=True)
        ]
        unit = (
            np.where(np.isin(np.asarray(self.loops.joints)[:, 2], (3,)), 1.0, self.size)
            if len(self._held)
            else 1.0
        )
        closing = (
            self._held[:, :m] * self.scales / np.reshape(unit, (-1, 1))
            if len(self._held)
            else np.zeros((0, m))
        )
        open_by = self._held[:, m] / unit if len(self._held) else np.zeros(0)
        return np.concatenate([closing, np.reshape(driven, (-1, m))]), np.concatenate([open_by, off])

    def stiffness(self, y: Floats, place: float, touching: Sequence[int], force: Floats) -> Floats:
        """How forces change with coordinates, contacts' forces as they are: by differences, made positive."""
        m = self.freedoms
        if not self._bends(len(touching)):
            follow = self.machine.follow * self.scales
            return np.asarray(follow.T @ (self.machine.joints[: len(follow), STIFFNESS][:, None] * follow))
        matrix = np.zeros((m, m))
        for k in range(m):
            step = np.zeros(m)
            step[k] = _APART
            ahead, back = (self._pull(y + sign * step, place, touching, force) for sign in (1, -1))
            matrix[:, k] = (back - ahead) / (2 * _APART)
        values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
        return np.asarray(vectors @ np.diag(np.abs(values)) @ vectors.T)

    def _bends(self, touching: int) -> bool:
        """Whether something may move that neither drives nor contacts place."""
        return touching + len(self._held) + len(self.plan.coordinates) < self.freedoms or len(self._held) > 0

    def _pull(self, y: Floats, place: float, touching: Sequence[int], force: Floats) -> Floats:
        rows = self.rows_at(y, place, touching)
        return np.asarray(rows.force + force @ rows.normal if len(touching) else rows.force)

    def pulls(self) -> bool:
        """Whether springs, weight or torques act on anything."""
        joints = self.machine.joints
        heavy = self.machine.gravity.any() and self.machine.bodies[:, MASS].any()
        return bool(joints[:, STIFFNESS].any() or joints[:, TORQUE].any() or heavy)

    def weak(self, stiff: Floats, rows: SlowRows) -> float:
        """What dampers are counted with: little beside springs; one where nothing pulls."""
        strong = max(float(np.abs(stiff).max(initial=0.0)), float(np.abs(rows.force).max(initial=0.0)))
        return WEAK * strong if strong > 0 else 1.0

    def solve(
        self,
        y: Floats,
        place: float,
        touching: Sequence[int],
        status: Sequence[int],
        force: Floats,
        rho: float | None = None,
    ) -> Balanced:
        """The state at a place that balances with these contacts closed, sliding or sticking, from y on."""
        n = len(touching)
        at, damping = y.copy(), self.damping()
        stiff = self.stiffness(y, place, touching, force)
        normal, held, step, divided = force, np.zeros(0), math.inf, np.zeros(0, np.bool_)
        begun = self.rows_at(y, place, touching).tangent if STICK in status else np.zeros((n, len(y)))
        for _ in range(_NEWTON):
            rows = self.rows_at(at, place, touching)
            weak = self.weak(stiff, rows) if rho is None else rho
            stick = [k for k in range(n) if status[k] == STICK and rows.friction[k] > 0]
            push = rows.normal.copy()
            for k in range(n):
                if status[k] in (FORWARD, BACKWARD):
                    push[k] += (-1 if status[k] == FORWARD else 1) * rows.friction[k] * rows.tangent[k]
            met = np.concatenate([rows.held, rows.normal, rows.tangent[stick]])
            pushing = np.concatenate([rows.held, push, rows.tangent[stick]])
            # What sticks has not slid on the way, to the third order of the step.
            slid = (begun[stick] + rows.tangent[stick]) / 2 @ (at - y)
            off = np.concatenate([rows.open_by, rows.gap, slid])
            matrix, right = stiff + weak * damping, rows.force + weak * damping @ (y - at)
            change, ways = met_by(met, -off)
            across = met_by(pushing, np.zeros(len(pushing)))[1]
            if ways.shape[1] and across.shape[1] == ways.shape[1]:
                slope = across.T @ matrix @ ways
                change = (
                    change
                    + ways @ np.linalg.lstsq(slope, across.T @ (right - matrix @ change), rcond=None)[0]
                )
            if not np.isfinite(change).all() or np.abs(change).max(initial=0.0) > FAR:
                return Balanced(at, normal, held, False, divided)
            at = at + change
            # Dampers only say which way what nothing pulls goes: no drive is told to work against them.
            all_of, undamped = matrix @ change - right, stiff @ change - rows.force
            forces, told = np.linalg.lstsq(pushing.T, np.column_stack([all_of, undamped]), rcond=1e-12)[0].T
            strong = max(float(np.abs(stiff).max(initial=0.0)), float(np.abs(rows.force).max(initial=0.0)))
            held = np.where(np.abs(told) > _ROUNDING * strong, told, 0.0)[: len(rows.held)]
            normal = forces[len(rows.held) : len(rows.held) + n]
            before, step = step, float(np.abs(change).max(initial=0.0))
            if step <= _CLOSED or (step <= 1e3 * _CLOSED and step >= before):
                closed = np.abs(met @ change + off).max(initial=0.0) <= 1e3 * _CLOSED
                divided = in_any(met_by(pushing.T, np.zeros(self.freedoms))[1])[: len(held)]
                return Balanced(at, normal, held, bool(closed), divided)
        return Balanced(at, normal, held, False, divided)

    def tendency(
        self,
        y: Floats,
        place: float,
        touching: Sequence[int],
        *,
        ahead: float,
        force: Floats | None = None,
        rated_at: float | None = None,
        status: Sequence[int] | None = None,
    ) -> Tendency:
        """Which way it goes while drives go `ahead` (0: by itself), with contacts that do not pull.

        Where contacts may act in more than one way, as those of boxes in a row, `status` is what is kept.
        """
        n = len(touching)
        known = np.zeros(n) if force is None else force
        stiff = self.stiffness(y, place, touching, known)
        rows = self.rows_at(y, place, touching)
        weak = self.weak(stiff, rows)
        if ahead:  # else what weight pulls goes so far that the drives' small way is lost in its rounding
            weak = max(weak, float(np.abs(rows.force).max(initial=0.0)) / (_FALLS * abs(ahead)))
        matrix = stiff + weak * self.damping()
        aim = -rows.open_by.copy()
        first = len(rows.open_by) - len(self.plan.coordinates)
        units = np.array([self.unit(k) for k in self.plan.coordinates])
        aim[first:] += ahead * self.plan.rates(place if rated_at is None else rated_at) / units
        # What is held leaves the ways `ways` open; `loose` is what forces do along them.
        led, ways = met_by(rows.held, aim)
        slope = ways.T @ matrix @ ways
        if not np.isfinite(slope).all() or np.linalg.matrix_rank(slope) < len(slope):
            none = np.full(n, STICK, np.int64), np.zeros(n), np.zeros(n)
            return Tendency(False, np.zeros(self.freedoms), *none)
        softness = np.linalg.inv(slope)
        loose = ways @ softness @ ways.T
        free = led + loose @ (rows.force - matrix @ led)
        both = np.concatenate([rows.normal, rows.tangent])
        rubs = bool((rows.friction > 0).any())
        used = both if rubs else rows.normal
        problem = used @ loose @ used.T
        right = used @ free
        scale = np.sqrt(np.maximum(np.diag(problem)[:n], 0.0))
        scale = np.where(scale > 1e-9 * np.sqrt(np.abs(softness).max(initial=0.0)), scale, math.inf)
        whole = np.concatenate([scale, scale]) if rubs else scale
        x, w = np.zeros(2 * n), np.zeros(2 * n)
        acting = np.full(n, OPEN, np.int64) if status is None else np.array(status, np.int64)
        solved = bool(
            self._solve_contacts(
                problem / np.outer(whole, whole), right / whole, rows.friction, np.zeros(n), n, len(used),
                acting, x, w,
            )
        )  # fmt: skip
        pushed = x[: len(used)] / whole
        moved = loose @ used.T
        change = free + moved @ pushed
        opening = rows.normal @ change if n else np.zeros(0)
        large = np.abs(free).max(initial=0.0) + (np.abs(moved) @ np.abs(pushed)).max(initial=0.0)
        allowed = _SUMMED * float(large) + _HOLDS * (
            float(np.abs(change).max(initial=0.0)) + abs(ahead) * float(np.abs(aim).max(initial=0.0))
        )
        still = _SUMMED * float(large) + _TURNS * float(np.abs(change).max(initial=0.0))
        missed = np.abs(rows.held @ change - aim).max(initial=0.0)
        solved = solved and bool((opening >= -allowed - 1e-14).all()) and missed <= allowed + 1e-14
        solved = solved and bool(np.isfinite(change).all()) and float(np.abs(change).max(initial=0.0)) < FAR
        rubbed = rows.tangent @ change if n else np.zeros(0)
        for k in range(n):
            # By the motion, which is one where loads are shared in many ways.
            rolls = rows.friction[k] == 0.0 or abs(rubbed[k]) <= still
            parts = opening[k] > allowed and (acting[k] == OPEN or not math.isfinite(scale[k]))
            acting[k] = OPEN if parts else STICK if rolls else FORWARD if rubbed[k] > 0.0 else BACKWARD
        return Tendency(solved, change, acting, pushed[:n], opening)

    def led(self, y: Floats, place: float) -> Floats:
        """The drives at another place, and what is joined to them; the rest moves as little as it can."""
        at = y.copy()
        for _ in range(_NEWTON):
            rows = self.rows_at(at, place, [])
            step, _ = met_by(rows.held, -rows.open_by)
            at = at + step
            if np.abs(step).max(initial=0.0) <= _CLOSED:
                break
        return at
