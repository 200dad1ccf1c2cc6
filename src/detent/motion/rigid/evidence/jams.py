"""Why drives at a speed cannot go on: forces that hold each other, of whatever size.

At an instant contacts and stops allow motions w with N w >= 0, joints that close loops and drives those with
H w = b. There is none where forces u >= 0 and m of them are in balance with each other, N'u + H'm = 0, while
the drives push on, m'b > 0 (Farkas' lemma). The least motion that they allow (Lawson and Hanson's least
distance, by non-negative least squares) tells both: how fast the machine would have to move beside its
drives, and these forces. Towards a dead point, of joints or of contacts, that grows without bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detent.mechanics.newton_euler import MovingParts, reactions
from detent.mechanics.tree_columns import TURN, X, Y
from detent.mechanics.tree_kernels import PlaneState, place_tree
from detent.motion.rigid import layout
from detent.motion.rigid.forces import contact_rows_of, drive_at, held_rows_of, load_drives, prepare
from detent.motion.rigid.layout import view
from detent.motion.rigid.touching import gather
from detent.motion.running.along import is_length

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.contact.candidate import Candidates
    from detent.mechanics.tree import Tree
    from detent.motion.rigid.acting import JointActions
    from detent.motion.rigid.layout import Blocks
    from detent.motion.running.driving import Driven

    Floats = NDArray[np.float64]

# Times as fast as its drives: a machine that would have to move faster does not.
MOST_FAST = 1e4
# The same of forces that friction holds: they need not be met by a motion, and must be in balance.
_MOST_HELD = 1e6
# Of the greatest: a force that is less holds nothing; a coordinate that is slower does not run away.
_HOLDS = 1e-5
_RUNS_AWAY = 1e-3
# Of how far forces are from balance: what their own size counts.
_SPREAD = 1e-4
# In distances at which features touch: contacts that are deeper are shut too far.
_SHUT = 4.0
# Of the speed that is asked for: so much of it the machine has where it comes to a dead point.
_FOLLOWS = 0.1


class JamContact(NamedTuple):
    """A contact, or behind those a stop, that is held: where it is [m], what holds it along and across."""

    candidate: int
    point: tuple[float, float]
    normal: tuple[float, float]
    push: float
    rub: float


@dataclass(frozen=True, eq=False)
class DriveJam:
    """Forces that hold each other at the end of a run, up to one common size."""

    drives: tuple[str, ...]
    contacts: tuple[JamContact, ...]  # that which pushes most first
    reactions: Mapping[str, Floats]  # by joint: (3,)
    faster: float  # than its drives, that the machine would have to move
    grows: bool  # it came to move so: this is a dead point
    speeds: Mapping[str, float]  # of coordinates that would then have no bound, up to their size
    squeezed: bool = False  # parts are in each other, and no motion takes them out

    @property
    def joints(self) -> tuple[str, ...]:
        """Joints that carry such a force."""
        return tuple(name for name, carried in self.reactions.items() if carried.any())


def jam_at_end(
    tree: Tree,
    possible: Candidates,
    actions: JointActions,
    driven: Driven,
    blocks: Blocks,
    *,
    friction: bool = False,
    squeezed: bool = False,
) -> DriveJam | None:
    """What leaves the drives no way on where a run has ended; with friction, what it holds fast.

    None where nothing is driven at a speed, or where there is a way. Where parts are in each other
    (`squeezed`), the way asked for is the one that takes them out, with all drives held.
    """
    if not len(view(blocks, layout.DRIVEN)) and not squeezed:
        return None
    if squeezed:  # all that touches, be it about to part
        view(blocks, layout.CLOCK)[0, layout.COUNT] = gather(*blocks, math.inf)
    rows = _Rows.at_end(len(possible) + len(actions.stops), blocks, friction)
    if rows is not None and squeezed:
        rows = rows.opening(_SHUT * view(blocks, layout.CONTROL)[0, layout.TOUCH])
    if rows is None or not (rows.speeds.any() or rows.opens.any()):
        return None
    found = rows.least_motion()
    if found is None:
        return None
    shares, faster, motion = found
    if faster < (_MOST_HELD if friction else MOST_FAST):
        return None
    held = shares[len(rows.sides) :]
    coordinates = driven.coordinates
    first = len(held) - len(coordinates)
    pushing = {
        each.drive: None
        for each, share in zip(coordinates, held[first:], strict=True)
        if abs(share) > _HOLDS * np.abs(shares).max()
    }
    contacts = rows.contacts(shares)
    state = PlaneState(
        *(view(blocks, slot) for slot in (layout.STATE, layout.SPANS, layout.COORDINATES, layout.MEASURED))
    )
    carried = _carried(tree, possible, actions, driven, state, contacts, held[first:] / rows.lengths[first:])
    aim = float(np.linalg.norm(motion)) or 1.0
    grows = float(rows.moving @ motion) / aim > _FOLLOWS * faster * rows.fastest
    speeds = _speeds(tree, state, blocks, rows.unscaled(motion)) if grows else {}
    return DriveJam(tuple(pushing), contacts, carried, faster, grows and not squeezed, speeds, squeezed)


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of contacts and of what holds, on motions as long as the root of their energy."""

    touching: NDArray[np.int64]  # (s,) candidate of each one-sided row
    number: NDArray[np.int64]  # (s,) of its contact
    rub: Floats  # (s,) friction beside a unit of push
    sides: Floats  # (s, m)
    held: Floats  # (h, m)
    lengths: Floats  # (h,) what held rows were divided by
    speeds: Floats  # (h,) that are asked of them, the greatest 1
    fastest: float  # that it was
    moving: Floats  # (m,) as it moves
    factor: Floats  # (m, m) of the mass
    size: Floats  # (s,) what one-sided rows were divided by
    points: Floats  # (C, 10)
    opens: Floats  # (s,) at least so fast one-sided rows must open

    def opening(self, shut: float) -> _Rows:
        """The same, held, with contacts opened that are deeper; the deepest at a speed of 1."""
        gaps = self.points[self.number, 0]
        depth = np.where(gaps < -shut, -gaps, 0.0) / self.size
        return replace(self, speeds=np.zeros_like(self.speeds), opens=depth / (depth.max(initial=0.0) or 1.0))

    @classmethod
    def at_end(cls, rubbing: int, blocks: Blocks, friction: bool) -> _Rows | None:
        """Of the blocks as a run left them; None where the mass is singular."""
        clock, motion = view(blocks, layout.CLOCK)[0], view(blocks, layout.MOTION)
        y, v, n = motion[layout.AT].copy(), motion[layout.MOVING].copy(), int(clock[layout.COUNT])
        now, touching = float(clock[layout.NOW]), view(blocks, layout.TOUCHING)[0]
        load_drives(*blocks, now)
        if not prepare(*blocks, y, v):
            return None
        factor = np.tril(view(blocks, layout.MASS)).copy()
        contact_rows_of(*blocks, touching, n)
        held_rows_of(*blocks)
        freedoms, columns, of_contacts = len(y), view(blocks, layout.COLUMNS), view(blocks, layout.ROWS)
        driven, held = view(blocks, layout.DRIVEN), view(blocks, layout.HELD)[:, :freedoms]
        rows, numbers, rubs = [], [], []
        for c in range(n):
            if touching[c] >= rubbing:
                continue
            mu = float(columns[layout.MU, c]) if friction else 0.0
            for rub in {mu, -mu}:
                rows.append(of_contacts[c] + (rub * of_contacts[n + c] if rub else 0.0))
                numbers.append(c)
                rubs.append(rub)
        sides = np.linalg.solve(factor, np.array(rows).reshape(-1, freedoms).T).T
        scaled = np.linalg.solve(factor, held.T).T
        speeds = np.zeros(len(held))
        speeds[len(held) - len(driven) :] = [drive_at(driven, d, now)[1] for d in range(len(driven))]
        size, lengths = (_lengths(each) for each in (sides, scaled))
        speeds = speeds / lengths
        fastest = float(np.abs(speeds).max(initial=0.0))
        return cls(
            touching[numbers], np.array(numbers, int), np.array(rubs), sides / size[:, None],
            scaled / lengths[:, None], lengths, speeds / (fastest or 1.0), fastest, factor.T @ v, factor,
            size, view(blocks, layout.CONTACTS).copy(), np.zeros(len(sides)),
        )  # fmt: skip

    def least_motion(self) -> tuple[Floats, float, Floats] | None:
        """Forces of all rows, those of held ones with their sign; how fast, and the least motion."""
        from scipy.optimize import nnls

        columns = np.concatenate([self.sides, self.held, -self.held])
        wanted = np.concatenate([self.opens, self.speeds, -self.speeds])
        matrix = np.concatenate([columns.T, wanted[None]])
        right = np.eye(len(matrix))[-1]
        # Where several could hold, all of them do: the least forces that come next to nothing from balance.
        spread = np.concatenate([matrix, _SPREAD * np.eye(len(wanted))])
        try:
            found, left = nnls(matrix, right, maxiter=100 * len(wanted))
            motion = (right - matrix @ found)[:-1]
            found, _ = nnls(spread, np.append(right, np.zeros(len(wanted))), maxiter=100 * len(wanted))
        except RuntimeError:
            return None
        sides, held = found[: len(self.sides)], found[len(self.sides) :].reshape(2, -1)
        return np.concatenate([sides, held[0] - held[1]]), 1.0 / max(float(left), 1e-300), -motion

    def unscaled(self, motion: Floats) -> Floats:
        """A motion in the independent speeds."""
        return np.asarray(np.linalg.solve(self.factor.T, motion))

    def contacts(self, shares: Floats) -> tuple[JamContact, ...]:
        """Those that hold."""
        found: dict[int, JamContact] = {}
        for k, share in enumerate(shares[: len(self.sides)]):
            if share > _HOLDS * np.abs(shares).max():
                c, push = int(self.number[k]), float(share / self.size[k])
                x, y, nx, ny = (float(number) for number in self.points[c, 1:5])
                known = found.get(c, JamContact(int(self.touching[k]), (x, y), (nx, ny), 0.0, 0.0))
                rub = known.rub + push * float(self.rub[k])
                found[c] = known._replace(push=known.push + push, rub=rub)
        return tuple(sorted(found.values(), key=lambda each: -each.push))


def _lengths(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1)
    return np.where(lengths > 0.0, lengths, 1.0)


def _carried(
    tree: Tree,
    possible: Candidates,
    actions: JointActions,
    driven: Driven,
    state: PlaneState,
    contacts: Sequence[JamContact],
    drives: Floats,
) -> dict[str, Floats]:
    """What joints carry of the forces alone that hold each other: no weight, no motion."""
    poses = state.bodies[None, :, [X, Y, TURN]].copy()
    machine = tree.machine._replace(gravity=np.zeros_like(tree.machine.gravity))
    still = MovingParts(
        replace(tree, machine=machine), poses, np.zeros(poses.shape[:2]), np.zeros_like(poses)
    )
    acting: dict[int, Floats] = {}
    efforts: dict[str, Floats] = {}

    def put(body: int, point: Any, force: Any, moment: float = 0.0) -> None:
        at, push = np.reshape(point, (1, 2)), np.reshape(force, (1, 2))
        wrench = np.column_stack([push, still.moment(body, at, push) + moment])
        acting[body] = acting.get(body, 0.0) + wrench

    for each in contacts:
        number = each.candidate - len(possible)
        if number >= 0:
            stop = actions.stops[number]
            amount = each.push * stop.length * (-1.0 if stop.upper else 1.0)
            efforts[stop.joint.name] = efforts.get(stop.joint.name, 0.0) + np.array([amount])
            continue
        nx, ny = each.normal
        force = np.array([each.push * nx + each.rub * ny, each.push * ny - each.rub * nx])
        a, b = possible.pairs[possible.listed[each.candidate, 3]]
        put(int(a), each.point, -force)
        put(int(b), each.point, force)
    for drive, share in zip(driven.coordinates, drives, strict=True):
        if drive.joint is not None:
            along = np.array([drive.measured.sign * float(share)])
            efforts[drive.joint] = efforts.get(drive.joint, 0.0) + along
        else:
            point = still.point(drive.body, complex(*drive.point))[0]
            wrench = np.eye(3)[drive.axis] * float(share)
            put(drive.body, point, wrench[:2], float(wrench[2]))
    found = reactions(still, acting, efforts)
    sizes = np.array([1.0, 1.0, 1.0 / tree.system.size])
    greatest = max(
        (float(np.nanmax(np.abs(rows[0] * sizes), initial=0.0)) for rows in found.values()), default=0.0
    )
    return {
        name: np.where(np.abs(rows[0] * sizes) > _HOLDS * greatest, rows[0], 0.0)
        for name, rows in found.items()
    }


def _speeds(tree: Tree, state: PlaneState, blocks: Blocks, motion: Floats) -> dict[str, float]:
    """Coordinates that move with a motion, but for those that hardly do."""
    place_tree(tree.machine, view(blocks, layout.MOTION)[layout.AT], motion, state)
    scales = np.array([tree.system.size if is_length(tree, name) else 1.0 for name in tree.coordinates])
    speeds = state.joints[1, : len(scales)] / scales
    greatest = np.abs(speeds).max(initial=0.0)
    return {
        name: float(speed)
        for name, speed in zip(tree.coordinates, speeds, strict=True)
        if abs(speed) > _RUNS_AWAY * greatest
    }
