"""What holds a machine at an instant of a run, what drives it, and what acts on each of its parts.

Contacts that push are taken as joints while they do, as in Gelsey's trees (1995, section 2.2 and Fig. 8): a
part that they leave no velocity is locked; elsewhere the part that gives power through a contact drives the
other. The state variables that remain are the coordinates that tell every velocity that is left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import ModelError
from detent.judge.forces_on_parts import contact_at, forces_at
from detent.mechanics.closing_rows import loop_rows
from detent.mechanics.tree import loop_tables
from detent.mechanics.tree_kernels import REST, STIFFNESS, TORQUE, place_tree, plane_state
from detent.record.instant import ForceOn, Instant, PartStanding, Standing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.motion.running.loads import ContactLoad, RunLoads

    Floats = NDArray[np.float64]

Follows = dict[str, str]  # by part: which it follows
HeldBy = dict[str, dict[str, list[tuple[str, str]]]]
# Of the greatest: less is none.
_SMALL = 1e-7
# Sizes per second: a gap that opens faster is no longer a contact.
_PARTS = 1e-8
_ROUNDING = 1e-13  # of what acts on a part: a net torque that is none


def instants_of(evidence: Any, times: Sequence[float]) -> tuple[Instant, ...]:
    """The machine at times of a run."""
    end = evidence.along.end
    for t in times:
        if not 0 <= t <= end * (1 + 1e-12):
            raise ModelError.at("--at", f"{t:g} is not a time of the run", f"give one from 0 to {end:g}")
    if not times:
        return ()
    order = np.array(sorted(times), float)
    loads = evidence.loads(order)
    told = {t: InstantView(evidence, loads, row, float(t)).told for row, t in enumerate(order)}
    return tuple(told[float(t)] for t in times)


@dataclass(frozen=True, eq=False)
class InstantView:
    """One row of the loads of a run, with the velocities that contacts leave."""

    evidence: Any
    loads: RunLoads
    row: int
    time: float

    @property
    def told(self) -> Instant:
        system, tree = self.loads.tree.system, self.loads.tree
        moving = [system.bodies[link.body].name for link in tree.links]
        follows, by = self._tree
        standings = [self._standing(name, by) for name in moving]
        forces = tuple(forces_at(self.loads, self.row, self.pushing))
        return Instant(
            time=self.time,
            parts=tuple(standings),
            tree={name: follows[name] for name in moving if name in follows},
            state_variables=self._variables(self._remaining(follows)),
            all_state_variables=self._variables(self._chosen(self._joined, tree.independent)),
            contacts=tuple(contact_at(self.loads, self.row, load) for load in self.pushing),
            forces=forces,
            torques={
                name: self._beyond_rounding(float(column[self.row]), [f for f in forces if f.part == name])
                for name, column in self.loads.torques.items()
            },
        )

    def _beyond_rounding(self, torque: float, forces: Sequence[ForceOn]) -> float:
        """A net torque; zero where what acts is in balance but for rounding."""
        size = self.loads.tree.system.size
        acting = sum(math.hypot(*(c or 0.0 for c in f.force)) * size + abs(f.moment or 0.0) for f in forces)
        return 0.0 if abs(torque) <= _ROUNDING * acting else torque

    def _variables(self, coordinates: Sequence[int]) -> tuple[str, ...]:
        """Positions and speeds, named as in an explanation."""
        joints = [self.loads.tree.names[k] for k in coordinates]
        units = self.evidence.along.coordinate_units
        kinds = {joint: "angle" if units[joint] == "rad" else "travel" for joint in joints}
        return tuple(f"{what} of {joint}" for joint in joints for what in (kinds[joint], "speed"))

    @cached_property
    def pushing(self) -> list[ContactLoad]:
        """Contacts that carry something, the greatest first."""
        loads = [load for load in self.loads.contacts if load.pushes[self.row] > 0.0]
        loads.sort(key=lambda load: -load.pushes[self.row])
        greatest = loads[0].pushes[self.row] if loads else 0.0
        return [load for load in loads if load.pushes[self.row] > _SMALL * greatest]

    @cached_property
    def joining(self) -> list[ContactLoad]:
        """Contacts that push, and those that touch and do not part."""
        parting = _PARTS * self.loads.tree.system.size
        touching = [load for load in self.loads.contacts if load.normals[self.row].any()]
        stay = [
            load
            for load in touching
            if load not in self.pushing
            and abs(self._row_of(load, load.normals[self.row]) @ self._speeds) <= parting
        ]
        return [*self.pushing, *stay]

    @cached_property
    def _spans(self) -> Floats:
        """Velocities of bodies per speed of the independent coordinates, those scaled (3 N, m)."""
        return self._placed[0]

    @cached_property
    def _placed(self) -> tuple[Floats, Floats, Floats]:
        """Spans, rows of joints that close loops, coordinates with their speeds."""
        tree = self.loads.tree
        y, v = self.evidence.along.motion_at(self.time)
        state, loops = plane_state(tree.machine), loop_tables(tree)
        place_tree(tree.machine, y, v, state)
        held = np.zeros((len(loops.joints), tree.freedoms + 2))
        loop_rows(loops.joints, loops.numbers, state.bodies, state.spans, held)
        scales = self.evidence.along.scales()
        return state.spans * scales, held[:, : tree.freedoms] * scales, state.joints

    @cached_property
    def _speeds(self) -> Floats:
        speeds: Floats = self.evidence.along.motion_at(self.time)[1] / self.evidence.along.scales()
        return speeds

    def _row_of(self, load: ContactLoad, direction: Floats) -> Floats:
        """How fast the second body's point passes the first's along a direction, per independent speed."""
        row = np.zeros(self._spans.shape[1])
        for body, sign in zip(load.bodies, (-1.0, 1.0), strict=True):
            arm = load.points[self.row] - self.loads.moving.poses[self.row, body, :2]
            turning = arm[0] * direction[1] - arm[1] * direction[0]
            spans = self._spans[3 * body : 3 * body + 3]
            row += sign * (direction[0] * spans[0] + direction[1] * spans[1] + turning * spans[2])
        return row

    @cached_property
    def _joined(self) -> Floats:
        """Speeds that joints allow (m, f)."""
        return _null_space(self._placed[1])

    @cached_property
    def _left(self) -> Floats:
        """Speeds that contacts leave besides, those that push as joints (m, f)."""
        still = _SMALL * self.loads.tree.system.size
        rows = [self._placed[1]]
        for load in self.joining:
            rows.append(self._row_of(load, load.normals[self.row])[None])
            if load.rubs[self.row] and abs(load.slides[self.row]) < still:
                rows.append(self._row_of(load, load.tangents[self.row])[None])
        names = self.loads.tree.names
        for _, stop in self._stopped:
            joint = stop.rpartition(".")[0]
            if joint in names:
                rows.append(self._coordinates[names.index(joint)][None])
        return _null_space(np.concatenate(rows))

    @cached_property
    def _stopped(self) -> list[tuple[tuple[int, int], str]]:
        """Stops of joints that push, with the bodies of their joints."""
        tree = self.loads.tree
        ends = {pair.name: (pair.a.part, pair.b.part) for pair in tree.linkage.pairs}
        pushing = [name for name, column in self.loads.stops.items() if column[self.row] > 0.0]
        return [(ends[name.rpartition(".")[0]], name) for name in pushing]

    def _moves(self, body: int, speeds: Floats) -> bool:
        """Whether a body has a velocity among these speeds."""
        scale = np.array([1.0, 1.0, self.loads.tree.system.size])[:, None]
        spans = self._spans[3 * body : 3 * body + 3] * scale
        return bool(np.abs(spans @ speeds).max(initial=0.0) > _SMALL * np.abs(spans).max(initial=1e-300))

    @cached_property
    def _locked(self) -> set[int]:
        """Bodies that joints would let move, and contacts do not."""
        bodies = [link.body for link in self.loads.tree.links]
        return {b for b in bodies if self._moves(b, self._joined) and not self._moves(b, self._left)}

    @cached_property
    def _tree(self) -> tuple[Follows, HeldBy]:
        """Which part each follows; what locks, drives or guides it: by part, parts with their contacts."""
        bodies = self.loads.tree.system.bodies
        fixed = {k for k, body in enumerate(bodies) if body.fixed}
        by: HeldBy = {"locked": {}, "driven": {}, "guided": {}}
        follows: Follows = {}
        reached = set(fixed)
        held_by = [*((load.bodies, load.name) for load in self.joining), *self._stopped]
        grown = True
        while grown:  # locked parts, outwards from the frame
            grown = False
            for ends, _ in held_by:
                for one, other in (ends, ends[::-1]):
                    if one in reached and other in self._locked and other not in reached:
                        reached.add(other)
                        follows[bodies[other].name] = bodies[one].name
                        grown = True
        stands = fixed | self._locked
        for ends, name in held_by:
            if not stands & set(ends):
                continue
            for holder, part in (ends, ends[::-1]):
                first, second = bodies[holder].name, bodies[part].name
                if part in self._locked:
                    if follows.get(second) == first or not {first, second} & set(follows):
                        by["locked"].setdefault(second, []).append((first, name))
                elif part not in fixed:
                    by["guided"].setdefault(second, []).append((first, name))
        ways: dict[frozenset[int], tuple[str, str]] = {}  # those that push first: they tell who drives
        for load in self.joining:
            if stands & set(load.bodies):
                continue
            first, second = (bodies[body].name for body in load.bodies)
            way = (first, second) if self._gives(load) else (second, first)
            pushes = load.pushes[self.row] > 0.0
            driver, driven = way if pushes else ways.get(frozenset(load.bodies), way)
            ways.setdefault(frozenset(load.bodies), way)
            by["driven"].setdefault(driven, []).append((driver, load.name))
            if not _leads(follows, driver, driven):
                follows.setdefault(driven, driver)
        self._follow_joints(follows)
        return follows, by

    def _follow_joints(self, follows: Follows) -> None:
        """Adds parts that joints and gears tie to others: outwards from those that follow by contact
        already, else from where power comes in."""
        tree = self.loads.tree
        names = [body.name for body in tree.system.bodies]
        moving = [names[link.body] for link in tree.links]
        pairs = [(names[pair.a.part], names[pair.b.part]) for pair in tree.linkage.pairs]
        ties = [pair for pair in pairs if pair[0] != pair[1] and {*pair} <= {*moving}]
        power, left = self._power, [part for part in moving if any(part in tie for tie in ties)]
        while left:
            root = max(left, key=lambda part: (part in follows, power[part]))
            reached = [root]
            for part in reached:  # grows as parts are reached
                for one, other in ties:
                    beyond = other if one == part else one if other == part else part
                    if beyond not in reached:
                        reached.append(beyond)
                        if beyond not in follows and not _leads(follows, part, beyond):
                            follows[beyond] = part
            left = [part for part in left if part not in reached]

    @cached_property
    def _power(self) -> dict[str, float]:
        """[W] By moving part: what springs, drives and weight put in."""
        tree = self.loads.tree
        machine, bodies = tree.machine, tree.system.bodies
        power = {bodies[link.body].name: 0.0 for link in tree.links}
        for name, (at, speed), row in zip(tree.coordinates, self._placed[2].T, machine.joints, strict=True):
            if name not in {joint.name for joint in tree.system.joints}:
                continue
            joint = tree.system.joint(name)
            part = bodies[joint.a.body if bodies[joint.b.body].fixed else joint.b.body].name
            if name in self.loads.driven:
                power[part] = np.inf
            power[part] += (row[TORQUE] - row[STIFFNESS] * (at - row[REST])) * speed
        for name in self._led:
            power[name] = np.inf
        for link in tree.links:
            spans = self._spans[3 * link.body : 3 * link.body + 3] @ self._speeds
            weight = self.loads.moving.weight(link.body)[self.row]
            power[bodies[link.body].name] += float(weight @ spans)
        return power

    def _gives(self, load: ContactLoad) -> bool:
        """Whether the first body gives power to the second; of parts that stand still, whether it will.

        Where both give, and friction takes it all, the one that a drive leads drives, or that gives more.
        """
        force, moving = load.forces[self.row], self.loads.moving
        if not force.any():  # others of the same two parts carry all of it
            force = load.normals[self.row]
        given, will_be = np.zeros(2), np.zeros(2)  # by the first, and to the second
        for k, body in enumerate(load.bodies):
            arm = load.points[self.row] - moving.poses[self.row, body, :2]
            across = np.array([-arm[1], arm[0]])
            spans, rates = self._spans[3 * body : 3 * body + 3] @ self._speeds, moving.rates[self.row, body]
            given[k] = force @ (spans[:2] + spans[2] * across)
            will_be[k] = force @ (rates[:2] + rates[2] * across)
        none = _SMALL * np.hypot(*force) * self.loads.tree.system.size
        if given[0] > none and given[1] < -none:
            names = [self.loads.tree.system.bodies[body].name for body in load.bodies]
            led = [math.isinf(self._power[name]) for name in names]
            return led[0] if led[0] != led[1] else bool(given.sum() > 0.0)
        return bool(given[1] > 0.0) if abs(given[1]) > none else bool(will_be[1] >= 0.0)

    def _standing(self, name: str, by: HeldBy) -> PartStanding:
        """The first that holds of locked, driven, driving and guided."""
        standing: Standing = "free"
        if _body(self.loads.tree.system.bodies, name) in self._locked:
            standing = "locked"
        elif name in by["driven"]:
            standing = "driven"
        elif any(name == other for each in by["driven"].values() for other, _ in each):
            standing = "driving"
        elif name in by["guided"]:
            standing = "guided"
        held = by.get(standing, {}).get(name, [])
        return PartStanding(
            part=name,
            standing=standing,
            by=tuple(dict.fromkeys(other for other, _ in held)),
            contacts=tuple(contact for _, contact in held),
            still=self._still(name),
        )

    def _still(self, name: str) -> bool:
        """Whether a part has no velocity: friction may hold what joints and contacts would let move."""
        body, size = _body(self.loads.tree.system.bodies, name), self.loads.tree.system.size
        x, y, turn = self._spans[3 * body : 3 * body + 3] @ self._speeds
        return bool(max(abs(x), abs(y), abs(turn) * size) < _SMALL * size)

    def _remaining(self, follows: Follows) -> list[int]:
        """Coordinates that tell what is left, those of parts that follow none first."""
        tree = self.loads.tree
        owner: dict[str, str] = {}
        for link in tree.links:
            name = tree.system.bodies[link.body].name
            own = [link.joint.name] if link.joint is not None else [f"{name}.x", f"{name}.y", f"{name}.angle"]
            owner |= dict.fromkeys(own, name)
        every = [*tree.independent, *(k for k in range(len(tree.names)) if k not in tree.independent)]
        order = sorted(every, key=lambda k: owner[tree.names[k]] in follows)
        driven = [
            k
            for k, name in enumerate(tree.names)
            if name in self.loads.driven or owner.get(name) in self._led
        ]
        left = self._left
        if driven:  # what a drive tells is no state
            left = left @ _null_space(self._coordinates[driven] @ left)
        return sorted(self._chosen(left, order))

    @cached_property
    def _led(self) -> set[str]:
        """Free parts that drives lead along x, along y and in rotation: they have no state of their own."""
        tree = self.loads.tree
        free = [link.body for link in tree.links if link.joint is None]
        return {tree.system.bodies[b].name for b in free if all((b, a) in self.loads.led for a in range(3))}

    @cached_property
    def _coordinates(self) -> Floats:
        """Coordinates of the tree per independent one, those scaled; rows of length one (k, m)."""
        rows: Floats = self.loads.tree.machine.follow * self.evidence.along.scales()
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths > 0.0, lengths, 1.0)

    def _chosen(self, speeds: Floats, order: Sequence[int]) -> list[int]:
        """As few coordinates as tell all of these speeds, in an order of preference."""
        chosen: list[int] = []
        rows = self._coordinates @ speeds
        for k in order:
            if len(chosen) < speeds.shape[1] and _rank(rows[[*chosen, k]]) > len(chosen):
                chosen.append(k)
        return chosen


def _body(bodies: Sequence[Any], name: str) -> int:
    return next(k for k, body in enumerate(bodies) if body.name == name)


def _leads(follows: Follows, start: str, part: str) -> bool:
    """Whether the way from a part to its root passes another one."""
    while start in follows:
        start = follows[start]
        if start == part:
            return True
    return start == part


def _rank(rows: Floats) -> int:
    return int(np.linalg.matrix_rank(rows, tol=_SMALL))


def _null_space(rows: Floats) -> Floats:
    """Directions on which rows vanish, as columns; rows of length one."""
    count = rows.shape[1]
    lengths = np.linalg.norm(rows, axis=1)
    sound = rows[lengths > 0.0] / lengths[lengths > 0.0, None]
    if not len(sound):
        return np.eye(count)
    _, sizes, v = np.linalg.svd(sound, full_matrices=True)
    rank = int((sizes > _SMALL * sizes[0]).sum())
    return v[rank:].T
