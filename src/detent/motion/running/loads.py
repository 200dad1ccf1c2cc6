"""What acts in a machine at instants of a run: forces of contacts, reactions of joints, torques on parts.

A method says which contacts push and rub, and how bodies are accelerated (`LoadRows`); what joints carry then
follows from the equations of every part (`mechanics.newton_euler`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detent.mechanics.newton_euler import MovingParts, along_joint, divided, joint_points, reactions, squeezed
from detent.mechanics.tree_columns import PRODUCT_X, PRODUCT_Y, SPIN, TURN, X, Y
from detent.mechanics.tree_kernels import DAMPING, MASS, REST, STIFFNESS, TORQUE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.mechanics.tree import Tree
    from detent.mechanics.tree_kernels import PlaneState

    Floats = NDArray[np.float64]

# Sizes per second: a contact that slides slower sticks, unless it is about to: as many, per second squared.
_STILL = 1e-7
# Of what is accelerated at a contact: less of it along the contact is rounding.
_BEGINS = 1e-9


@dataclass(frozen=True, eq=False)
class ContactLoad:
    """One pair of features over R instants, zero where it does not touch; the force is on the second body."""

    name: str
    bodies: tuple[int, int]
    points: Floats  # (R, 2) [m]
    normals: Floats  # (R, 2): from the first body to the second
    pushes: Floats  # (R,) [N] along the normal
    rubs: Floats  # (R,) [N] along (n_y, -n_x)
    slides: Floats  # (R,) [m/s] of the second body past the first along it

    @property
    def tangents(self) -> Floats:
        """The directions (n_y, -n_x)."""
        return np.column_stack([self.normals[:, 1], -self.normals[:, 0]])

    @property
    def forces(self) -> Floats:
        """(R, 2) [N] in the world's axes."""
        total: Floats = self.pushes[:, None] * self.normals + self.rubs[:, None] * self.tangents
        return total


@dataclass(eq=False)
class LoadRows:
    """Rows that a method fills, one instant at a time."""

    tree: Tree
    times: Floats
    poses: Floats = field(init=False)
    spins: Floats = field(init=False)
    rates: Floats = field(init=False)
    pulls: Floats = field(init=False)  # (R, k): springs, dampers and torques along coordinates
    contacts: dict[int, ContactLoad] = field(default_factory=dict)  # by candidate
    efforts: dict[str, Floats] = field(default_factory=dict)  # by joint: what else acts along its freedom
    outside: dict[int, Floats] = field(default_factory=dict)  # by body: what drives put on it (R, 3)
    # By body and axis (x, y, rotation) along which a drive leads it: the point where it does (R, 2).
    led: dict[tuple[int, int], Floats] = field(default_factory=dict)
    stops: dict[str, Floats] = field(default_factory=dict)  # by stop of a joint [N m, N]
    resting: dict[str, Floats] = field(default_factory=dict)  # by joint that rubs: 1 where it sticks

    def __post_init__(self) -> None:
        rows, bodies = len(self.times), len(self.tree.system.bodies)
        self.poses, self.rates = np.zeros((rows, bodies, 3)), np.zeros((rows, bodies, 3))
        self.spins = np.zeros((rows, bodies))
        self.pulls = np.zeros((rows, len(self.tree.coordinates)))

    def place(self, row: int, state: PlaneState, accelerations: Floats) -> None:
        """Bodies as they are placed, with the accelerations of the independent coordinates."""
        bodies, joints = state.bodies, self.tree.machine.joints
        self.poses[row] = bodies[:, [X, Y, TURN]]
        self.spins[row] = bodies[:, SPIN]
        self.rates[row] = (state.spans @ accelerations).reshape(-1, 3)
        self.rates[row, :, :2] += bodies[:, [PRODUCT_X, PRODUCT_Y]]
        at, speed = state.joints
        self.pulls[row] = joints[:, TORQUE] - joints[:, DAMPING] * speed
        self.pulls[row] -= joints[:, STIFFNESS] * (at - joints[:, REST])

    def touch(
        self,
        row: int,
        candidate: int,
        name: str,
        bodies: tuple[int, int],
        contact: Floats,
        acting: tuple[float, float, float],
    ) -> None:
        """A contact as a row of `contact.at_state`; what pushes, rubs and slides there."""
        load = self.contacts.get(candidate)
        if load is None:
            rows = len(self.times)
            places = np.zeros((rows, 2)), np.zeros((rows, 2))
            load = ContactLoad(name, bodies, *places, np.zeros(rows), np.zeros(rows), np.zeros(rows))
            self.contacts[candidate] = load
        load.points[row], load.normals[row] = contact[1:3], contact[3:5]
        load.pushes[row], load.rubs[row], load.slides[row] = acting

    def effort(self, row: int, joint: str, amount: float) -> None:
        """Adds what acts along a joint's freedom, as its coordinate grows [N m, N]."""
        self.efforts.setdefault(joint, np.zeros(len(self.times)))[row] += amount

    def lead(self, row: int, body: int, point: Floats, axis: int, amount: float) -> None:
        """Adds what a drive puts on a body, along x or y at a point of it, or as a moment."""
        wrench = np.zeros(3)
        wrench[axis] = amount
        self.led.setdefault((body, axis), np.zeros((len(self.times), 2)))[row] = point
        x, y, moment = wrench
        arm_x, arm_y = point - self.poses[row, body, :2]
        total = self.outside.setdefault(body, np.zeros((len(self.times), 3)))
        total[row] += x, y, moment + arm_x * y - arm_y * x

    def rest(self, row: int, joint: str) -> None:
        """A joint that rubs sticks: its friction is what it must be, and not known by itself."""
        self.resting.setdefault(joint, np.zeros(len(self.times)))[row] = 1.0

    def stop(self, row: int, name: str, joint: str, amount: float, *, upper: bool) -> None:
        """What a stop of a joint pushes with [N m, N]."""
        self.stops.setdefault(name, np.zeros(len(self.times)))[row] = amount
        self.effort(row, joint, -amount if upper else amount)

    def loads(self, driven: Sequence[str], boundless: Boundless | None = None) -> RunLoads:
        """All of it; `driven` are joints along whose freedom a drive gives whatever it takes."""
        efforts = dict(self.efforts)
        for k, name in enumerate(self.tree.coordinates):
            if self.pulls[:, k].any():
                efforts[name] = efforts.get(name, 0.0) + self.pulls[:, k]
        moving = MovingParts(self.tree, self.poses, self.spins, self.rates)
        contacts = tuple(self.contacts.values())
        return RunLoads(
            self.times, moving, contacts, efforts, tuple(driven), self.outside, self.led, self.stops,
            self.resting, boundless,
        )  # fmt: skip


class Boundless(NamedTuple):
    """When a machine jams, and the force [N] above which one there has grown without bound.

    Besides, by name, what holds the jam: forces of which only a direction, a sign, is known.
    """

    since: float
    force: float = math.inf
    pushes: Mapping[str, float] = {}  # of contacts and stops
    rubs: Mapping[str, float] = {}
    reactions: Mapping[str, Floats] = {}  # (3,)
    speeds: Mapping[str, float] = {}  # of joints that come to a dead point

    def told(self, times: Floats, values: Floats, per: Any = 1.0) -> Floats:
        """Values by row, those without bound infinite; `per` of a moment is an arm [m]."""
        beyond = self._late(times, values) & (np.abs(values) > self.force * per)
        return np.asarray(np.where(beyond, np.copysign(np.inf, values), values))

    def held(self, times: Floats, values: Floats, direction: Any) -> Floats:
        """Values by row, infinite where a direction is not zero at the jam."""
        beyond = self._late(times, values) & (np.asarray(direction) != 0.0)
        return np.asarray(np.where(beyond, np.copysign(np.inf, direction), values))

    def all_held(self, times: Floats, by_name: Mapping[str, Floats], holding: Mapping[str, Any]) -> Any:
        """The same by name; what holds and is not among the values is added."""
        columns = {name: np.zeros(len(times)) for name in holding if name not in by_name} | dict(by_name)
        return {
            name: self.held(times, column, holding[name]) if name in holding else column
            for name, column in columns.items()
        }

    def _late(self, times: Floats, values: Floats) -> Any:
        return (times >= self.since * (1 - 1e-12)).reshape(-1, *[1] * (values.ndim - 1))


@dataclass(frozen=True, eq=False)
class RunLoads:
    """Forces at R instants of a run, in SI."""

    times: Floats
    moving: MovingParts
    contacts: tuple[ContactLoad, ...]
    efforts: dict[str, Floats]
    driven: tuple[str, ...]
    outside: dict[int, Floats]
    led: dict[tuple[int, int], Floats]  # by body and axis that a drive leads: where (R, 2)
    stops: dict[str, Floats]
    resting: dict[str, Floats]
    boundless: Boundless | None = None

    def told(self, row: int, values: Any, per: Any = 1.0) -> Any:
        """Numbers of one row, those without bound infinite."""
        if self.boundless is None:
            return values
        return self.boundless.told(self.times[row : row + 1], np.asarray(values, float)[None], per)[0]

    def _told(self, values: Floats, per: Any = 1.0) -> Floats:
        return values if self.boundless is None else self.boundless.told(self.times, values, per)

    @property
    def tree(self) -> Tree:
        return self.moving.tree

    def _summed(self, column: str) -> dict[str, Floats]:
        by_name: dict[str, Floats] = {}
        for load in self.contacts:
            by_name[load.name] = by_name.get(load.name, 0.0) + getattr(load, column)
        return {name: self._told(values) for name, values in by_name.items()}

    @cached_property
    def pushes(self) -> dict[str, Floats]:
        """[N] By contact, along its normal; of stops of joints, of pins [N m]."""
        found = self._summed("pushes") | {name: self._told(values) for name, values in self.stops.items()}
        return self._held(found, "pushes")

    def _held(self, found: dict[str, Floats], what: str) -> dict[str, Floats]:
        """By name, infinite where they hold a jam."""
        if self.boundless is None:
            return found
        held: dict[str, Floats] = self.boundless.all_held(self.times, found, getattr(self.boundless, what))
        return held

    @cached_property
    def rubs(self) -> dict[str, Floats]:
        """[N] By contact that rubs, along (n_y, -n_x), on the second part."""
        found = {name: column for name, column in self._summed("rubs").items() if column.any()}
        return self._held(found, "rubs")

    def speeds_told(self, speeds: Mapping[str, Floats]) -> dict[str, Floats]:
        """Speeds of joints by row, infinite where they come to a dead point."""
        return self._held(dict(speeds), "speeds")

    def energy_told(self, energy: Mapping[Any, Floats]) -> dict[Any, Floats]:
        """Energies by row: what moves without bound stores so much, and drives give it."""
        if self.boundless is None or not self.boundless.speeds:
            return dict(energy)
        grown: dict[Any, Floats] = self.boundless.all_held(self.times, energy, {"stored": 1.0, "input": 1.0})
        return grown

    @cached_property
    def acting(self) -> dict[int, Floats]:
        """By body: forces of contacts and of drives on parts, and their moments about its origin (R, 3)."""
        total = dict(self.outside)
        for load in self.contacts:
            for body, sign in zip(load.bodies, (-1.0, 1.0), strict=True):
                forces = sign * load.forces
                wrench = np.column_stack([forces, self.moving.moment(body, load.points, forces)])
                total[body] = total.get(body, 0.0) + wrench
        return total

    @cached_property
    def reactions(self) -> dict[str, Floats]:
        """By joint (R, 3): on its second part [N], moment about its point there [N m]; NaN: open."""
        arms = np.array([1.0, 1.0, self.tree.system.size])
        found = reactions(self.moving, self.acting, self.efforts, self.driven)
        return self._held({name: self._told(rows, arms) for name, rows in found.items()}, "reactions")

    @property
    def shared(self) -> tuple[str, ...]:
        """Contacts and stops whose forces are one way of several to divide a load, at some instant."""
        return tuple(name for name in self._open[0] if name not in self.resting)

    @property
    def told_one_way(self) -> tuple[str, ...]:
        """Joints whose reactions go with the one way that is shown to divide a load among contacts."""
        return self._open[1]

    @property
    def held_by_friction(self) -> tuple[str, ...]:
        """Joints at rest whose friction is one way of several to hold a load, at some instant."""
        return tuple(name for name in self._open[0] if name in self.resting)

    @cached_property
    def pressed_by_joints(self) -> tuple[str, ...]:
        """Contacts that touch and carry nothing, but could anything: joints, and others of them on the other
        side, hold their parts there."""
        pressed = () if self.boundless is None else self.boundless.pushes  # by drives
        idle = [load for load in self.contacts if not load.pushes.any() and load.name not in pressed]
        if not idle:
            return ()
        names: dict[str, None] = {}
        touching = np.array([load.normals.any(axis=1) for load in idle]).T
        for pattern in np.unique(touching, axis=0):
            row = int(np.flatnonzero((touching == pattern).all(axis=1))[0])
            together = [idle[k] for k in np.flatnonzero(pattern)]
            names |= dict.fromkeys(self._squeezed(row, together) if together else ())
        return tuple(names)

    def _squeezed(self, row: int, contacts: Sequence[ContactLoad]) -> list[str]:
        """Of contacts that carry nothing, those that could push, against joints or each other."""
        moving = self.moving.at(row)
        pushes = [self._unit(moving, row, load, load.normals[row]) for load in contacts]
        drives = [self._lead(moving, row, *way) for way in self.led]
        could = squeezed(moving, pushes, drives, self.driven)
        return [load.name for load, pressed in zip(contacts, could, strict=True) if pressed]

    def _unit(self, moving: MovingParts, row: int, load: ContactLoad, way: Floats) -> dict[int, Floats]:
        """What a unit of force along some direction at a contact puts on its two bodies."""
        on = {}
        for body, sign in zip(load.bodies, (-1.0, 1.0), strict=True):
            force = sign * way[None]
            on[body] = np.append(force, moving.moment(body, load.points[row : row + 1], force))
        return on

    @cached_property
    def _open(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        # One that touches and carries nothing could carry something in another division; so could friction of
        # a joint that is loaded.
        loaded = [
            (sticks > 0.0) & (self.reactions[name][:, :2] != 0.0).any(axis=1)
            for name, sticks in self.resting.items()
        ]
        stopped = [column > 0.0 for column in self.stops.values()]
        acting = np.array([*(load.normals.any(axis=1) for load in self.contacts), *loaded, *stopped]).T
        if acting.ndim < 2 or acting.shape[1] < 2:
            return (), ()
        names: dict[str, None] = {}
        joints: dict[str, None] = {}
        for pattern in np.unique(acting, axis=0):
            row, count = int(np.flatnonzero((acting == pattern).all(axis=1))[0]), len(self.contacts)
            pushed = any(load.pushes[row] > 0.0 for load in self.contacts)
            if pattern.sum() < 2 or not (pushed or pattern[count:].any()):
                continue
            touching = [self.contacts[k] for k in np.flatnonzero(pattern[:count])]
            at_joints = zip((*self.resting, *self.stops), pattern[count:], strict=True)
            open_ones, differ = self._divided(row, touching, [name for name, on in at_joints if on])
            names |= dict.fromkeys(open_ones)
            joints |= dict.fromkeys(name for name in differ if not np.isnan(self.reactions[name][row]).any())
        return tuple(names), tuple(joints)

    def _divided(
        self, row: int, contacts: Sequence[ContactLoad], at_joints: Sequence[str]
    ) -> tuple[list[str], tuple[str, ...]]:
        """Of contacts, friction at rest and stops of joints, those that others can replace; see `divided`."""
        moving, still = self.moving.at(row), _STILL * self.tree.system.size
        units: list[tuple[str, dict[int, Floats]]] = []
        for load in contacts:
            ratio = load.rubs[row] / load.pushes[row] if load.pushes[row] else 0.0
            slides = abs(load.slides[row]) >= still or self._begins_to_slide(row, load, still)
            sticks = bool(ratio) and not slides
            normal, tangent = load.normals[row], load.tangents[row]
            ways = [normal, tangent] if sticks else [normal + ratio * tangent]
            units += [(load.name, self._unit(moving, row, load, way)) for way in ways]
        for name in at_joints:
            joint = name.rpartition(".")[0] if name in self.stops else name
            units.append((name, along_joint(moving, joint)))
        drives = [self._lead(moving, row, *way) for way in self.led]
        open_ones, differ = divided(moving, [*(on for _, on in units), *drives], self.driven)
        return [name for (name, _), is_open in zip(units, open_ones, strict=False) if is_open], differ

    def _begins_to_slide(self, row: int, load: ContactLoad, still: float) -> bool:
        """Whether a contact that does not slide yet is about to: its friction is known then."""
        first, second = (self.moving.acceleration(body, load.points, row) for body in load.bodies)
        along = abs((second - first) @ load.tangents[row])
        return bool(along > max(still, _BEGINS * max(np.hypot(*first), np.hypot(*second))))

    def _lead(self, moving: MovingParts, row: int, body: int, axis: int) -> dict[int, Floats]:
        """What a unit of a drive puts on the body that it leads: it gives whatever that takes."""
        wrench = np.eye(3)[axis]
        force, point = wrench[None, :2], self.led[body, axis][row : row + 1]
        return {body: np.append(force, wrench[2] + moving.moment(body, point, force))}

    @cached_property
    def joint_points(self) -> dict[str, Floats]:
        """By joint (R, 2) [m]: where its reaction acts."""
        return joint_points(self.moving)

    @cached_property
    def torques(self) -> dict[str, Floats]:
        """[N m] By moving part: the net torque about its pivot, a pin of the tree, or its centre of mass."""
        bodies = self.tree.system.bodies
        size = self.tree.system.size
        return {
            bodies[link.body].name: self._told(self.moving.torque(link.body), size)
            for link in self.tree.links
        }

    @cached_property
    def weightless(self) -> tuple[str, ...]:
        """Moving parts that are given by an inertia alone: their mass loads no joint."""
        table, bodies = self.tree.machine.bodies, self.tree.system.bodies
        return tuple(bodies[link.body].name for link in self.tree.links if table[link.body, MASS] == 0.0)
