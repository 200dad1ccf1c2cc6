"""What joints carry while a plane machine moves: Newton's and Euler's equations of every part.

    inertia of a part = its weight + forces of contacts + what its joints put on it

The accelerations are known, so that the equations are linear in what joints carry. A pin carries a force, a
slide a force across its line and a moment, a weld both, a gear the force of its teeth along their pitch
circles; springs, dampers and torques act along a joint's own freedom and are known; a drive at a speed
gives whatever it takes. What other forces could replace (a joint too many) stays open: not a number.

A reaction is what the first part of `between` puts on the second, through the joint and all that acts in it:
a force in the world's axes at the second part's point, and a moment about that point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.mechanics.axles import axle_of, axles_of_teeth
from detent.mechanics.tree import Tree, end_angle, in_section
from detent.mechanics.tree_kernels import CENTRE_X, CENTRE_Y, HUB_X, HUB_Y, INERTIA, MASS, PIN
from detent.model.machine.plane_linkage import axis_sign

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.machine.plane_linkage import PlaneJoint

    Floats = NDArray[np.float64]

# Of the greatest: a share below is none.
_RANK = 1e-9
_OPEN = 1e-6
_ROUNDING = 1e-13
# Numbers of the equations that are solved at once.
_BATCH = 4_000_000


@dataclass(frozen=True, eq=False)
class MovingParts:
    """Poses [m, rad], spins and accelerations of all bodies, of their origins, at R instants."""

    tree: Tree
    poses: Floats  # (R, N, 3)
    spins: Floats  # (R, N)
    rates: Floats  # (R, N, 3)

    def at(self, row: int) -> MovingParts:
        """One instant of them."""
        one = slice(row, row + 1)
        return MovingParts(self.tree, self.poses[one], self.spins[one], self.rates[one])

    def point(self, body: int, at: complex) -> Floats:
        """A point of a body in the world (R, 2)."""
        c, s = np.cos(self.poses[:, body, 2]), np.sin(self.poses[:, body, 2])
        x, y = c * at.real - s * at.imag, s * at.real + c * at.imag
        return np.column_stack([self.poses[:, body, 0] + x, self.poses[:, body, 1] + y])

    def moment(self, body: int, points: Floats, forces: Floats) -> Floats:
        """Of forces at points, about a body's origin (R,)."""
        arms = points - self.poses[:, body, :2]
        moment: Floats = arms[:, 0] * forces[:, 1] - arms[:, 1] * forces[:, 0]
        return moment

    def centre(self, body: int) -> Floats:
        """The centre of mass in the world."""
        row = self.tree.machine.bodies[body]
        return self.point(body, complex(row[CENTRE_X], row[CENTRE_Y]))

    def pivot(self, body: int) -> Floats:
        """The pin on which a part hangs in the tree, else its centre of mass."""
        row = self.tree.machine.bodies[body]
        hangs = any(link.body == body and link.kind == PIN for link in self.tree.links)
        return self.point(body, complex(row[HUB_X], row[HUB_Y])) if hangs else self.centre(body)

    def inertia(self, body: int) -> Floats:
        """Mass times acceleration of the centre, and the moment about the origin that goes with it (R, 3)."""
        row, rates = self.tree.machine.bodies[body], self.rates[:, body]
        arms = self.centre(body) - self.poses[:, body, :2]
        force = row[MASS] * self._acceleration(body, arms)
        moment = row[INERTIA] * rates[:, 2] + arms[:, 0] * force[:, 1] - arms[:, 1] * force[:, 0]
        return np.column_stack([force, moment])

    def _acceleration(self, body: int, arms: Floats) -> Floats:
        turn, spin = self.rates[:, body, 2:3], self.spins[:, body, None]
        across = np.column_stack([-arms[:, 1], arms[:, 0]])
        total: Floats = self.rates[:, body, :2] + turn * across - spin**2 * arms
        return total

    def acceleration(self, body: int, points: Floats, row: int) -> Floats:
        """Of the part's material at one instant, at a point in the world (2,) [m/s²]."""
        one, arms = self.at(row), points[row : row + 1] - self.poses[row : row + 1, body, :2]
        total: Floats = one._acceleration(body, arms)[0]
        return total

    def weight(self, body: int) -> Floats:
        """Force and moment about the origin (R, 3)."""
        force = np.tile(
            self.tree.machine.bodies[body, MASS] * self.tree.machine.gravity, (len(self.poses), 1)
        )
        return np.column_stack([force, self.moment(body, self.centre(body), force)])

    def torque(self, body: int) -> Floats:
        """[N m] The net torque on a part about its pivot, as its motion shows it."""
        wrench = self.inertia(body)
        arms = self.poses[:, body, :2] - self.pivot(body)
        torque: Floats = wrench[:, 2] + arms[:, 0] * wrench[:, 1] - arms[:, 1] * wrench[:, 0]
        largest = self.tree.system.size * np.hypot(wrench[:, 0], wrench[:, 1])
        torque[np.abs(torque) < _ROUNDING * largest] = 0.0
        return torque


@dataclass(frozen=True, eq=False)
class _Carried:
    """One number that a joint carries: what a unit of it puts on bodies, and on the reaction told (R, 3)."""

    joint: int
    on: tuple[tuple[int, Floats], ...]  # by body, about its origin
    told: Floats  # force on the second part, moment about the joint's point


def reactions(
    moving: MovingParts,
    acting: Mapping[int, Floats],
    efforts: Mapping[str, Floats],
    driven: Sequence[str] = (),
) -> dict[str, Floats]:
    """By joint (R, 3): force [N] on its second part in the world's axes, moment [N m] about its point there.

    `acting` are forces and moments about their origins that contacts put on bodies, `efforts` what acts
    along the freedoms of joints as their coordinates grow [N m, N], `driven` the joints where that is not
    known. Not a number where statics leaves it open.
    """
    pairs = moving.tree.linkage.pairs
    told = np.zeros((len(moving.poses), len(pairs), 3))
    left = {link.body: moving.inertia(link.body) - moving.weight(link.body) for link in moving.tree.links}
    for body, wrench in acting.items():
        if body in left:
            left[body] = left[body] - wrench
    unknown: list[_Carried] = []
    for k, pair in enumerate(pairs):
        unknown += _carried(moving, k, pair)
        if pair.name in efforts or pair.name in driven:
            along = _along(moving, k, pair)
            if pair.name in efforts:
                told[:, k] += efforts[pair.name][:, None] * along.told
                for body, wrench in along.on:
                    if body in left:
                        left[body] = left[body] - efforts[pair.name][:, None] * wrench
            if pair.name in driven:
                unknown.append(along)
    if unknown:
        _solve(moving, unknown, left, told)
    sizes = np.array([1.0, 1.0, 1.0 / moving.tree.system.size])
    strongest = np.max([np.abs(wrench * sizes).max(axis=1) for wrench in left.values()], axis=0, initial=0.0)
    strongest = np.fmax(strongest, np.fmax.reduce(np.abs(told * sizes), axis=(1, 2), initial=0.0))
    told[np.abs(told * sizes) < _ROUNDING * strongest[:, None, None]] = 0.0
    return {pair.name: told[:, k] for k, pair in enumerate(pairs)}


def divided(
    moving: MovingParts, forces: Sequence[Mapping[int, Floats]], driven: Sequence[str] = ()
) -> tuple[tuple[bool, ...], tuple[str, ...]]:
    """Which of some forces, at one instant, others can replace; each as what a unit of it puts on bodies.

    And the joints whose reactions differ with how these forces and the joints divide the load.
    """
    unknown = _unknown(moving, driven)
    scale = _moments_as_forces(moving)
    matrix, largest = _columns(moving, [*(dict(each.on) for each in unknown), *forces])
    _, sizes, v = np.linalg.svd(matrix, full_matrices=True)
    rank = int((sizes > _RANK * sizes.max(initial=0.0)).sum())
    shares = np.abs(v[rank:, len(unknown) :]).max(axis=0, initial=0.0)
    differ = []
    for k, pair in enumerate(moving.tree.linkage.pairs):
        own = [column for column, each in enumerate(unknown) if each.joint == k]
        reading = np.array([unknown[column].told[0] * scale / largest[column] for column in own])
        change = np.abs(v[rank:, own] @ reading).max(initial=0.0) if own else 0.0
        if change > _OPEN * np.abs(reading).max(initial=0.0):
            differ.append(pair.name)
    return tuple(bool(share > _OPEN) for share in shares), tuple(differ)


def squeezed(
    moving: MovingParts,
    one_sided: Sequence[Mapping[int, Floats]],
    free: Sequence[Mapping[int, Floats]] = (),
    driven: Sequence[str] = (),
) -> tuple[bool, ...]:
    """Which of some forces that only push can do so, at one instant, against joints and each other alone.

    `free` forces are whatever they must be, as joints' reactions are.
    """
    from detent.numeric.linear_program import maximise

    count = len(one_sided)
    unknown = [dict(each.on) for each in _unknown(moving, driven)]
    matrix, _ = _columns(moving, [*unknown, *free, *one_sided])
    u, sizes, _ = np.linalg.svd(matrix[:, : matrix.shape[1] - count], full_matrices=True)
    held = int((sizes > _RANK * sizes.max(initial=0.0)).sum())
    left = u[:, held:].T @ matrix[:, matrix.shape[1] - count :]  # what joints cannot take of each
    left[np.abs(left) < _OPEN] = 0.0
    pushes = maximise(np.ones(count), left, 0.0, 0.0, least=0.0, most=1.0)
    return (False,) * count if pushes is None else tuple(bool(push > _OPEN) for push in pushes)


def _unknown(moving: MovingParts, driven: Sequence[str]) -> list[_Carried]:
    """What joints carry, and drives of joints give, whatever that is."""
    pairs = list(enumerate(moving.tree.linkage.pairs))
    carried = [each for k, pair in pairs for each in _carried(moving, k, pair)]
    return carried + [_along(moving, k, pair) for k, pair in pairs if pair.name in driven]


def _moments_as_forces(moving: MovingParts) -> Floats:
    """Moments count as forces at the machine's size."""
    return np.array([1.0, 1.0, 1.0 / moving.tree.system.size])


def _columns(moving: MovingParts, forces: Sequence[Mapping[int, Floats]]) -> tuple[Floats, Floats]:
    """What units of forces put on moving parts, at one instant: columns of size one; and their sizes."""
    place = {link.body: k for k, link in enumerate(moving.tree.links)}
    scale = _moments_as_forces(moving)
    matrix = np.zeros((3 * len(place), len(forces)))
    for column, on in enumerate(forces):
        for body, wrench in on.items():
            if body in place:
                matrix[3 * place[body] : 3 * place[body] + 3, column] += wrench.reshape(3) * scale
    largest = np.abs(matrix).max(axis=0, initial=0.0)
    largest[largest == 0.0] = 1.0
    return matrix / largest, largest


def along_joint(moving: MovingParts, name: str) -> dict[int, Floats]:
    """What a unit along a joint's freedom puts on bodies, as its coordinate grows, about their origins."""
    pairs = enumerate(moving.tree.linkage.pairs)
    return dict(next(_along(moving, k, pair) for k, pair in pairs if pair.name == name).on)


def _solve(moving: MovingParts, unknown: list[_Carried], left: dict[int, Floats], told: Floats) -> None:
    """Adds what the unknowns come to, a batch of instants at a time."""
    size, place = moving.tree.system.size, {body: k for k, body in enumerate(left)}
    rows, count = 3 * len(left), len(moving.poses)
    scale = np.array([1.0, 1.0, 1.0 / size])  # moments as forces at the machine's size
    batch = max(1, _BATCH // (rows * max(rows, len(unknown))))
    for first in range(0, count, batch):
        at = slice(first, min(first + batch, count))
        matrix = np.zeros((at.stop - first, rows, len(unknown)))
        right = np.concatenate([wrench[at] * scale for wrench in left.values()], axis=1)
        reading = np.zeros((at.stop - first, told.shape[1], 3, len(unknown)))
        for column, carried in enumerate(unknown):
            for body, wrench in carried.on:
                if body in place:
                    begin = 3 * place[body]
                    matrix[:, begin : begin + 3, column] += wrench[at] * scale
            reading[:, carried.joint, :, column] = carried.told[at]
        largest = np.abs(matrix).max(axis=1, keepdims=True)
        largest[largest == 0.0] = 1.0
        told[at] += _told(matrix / largest, right, reading / largest[:, :, None])


def _told(matrix: Floats, right: Floats, reading: Floats) -> Floats:
    """Readings of the solutions; not a number where solutions differ in them."""
    count, rows, unknowns = matrix.shape
    total = np.full(reading.shape[:-1], np.nan)
    sound = np.zeros(count, bool)
    if rows >= unknowns:
        q, r = np.linalg.qr(matrix)
        diagonal = np.abs(np.diagonal(r, axis1=1, axis2=2))
        sound = diagonal.min(axis=1) > 1e-7 * diagonal.max(axis=1)
        if sound.any():
            side = np.einsum("rij,ri->rj", q[sound], right[sound])
            solved = np.linalg.solve(r[sound], side[:, :, None])[:, :, 0]
            total[sound] = np.einsum("rjcu,ru->rjc", reading[sound], solved)
    for row in np.flatnonzero(~sound):
        u, sizes, v = np.linalg.svd(matrix[row], full_matrices=True)
        rank = int((sizes > _RANK * sizes[0]).sum())
        solved = v[:rank].T @ ((u[:, :rank].T @ right[row]) / sizes[:rank])
        values = reading[row] @ solved
        largest = np.abs(reading[row]).max(axis=-1)
        differs = np.abs(reading[row] @ v[rank:].T).max(axis=-1, initial=0.0)
        total[row] = np.where(differs > _OPEN * np.maximum(largest, 1e-300), np.nan, values)
    return total


def _carried(moving: MovingParts, k: int, pair: PlaneJoint) -> list[_Carried]:
    """What a joint carries besides what acts along its freedom."""
    count = len(moving.poses)
    x, y = np.tile([1.0, 0.0], (count, 1)), np.tile([0.0, 1.0], (count, 1))
    if pair.kind == "revolute":
        return [_force(moving, k, pair, axis) for axis in (x, y)]
    if pair.kind == "fixed":
        return [*(_force(moving, k, pair, axis) for axis in (x, y)), _moment(moving, k, pair)]
    if pair.kind == "gear":
        return [_teeth(moving, k, pair)]
    if pair.kind == "angle":
        return [_moment(moving, k, pair)]
    line = _line(moving, pair)
    across = _force(moving, k, pair, np.column_stack([-line[:, 1], line[:, 0]]))
    return [across] if pair.kind == "in_line" else [across, _moment(moving, k, pair)]


def _along(moving: MovingParts, k: int, pair: PlaneJoint) -> _Carried:
    """What a unit along a joint's own freedom puts on its parts."""
    if pair.kind == "revolute":
        return _moment(moving, k, pair, axis_sign(moving.tree.system, pair))
    return _force(moving, k, pair, _line(moving, pair))


def _line(moving: MovingParts, pair: PlaneJoint) -> Floats:
    """The direction of a slide, which goes with its first part."""
    angle = moving.poses[:, pair.a.part, 2] + end_angle(moving.tree.system, moving.tree.linkage, pair.a)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _force(moving: MovingParts, k: int, pair: PlaneJoint, force: Floats) -> _Carried:
    a, b = pair.a.part, pair.b.part
    points = moving.point(b, in_section(moving.tree.linkage, moving.tree.system, pair.b))
    on_b = np.column_stack([force, moving.moment(b, points, force)])
    on_a = -np.column_stack([force, moving.moment(a, points, force)])
    return _Carried(k, ((a, on_a), (b, on_b)), np.column_stack([force, np.zeros(len(force))]))


def _moment(moving: MovingParts, k: int, pair: PlaneJoint, sign: float = 1.0) -> _Carried:
    wrench = np.tile([0.0, 0.0, sign], (len(moving.poses), 1))
    return _Carried(k, ((pair.a.part, -wrench), (pair.b.part, wrench)), wrench)


def _teeth(moving: MovingParts, k: int, pair: PlaneJoint) -> _Carried:
    """Teeth push along the common tangent of the pitch circles, where these meet; else a gear is a pair of
    torques."""
    a, b, ratio, carrier = pair.a.part, pair.b.part, pair.ratio, pair.carrier
    axles = axles_of_teeth(moving.tree, pair)
    if axles is not None:
        from_a, to_b = moving.point(a, axles[0]), moving.point(b, axles[1])
        between = to_b - from_a
        apart = np.hypot(between[:, 0], between[:, 1])
        at = from_a + ratio / (ratio - 1.0) * between
        force = np.column_stack([-between[:, 1], between[:, 0]]) / apart[:, None]
        wrench_b = np.column_stack([force, moving.moment(b, at, force)])
        wrench_a = -np.column_stack([force, moving.moment(a, at, force)])
        told = np.column_stack([force, _about(at - to_b, force)])
        return _Carried(k, ((a, wrench_a), (b, wrench_b)), told)
    unit = np.tile([0.0, 0.0, 1.0], (len(moving.poses), 1))
    on = [(b, unit), (a, -ratio * unit)]
    if carrier >= 0:
        on.append((carrier, (ratio - 1.0) * unit))
    return _Carried(k, tuple(on), unit)


def _about(arms: Floats, forces: Floats) -> Any:
    return arms[:, 0] * forces[:, 1] - arms[:, 1] * forces[:, 0]


def joint_points(moving: MovingParts) -> dict[str, Floats]:
    """Where the reaction of each joint acts (R, 2) [m]: the second part's point; of a gear, its axle."""
    tree = moving.tree
    places = {}
    for pair in tree.linkage.pairs:
        at = in_section(tree.linkage, tree.system, pair.b)
        if pair.kind == "gear":
            axle = axle_of(tree, pair.b.part, pair.carrier)
            at = at if axle is None else axle
        places[pair.name] = moving.point(pair.b.part, at)
    return places
