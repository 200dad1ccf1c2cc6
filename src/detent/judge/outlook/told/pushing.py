"""Who pushes whom in a pattern: contacts from begin to end, with the energy that each one gives and takes.

A contact's force does work on both parts: what one gives up and the other does not get is lost there, by
friction, and in the blow with which it began. What a blow does to a part is its impulse times the mean of the
part's velocities before and after it. All together must leave what the energies of the machine say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.mechanics.tree_columns import SPEED_X, SPEED_Y, SPIN, X, Y
from detent.mechanics.tree_kernels import PlaneState, place_tree
from detent.motion.rigid import layout
from detent.motion.rigid.advance import IMPACT
from detent.motion.rigid.forces import contact_rows_of
from detent.motion.rigid.layout import view
from detent.motion.running.step_kernels import NODES, WEIGHTS
from detent.numeric.runge_kutta import point_on_step
from detent.record.outlook import PatternContact, PatternEnergy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.patterns.simulating import SimulatedCourse
    from detent.motion.rigid.rigid_run import RigidRun

    Floats = NDArray[np.float64]

_WORK = 1e7  # elementary steps: kernels are compiled by the run already
# Of the time that is looked at: what is nearer is one instant.
_AT_ONCE = 1e-12


@dataclass
class _Touch:
    """A contact from begin to end, and what its two parts got of it [J]."""

    candidate: int
    begin: float
    end: float
    got: Floats


class _Pushing:
    """Contacts of a part of a course, as they are added up."""

    def __init__(self, course: SimulatedCourse, begin: float, end: float) -> None:
        self.course, self.begin, self.end = course, begin, end
        self.touches: dict[int, list[_Touch]] = {}
        self.rubbed = 0.0  # [J] taken by friction in joints
        self.stopped = 0.0  # [J] taken by blows at limits of joints

    def touch(self, candidate: int, begin: float, end: float) -> _Touch:
        """The touch of a candidate that goes on up to an end, or one that begins."""
        known = self.touches.setdefault(candidate, [])
        if known and begin - known[-1].end <= _AT_ONCE * max(abs(self.end), 1.0):
            known[-1].end = max(known[-1].end, end)
        else:
            known.append(_Touch(candidate, begin, end, np.zeros(2)))
        return known[-1]

    def add(self, piece: RigidRun, since: float) -> None:
        """Blows and forces of one simulated piece, in the order of time."""
        steps = piece.steps
        ends = steps[:, 0] + steps[:, 1] * steps[:, 2]
        inside = np.flatnonzero((since + ends > self.begin) & (since + steps[:, 0] < self.end))
        for step in inside:
            first = max(since + float(steps[step, 0]), self.begin)
            last = min(since + float(ends[step]), self.end)
            if first == since + steps[step, 0]:
                self._blows(piece, since, int(step))
            for candidate in piece.touching[step]:
                if 0 <= candidate < len(piece.possible):
                    self.touch(int(candidate), first, last)
            if (piece.touching[step] >= 0).any():
                self._forces(piece, since, int(step), first, last)

    def _forces(self, piece: RigidRun, since: float, step: int, first: float, last: float) -> None:
        begin, length, _ = piece.steps[step]
        low, high = ((time - since - begin) / length for time in (first, last))
        blocks, forces = piece.blocks, piece.forces
        columns, contacts = view(blocks, layout.COLUMNS), view(blocks, layout.CONTACTS)
        bodies, rows = view(blocks, layout.STATE), view(blocks, layout.ROWS)
        for node, weight in zip(NODES, WEIGHTS, strict=True):
            n, v, _ = forces.solved(step, low + node * (high - low))
            for c in range(n):
                candidate = int(piece.touching[step, c])
                if candidate >= len(piece.possible) + len(piece.actions.stops):  # a joint that rubs
                    power = float(columns[layout.SOLVED, n + c] * (rows[n + c] @ v))
                    self.rubbed -= weight * (last - first) * power
                if candidate >= len(piece.possible):  # what leans on a stop does not move there
                    continue
                push = columns[layout.SOLVED, c], columns[layout.SOLVED, n + c]
                powers = _powers(bodies, _bodies(piece, candidate), contacts[c], push)
                self.touches[candidate][-1].got += weight * (last - first) * powers

    def _blows(self, piece: RigidRun, since: float, step: int) -> None:
        """Of the instant at which a step begins; a piece that goes on from another has none at its begin."""
        now = float(piece.steps[step, 0])
        if step == 0:
            return
        happened = piece.happened
        rows = happened[(happened[:, layout.TIME] == now) & (happened[:, layout.KIND] == IMPACT)]
        if not len(rows):
            return
        tree, blocks = piece.tree, piece.blocks
        y, after, before = (np.zeros(tree.freedoms) for _ in range(3))
        point_on_step(piece.points[step - 1], piece.steps[step - 1, 1], piece.steps[step - 1, 2], y, before)
        point_on_step(piece.points[step], piece.steps[step, 1], 0.0, y, after)
        mean = 0.5 * (before + after)
        slots = layout.STATE, layout.SPANS, layout.COORDINATES, layout.MEASURED
        state = PlaneState(*(view(blocks, slot) for slot in slots))
        place_tree(tree.machine, y, mean, state)
        touching = rows[:, layout.CANDIDATE].astype(np.int64)
        n = len(touching)
        # What joints rub off in a blow has no row of its own: it is what the blow takes beyond its contacts.
        rubs = len(view(blocks, layout.RUBBING)) > 0
        if rubs:
            self.rubbed += float(happened[happened[:, layout.TIME] == now, layout.LOST].sum())
        contact_rows_of.at(_WORK)(*blocks, touching, n)
        contacts, along = view(blocks, layout.CONTACTS), view(blocks, layout.ROWS)
        for c, row in enumerate(rows):
            candidate = int(touching[c])
            if candidate >= len(piece.possible):
                taken = -float(row[layout.NORMAL] * (along[c] @ mean))
                self.stopped += taken
                self.rubbed -= taken if rubs else 0.0
                continue
            impulse = row[layout.NORMAL], row[layout.TANGENTIAL]
            got = _powers(state.bodies, _bodies(piece, candidate), contacts[c], impulse)
            self.touch(candidate, since + now, since + now).got += got
            self.rubbed += float(got.sum()) if rubs else 0.0


def _bodies(piece: RigidRun, candidate: int) -> tuple[int, int]:
    a, b = piece.possible.pairs[piece.possible.listed[candidate, 3]]
    return int(a), int(b)


def _powers(state: Any, bodies: tuple[int, int], contact: Any, push: tuple[float, float]) -> Floats:
    """What a push along the normal, and one along (n_y, -n_x), do to the first and to the second body."""
    _, x, y, nx, ny = contact[:5]
    fx, fy = push[0] * nx + push[1] * ny, push[0] * ny - push[1] * nx
    got = []
    for body, way in zip(bodies, (-1.0, 1.0), strict=True):
        b = state[body]
        vx, vy = b[SPEED_X] - b[SPIN] * (y - b[Y]), b[SPEED_Y] + b[SPIN] * (x - b[X])
        got.append(way * (fx * vx + fy * vy))
    return np.array(got)


@dataclass(frozen=True)
class TakenByJoints:
    """What joints take meanwhile [J]: by their friction, and in blows at their limits."""

    rubbed: float
    stopped: float


def contacts_of(
    course: SimulatedCourse, begin: float, end: float
) -> tuple[tuple[PatternContact, ...], TakenByJoints]:
    """Contacts of a pattern in the order in which they begin: who pushes whom, what that gives and loses; and
    what joints take meanwhile."""
    pushing = _Pushing(course, begin, end)
    for piece, since in zip(course.pieces, course.begins, strict=True):
        pushing.add(piece, since)
    possible, system = course.first.possible, course.first.tree.system
    told = []
    for touches in pushing.touches.values():
        for touch in touches:
            a, b = possible.pairs[possible.listed[touch.candidate, 3]]
            names = system.bodies[a].name, system.bodies[b].name
            pushed = int(touch.got[1] >= touch.got[0])
            told.append(
                PatternContact(
                    contact=possible.name(touch.candidate), parts=names,
                    from_=touch.begin - begin, to=touch.end - begin,
                    pusher=names[1 - pushed], pushed=names[pushed],
                    given=float(touch.got[pushed]), lost=float(-touch.got.sum()),
                )
            )  # fmt: skip
    return tuple(sorted(told, key=lambda touch: (touch.from_, touch.to))), TakenByJoints(
        float(pushing.rubbed), float(pushing.stopped)
    )


def energy_of(
    course: SimulatedCourse,
    begin: float,
    end: float,
    contacts: tuple[PatternContact, ...],
    joints: TakenByJoints,
) -> PatternEnergy:
    """Of a pattern: what drives give, what is stored more at its end, what is lost where."""
    columns = course.along.at(np.array([begin, end]))
    given = float(np.diff(columns.driven)[0])
    for piece, since in zip(course.pieces, course.begins, strict=True):
        times = np.clip(np.array([begin, end]) - since, 0.0, piece.along.end)
        if times[1] > times[0] and len(view(piece.blocks, layout.DRIVEN)):
            given += float(np.diff(piece.forces.work(times)[:, 1])[0])
        at = piece.happened[:, layout.TIME] + since
        given += float(piece.happened[(at > max(begin, since)) & (at <= end), layout.GIVEN].sum())
    stored = float(np.diff(columns.kinetic + columns.stored)[0])
    damped = float(np.diff(columns.damped)[0])
    lost = sum(contact.lost for contact in contacts)
    left = float(given - stored - damped - lost - joints.rubbed - joints.stopped)
    return PatternEnergy(
        driven=given, stored=stored, damped=damped, lost=lost, elsewhere=left,
        rubbed=joints.rubbed, stopped=joints.stopped,
    )  # fmt: skip
