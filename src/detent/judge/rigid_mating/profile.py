"""Peg and hole as planes across the way in see them; contacts by the names of Meitinger & Pfeiffer's Fig. 20.

In a modelling plane (the way in and one axis across it) a peg has sides 1 and 5, chamfers 2 and 4, its front
3, and between them the points a to d; a hole has tops 1' and 5', walls 2' and 4', its bottom 3', edges a'
and b'. Low numbers and first letters lie towards the axis' negative side. Ten pairs in each of four planes
are the seed's 40 candidates; features are told by the directions of faces alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from detent.contact.space_candidates import EDGE_EDGE, FIRST, FLIPPED, FORMULA, PAIR, SECOND
from detent.geometry.polyhedron import Polyhedron, polyhedron
from detent.library.robots.serial_arm import Floats
from detent.motion.rigid.mating.machine import ContactMachine

_ALONG = 0.9  # cosine of what counts as along an axis
_ACROSS = 0.1  # and as across it
_POINTS = {
    ("1", "2"): "a",
    ("2", "3"): "b",
    ("3", "4"): "c",
    ("4", "5"): "d",
    ("1", "3"): "b",
    ("3", "5"): "c",
}
_TOPS = {"b": "1'", "c": "5'"}


@dataclass(frozen=True)
class SeedName:
    """One candidate in one modelling plane: `4-b'` in the plane of x and y, on one side of the peg."""

    pair: str
    plane: str  # y or z
    side: str  # of the peg, along the other axis: + or -

    @property
    def whole(self) -> str:
        other = "z" if self.plane == "y" else "y"
        return f"{self.pair} (x{self.plane}, {other}{self.side})"


@dataclass(frozen=True, eq=False)
class MatingProfile:
    """The task's axes, the tip, the block's face, and what the faces are."""

    machine: ContactMachine
    known: dict[int, Polyhedron] | None = None  # solids of bodies, of a profile that has them

    @cached_property
    def axes(self) -> Floats:
        """(3, 3) columns: the first leg's direction, two across it; those of an arm's task if they fit."""
        along, given = self.machine.plan.legs[0].direction, self.machine.leader.task_axes
        if given[:, 0] @ along > 1 - 1e-9:
            return given
        across = np.eye(3)[1] if abs(along[1]) < _ALONG else np.eye(3)[2]
        across = across - (across @ along) * along
        across /= np.linalg.norm(across)
        return np.column_stack([along, across, np.cross(along, across)])

    @cached_property
    def solids(self) -> dict[int, Polyhedron]:
        """Of bodies that may touch."""
        if self.known is not None:
            return self.known
        bodies = sorted({int(body) for pair in self.machine.candidates.pairs for body in pair})
        found = {}
        for body in bodies:
            solid = self.machine.system.bodies[body].solid
            assert solid is not None
            found[body] = polyhedron(solid)
        return found

    def world(self, body: int, points: Any) -> Floats:
        """Points of a body as drawn."""
        pose = self.machine.drawn[body]
        return np.asarray(np.atleast_2d(points) @ pose[:, :3].T + pose[:, 3])

    @cached_property
    def tip(self) -> Floats:
        """The middle of what the held parts reach farthest with, as drawn."""
        points = np.vstack(
            [
                self.world(body, [c.at for c in self.solids[body].corners])
                for body in self.solids
                if self.machine.held[body]
            ]
        )
        along = points @ self.axes[:, 0]
        farthest = points[along > along.max() - self.machine.slack * 1e3]
        return np.asarray((farthest.min(axis=0) + farthest.max(axis=0)) / 2)

    @cached_property
    def face(self) -> float:
        """How far along the way in the face is, ahead of the tip, that the tip meets first [m]."""
        along, tip = self.axes[:, 0], float(self.tip @ self.axes[:, 0])
        ahead = [
            tip + float((points[0] - self.tip) @ normal / (along @ normal))
            for body, solid in self.solids.items()
            if not self.machine.held[body]
            for normal, points in self.faces_of(body, solid)
            if normal @ along < -_ALONG
        ]
        beyond = [at for at in ahead if at >= tip - self.machine.slack]
        return min(beyond) if beyond else max(ahead, default=tip)

    def faces_of(self, body: int, solid: Polyhedron) -> list[tuple[Floats, Floats]]:
        """(normal, points) of each, in the world."""
        turned = self.machine.drawn[body][:, :3]
        found = []
        for face in solid.faces:
            ends = np.array([solid.edges[k].ends for k in face.edges]).reshape(-1, 3)
            found.append((turned @ face.normal, self.world(body, ends)))
        return found

    def depths(self, q: Floats) -> Floats:
        """(m,) of the tip below the face, at coordinates [m]."""
        from scipy.spatial.transform import Rotation

        leader = self.machine.leader
        moved, gripper = q @ leader.moves.T, leader.gripper[:3, 3]
        at = gripper + moved[:, :3] + Rotation.from_rotvec(moved[:, 3:]).apply(self.tip - gripper)
        return np.asarray(at @ self.axes[:, 0] - self.face)

    @cached_property
    def names(self) -> dict[int, tuple[SeedName, ...]]:
        """By candidate: its names in the modelling planes; nothing of what is not of a peg and its hole."""
        candidates = self.machine.candidates
        found = {}
        for row in range(len(candidates)):
            told = tuple(name for plane in (1, 2) if (name := self._name(row, plane)) is not None)
            if told:
                found[row] = told
        return found

    def _name(self, row: int, plane: int) -> SeedName | None:
        listed = self.machine.candidates.listed[row]
        fixed, held = (int(body) for body in self.machine.candidates.pairs[listed[PAIR]])
        if listed[FORMULA] == EDGE_EDGE:
            edge, rim = self._edge(held, listed[SECOND], plane), self._rim(fixed, listed[FIRST], plane)
            if edge is None or rim is None:
                return None
            return SeedName(f"{edge[0]}-{rim}", "?yz"[plane], edge[1])
        if listed[FLIPPED]:
            return None
        point, wall = self._point(held, listed[SECOND], plane), self._wall(fixed, listed[FIRST], plane)
        if point is None or wall is None:
            return None
        of = _TOPS.get(point[0]) if wall == "top" else wall
        return None if of is None else SeedName(f"{point[0]}-{of}", "?yz"[plane], point[1])

    def of_peg(self, normal: Floats, plane: int) -> str | None:
        along, across = float(normal @ self.axes[:, 0]), float(normal @ self.axes[:, plane])
        if abs(normal @ self.axes[:, 3 - plane]) > _ACROSS or along < -_ACROSS:
            return None
        if abs(across) > _ALONG:
            return "5" if across > 0 else "1"
        if along > _ALONG:
            return "3"
        return "4" if across > 0 else "2"

    def _of_hole(self, body: int, normal: Floats, point: Floats, plane: int) -> str | None:
        along, across = float(normal @ self.axes[:, 0]), float(normal @ self.axes[:, plane])
        if along < -_ALONG:
            deeper = float(point @ self.axes[:, 0]) - self.face
            return "3'" if deeper > self.machine.slack * 1e3 else "top"
        # A wall looks at the peg.
        if abs(across) > _ALONG and normal @ (self.tip - point) > -0.5 * self.machine.size:
            facing = abs((self.tip - point) @ self.axes[:, plane]) < self.machine.size
            return None if not facing else ("2'" if across > 0 else "4'")
        return None

    @cached_property
    def _tables(self) -> dict[int, dict[str, Floats]]:
        """By body, the normals of faces by name, in the world."""
        return {
            body: {face.name: self.machine.drawn[body][:, :3] @ face.normal for face in reversed(solid.faces)}
            for body, solid in self.solids.items()
        }

    def _own(self, name: str) -> tuple[str, ...]:
        """The faces that a feature's name puts together, without its part."""
        return tuple(name.split("/", 1)[1].split("+"))

    def _side(self, body: int, points: Any, plane: int) -> str:
        middle = self.world(body, points).mean(axis=0) - self.tip
        return "+" if middle @ self.axes[:, 3 - plane] > 0 else "-"

    def _edge(self, body: int, number: int, plane: int) -> tuple[str, str] | None:
        features = self.machine.candidates.features
        table = self._tables[body]
        kinds = [self.of_peg(table[name], plane) for name in self._own(features.edge_names[number])]
        known = [kind for kind in kinds if kind is not None]
        if len(known) != 1:
            return None
        ends = features.edges[number][:6].reshape(2, 3)
        along = np.diff(self.world(body, ends), axis=0)[0] @ self.axes
        if abs(along[3 - plane]) > _ALONG * np.linalg.norm(along):
            return None  # it lies along the edges of the hole
        return known[0], self._side(body, ends, plane)

    def _point(self, body: int, number: int, plane: int) -> tuple[str, str] | None:
        features = self.machine.candidates.features
        table = self._tables[body]
        names = self._own(features.corner_names[number])
        kinds = sorted({kind for name in names if (kind := self.of_peg(table[name], plane)) is not None})
        letter = _POINTS.get((kinds[0], kinds[1])) if len(kinds) == 2 else None
        return None if letter is None else (letter, self._side(body, features.corners[number], plane))

    def _wall(self, body: int, number: int, plane: int) -> str | None:
        face = self.machine.candidates.features.faces[number]
        normal = self.machine.drawn[body][:, :3] @ face[9:12]
        return self._of_hole(body, normal, self.world(body, face[:3])[0], plane)

    def _rim(self, body: int, number: int, plane: int) -> str | None:
        features = self.machine.candidates.features
        middle = self.world(body, features.edges[number][:6].reshape(2, 3)).mean(axis=0)
        table = self._tables[body]
        kinds = {
            self._of_hole(body, table[name], middle, plane) for name in self._own(features.edge_names[number])
        }
        if kinds == {"top", "2'"}:
            return "a'"
        return "b'" if kinds == {"top", "4'"} else None

    @cached_property
    def play(self) -> dict[str, tuple[float, float]]:
        """By axis: where walls that look at each other leave the peg's sides room to, either way [m].

        From where the peg is drawn; the first is the larger one where the peg is larger than its hole.
        """
        found = {}
        for plane, axis in ((1, "y"), (2, "z")):
            sides, walls = [], []
            for body, solid in self.solids.items():
                for normal, points in self.faces_of(body, solid):
                    at = float(points[0] @ self.axes[:, plane])
                    if self.machine.held[body]:
                        if self.of_peg(normal, plane) in ("1", "5"):
                            sides.append(at)
                    elif self._of_hole(body, normal, points.mean(axis=0), plane) in ("2'", "4'"):
                        walls.append(at)
            if len(sides) > 1 and len(walls) > 1:
                found[axis] = (min(walls) - min(sides), max(walls) - max(sides))
        return found

    @property
    def clearance(self) -> dict[str, float]:
        """By axis: walls that look at each other less the peg's sides [m]; below zero the peg is larger."""
        return {axis: high - low for axis, (low, high) in self.play.items()}
