"""What acts on the parts of a linkage: loads, weights, springs, dampers, torques of drives, inertia.

Each is counted or named: `counted` says what the forces of an answer contain, `left_out` what the document
has and they do not, by its key, and `assumed` what was taken for granted. Inertia and dampers need speeds,
which there are where a drive has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from msgspec.structs import replace

from detent.foundation.errors import ModelError
from detent.foundation.exact import number
from detent.foundation.names import few, listed
from detent.geometry.pose import quaternion_of
from detent.kinematics.equations.forces import point_force
from detent.kinematics.equations.rows import ClosureRows, Floats, coordinate
from detent.mechanics.mass import bias_at, mass_matrix_at, weight_at
from detent.mechanics.springs import coordinate_at, spring_forces
from detent.model.document.drive import Start
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.directions import DIRECTIONS, direction_words
from detent.model.machine.graph import keep_direction, parts_of
from detent.model.machine.mass import assumed_thickness
from detent.model.machine.state import State
from detent.model.machine.system import System, compile_system
from detent.model.machine.timing import gives_torque
from detent.motion.kinematic.linkage_run import LinkageRun
from detent.numeric.union_find import Groups

MOST_NAMED = 8  # parts in one sentence
PLANE = (0, 1, 5)  # of a body's six velocities in space: those in the plane


@dataclass(frozen=True, eq=False)
class ActingForces:
    """What acts on a linkage, and what of the document does not."""

    mechanism: Mechanism
    rows: ClosureRows
    loads: Mapping[str, complex]
    torques: Mapping[str, float]  # by joint, of drives that have no positions
    timed: bool

    @classmethod
    def of(cls, run: LinkageRun, rows: ClosureRows, loads: Mapping[str, tuple[float, float]]) -> ActingForces:
        """What acts in a run; `loads` by marker [N]."""
        return cls(
            run.mechanism,
            rows,
            {name: complex(*force) for name, force in loads.items()},
            {d.joint: float(d.torque) for d in run.pushing.values() if d.joint and d.torque is not None},
            run.path.times is not None,
        )

    @cached_property
    def system(self) -> System:
        return compile_system(_with_centres(self.mechanism, self.without_centre), drives_hold=False)

    @cached_property
    def without_centre(self) -> frozenset[str]:
        """Parts that never turn, with a mass and no centre: moments across slides alone depend on it."""
        parts = self.mechanism.parts
        given = (name for name in keep_direction(self.mechanism) if not parts[name].fixed)
        return frozenset(n for n in given if parts[n].mass is not None and parts[n].center is None)

    @cached_property
    def open_moments(self) -> tuple[str, ...]:
        """Slides and welds whose moments would need those centres."""
        if not any(
            self.system.bodies[i].name in self.without_centre for i in (*self.weighed, *self.inertial)
        ):
            return ()
        still = keep_direction(self.mechanism) | {n for n, p in self.mechanism.parts.items() if p.fixed}
        held = Groups(still)
        between = {
            name: [part for part in parts_of(joint) if not self.mechanism.parts[part].fixed]
            for name, joint in self.mechanism.joints.items()
            if joint.type in ("prismatic", "fixed") and still.issuperset(parts_of(joint))
        }
        for parts in filter(None, between.values()):
            held.join(parts[0], parts[-1])
        heads = {held.head(part) for part in self.without_centre}
        return tuple(name for name, parts in between.items() if parts and held.head(parts[0]) in heads)

    @cached_property
    def weighed(self) -> tuple[int, ...]:
        """Bodies that gravity pulls at."""
        if not self.mechanism.gravity or not any(self.mechanism.gravity):
            return ()
        return tuple(i for i in self._moving if self._weight(i) > 0.0)

    @cached_property
    def inertial(self) -> tuple[int, ...]:
        """Bodies whose inertia counts, at least that of their mass where it is."""
        return (
            tuple(i for i in self._moving if self._has_inertia(i) or i in self.points) if self.timed else ()
        )

    @cached_property
    def points(self) -> tuple[int, ...]:
        """Bodies of which mass and centre are known and the moment of inertia is not."""
        return tuple(i for i in self._moving if not self._has_inertia(i) and self._weight(i) > 0.0)

    @cached_property
    def springs(self) -> tuple[str, ...]:
        """Keys of springs, of elastic joints, and of dampers where there are speeds."""
        keys = []
        for name, joint in self.mechanism.joints.items():
            keys += [f"joints.{name}.spring"] if joint.spring is not None else []
            bends = ("stiffness", "beam", "plate")
            keys += [f"joints.{name}.{key}" for key in bends if getattr(joint, key) is not None]
            keys += [f"joints.{name}.damping"] if self.timed and joint.damping is not None else []
        return tuple(keys)

    @property
    def anything(self) -> bool:
        return bool(self.loads or self.torques or self.springs or self.weighed or self.inertial)

    @property
    def needs_speeds(self) -> bool:
        """Whether something in it depends on how fast the parts move."""
        return bool(self.inertial or any(key.endswith(".damping") for key in self.springs))

    @cached_property
    def counted(self) -> tuple[str, ...]:
        """What the forces contain, in words."""
        words = ["loads"] if self.loads else []
        words += ["weights"] if self.weighed else []
        words += ["springs"] if any(not key.endswith(".damping") for key in self.springs) else []
        words += ["dampers"] if any(key.endswith(".damping") for key in self.springs) else []
        words += ["torques of drives"] if self.torques else []
        words += ["inertia"] if self.inertial else []
        return tuple(words)

    def at(self, poses: Floats, speeds: Floats | None = None, bends: Floats | None = None) -> Floats:
        """Forces and moments on the moving parts, at poses (parts, 3), with their rates by time."""
        push = np.zeros(self.rows.unknowns)
        for name, force in self.loads.items():
            point_force(self.rows, poses, self.rows.system.marks[name], force, push)
        if not (self.torques or self.springs or self.weighed or self.inertial):
            return push
        velocities = speeds if speeds is not None and self.needs_speeds else np.zeros_like(poses)
        state, columns = self._state(poses, velocities), self._columns
        if self.weighed:
            push += weight_at(self.system, state, of=self.weighed)[columns]
        if self.springs:
            push += spring_forces(self.system, state, self._angles(poses)).force[columns]
        for joint, torque in self.torques.items():
            push += torque * coordinate_at(self.system, state, self.system.joint(joint)).row[columns]
        if self.inertial and bends is not None:
            moving = [body for body, column in enumerate(self.rows.column) if column >= 0]
            masses = mass_matrix_at(self.system, state, of=self.inertial, points=self.points)
            push -= masses[np.ix_(columns, columns)] @ bends[moving].ravel()
            push -= bias_at(self.system, state, of=self.inertial, points=self.points)[columns]
        return push

    def _state(self, poses: Floats, velocities: Floats) -> State:
        """The machine at poses of the plane; in space each part as drawn, turned about z and moved."""
        system = self.system
        if system.dimension == 2:
            return State(poses, velocities)
        frames = system.drawn.matrices.copy()
        for body, (x, y, angle) in enumerate(poses):
            turn = angle - self.rows.system.drawn[body][1]
            c, s = np.cos(turn), np.sin(turn)
            frames[body, :2, :3] = np.array([[c, -s], [s, c]]) @ frames[body, :2, :3]
            frames[body, :2, 3] = x, y
        spatial = np.zeros((len(poses), 6))
        spatial[:, PLANE] = velocities
        origins, turns = frames[:, :3, 3], [quaternion_of(frame[:3, :3]) for frame in frames]
        return State(np.column_stack([origins, turns]), spatial, frames=frames)

    @cached_property
    def _columns(self) -> list[int]:
        """Columns of the System that are x, y and angle of the moving parts."""
        if self.system.dimension == 2:
            return list(range(self.rows.unknowns))
        return [self.system.columns[body] + k for body in self._moving for k in PLANE]

    def _angles(self, poses: Floats) -> dict[str, float]:
        """Angles of pins with the full rotations that a state in space does not have."""
        pairs = [pair for pair in self.rows.system.pairs if pair.kind == "revolute"]
        return {pair.name: coordinate(pair, poses) for pair in pairs} if self.system.dimension == 3 else {}

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """What of the document does not act here, each by its key."""
        words = []
        for name, joint in self.mechanism.joints.items():
            if joint.damping is not None and not self.timed:
                words.append(f"joints.{name}.damping (no drive has a speed)")
            words += [f"joints.{name}.friction"] if joint.friction is not None else []
            elastic = self.system.joint(name).elastic
            if elastic is not None and elastic.rigid:
                rigid = [direction_words(DIRECTIONS[self.system.dimension][k]) for k in elastic.rigid]
                words.append(f"joints.{name}: what it carries {listed(rigid)}, where it is rigid")
        for name, drive in self.mechanism.drives.items():
            if drive.torque is not None and not gives_torque(drive):
                words.append(f"drives.{name}.torque ({name} is moved through positions)")
        if not self.timed and any(self.system.bodies[i].knows_mass for i in self._moving):
            words.append("inertia (no drive has a speed)")
        pulled = bool(self.mechanism.gravity and any(self.mechanism.gravity))
        if pulled and self._moving and not any(self.system.bodies[i].knows_mass for i in self._moving):
            words.append("gravity (the document gives no moving part a mass)")
        for i in self._moving if pulled or self.timed else ():
            body = self.system.bodies[i]
            if pulled and body.knows_mass and i not in self.weighed:
                words.append(f"parts.{body.name}: its weight ({self._missing(i, 'weight')})")
            if self.timed and body.knows_mass and i not in self.inertial:
                words.append(f"parts.{body.name}: its inertia ({self._missing(i, 'mass')})")
            if self.timed and i in self.points and body.name not in keep_direction(self.mechanism):
                words.append(f"parts.{body.name}: its moment of inertia ({self._missing(i, 'mass')})")
        if self.open_moments:
            missing = listed([f"parts.{name}.center" for name in sorted(self.without_centre)])
            verb = "is" if len(self.without_centre) == 1 else "are"
            words.append(f"moments across {few(self.open_moments, MOST_NAMED)} ({missing} {verb} missing)")
        gears = [name for name, joint in self.mechanism.joints.items() if joint.type == "gear"]
        if gears and self.anything:  # a tooth pushes at the rim; a ratio does not say where, nor how steeply
            words.append(
                f"forces between the teeth of {few(gears, MOST_NAMED)} "
                "(gears act as moments; the pins of their wheels carry those forces too)"
            )
        if self.anything and self.system.dimension == 3:
            words.append("reactions out of the plane of motion")
        if self.inertial:  # speeds are constant between positions, so they change in no time at them
            words.append("jolts where a drive starts, stops or changes its speed")
        words += [f"start.{name}.speed" for name, start in self.mechanism.start.items() if _has_speed(start)]
        return tuple(words)

    @cached_property
    def assumed(self) -> tuple[str, ...]:
        """What was taken for granted of the forces."""
        words = ["joints without friction, rigid parts"]
        if self.mechanism.gravity is None:
            words.append("no gravity: the document gives none")
        if self.weighed or self.inertial or self.timed:
            bodies = [self.system.bodies[i] for i in self._moving]
            massless = [body.name for body in bodies if not body.knows_mass]
            if massless:
                words.append(f"{few(massless, MOST_NAMED)} without mass: the document gives none")
            spun = [self.system.bodies[i].name for i in self.inertial if not self._weight(i)]
            if spun:
                words.append(f"{few(spun, MOST_NAMED)} balanced about the pin (`inertia` and no `mass`)")
            counted = {*self.weighed, *self.inertial}
            words += assumed_thickness(
                self.mechanism, [self.system.bodies[i].name for i in self._moving if i in counted]
            )
        if self.needs_speeds:
            words.append("drives go at constant speed between positions")
        return tuple(words)

    @cached_property
    def _moving(self) -> tuple[int, ...]:
        return tuple(i for i, column in enumerate(self.rows.column) if column >= 0)

    def _weight(self, body: int) -> float:
        try:
            return self.system.bodies[body].weight[0] if self.system.bodies[body].knows_mass else 0.0
        except ModelError:
            return 0.0

    def _has_inertia(self, body: int) -> bool:
        if not self.system.bodies[body].knows_mass:
            return False
        try:
            return self.system.bodies[body].mass is not None
        except ModelError:
            return False

    def _missing(self, body: int, what: str) -> str:
        try:
            getattr(self.system.bodies[body], what)
        except ModelError as error:
            problem = error.problems[0]
            return f"{problem.at} is missing" if problem.at else str(error)
        return "it has `inertia` and no `mass`"


def _with_centres(mechanism: Mechanism, names: frozenset[str]) -> Mechanism:
    """The machine with the masses of these parts at their origins."""
    if not names:
        return mechanism
    origin = (number(0),) * mechanism.dimension
    placed = {name: replace(mechanism.parts[name], center=origin) for name in names}
    return replace(mechanism, parts={**mechanism.parts, **placed})


def _has_speed(start: Start) -> bool:
    return start.speed is not None or start.speed_deg is not None
