"""Forces through a linkage: what acts on its parts, asked of the drives and the joints.

Joints hold by forces along their rows: with the Jacobian J of all rows, joints and drives, balance is
J^T reactions + acting = 0, for each group of parts that joints tie together without the ground. Reactions are
numbers where balance determines them; else the kind says why not:

- `UNDETERMINED`: rows repeat each other, and reactions that cancel can be added in any amount.
- `UNBOUNDED`: at a dead point the links have no lever against what acts; towards it the reaction grows
  beyond all bounds.
- `UNBALANCED`: a freedom is not driven, and what acts moves it: there is no balance.

At a dead point J loses one rank: a motion u that no row resists, and reactions v that balance nothing. On the
way e along the branch reactions are c v / e + r0 + ..., with A = J^T, b = -acting, c = u.b / u.A'v:
unbounded where v acts, unless what acts does no work in u. Then they are finite, and the next order
gives the multiple of v: the limit of their values on the way there.

A reaction that is no larger than what rounding makes of it is zero. The factors know how much that is: each
row of the inverse magnifies the rounding of the equations, which is that of their largest terms (`_told`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detent.kinematics.equations.newton import RANK, column_scale, moved_by
from detent.kinematics.equations.rows import ClosureRows, Floats, place, residual_and_jacobian
from detent.model.machine.plane_linkage import EQUATIONS, KEEP_ANGLE, PlanePoint
from detent.numeric.union_find import Groups

Kinds = NDArray[np.int8]
DETERMINED, UNDETERMINED, UNBOUNDED, UNBALANCED = range(4)
# A dead point is located to rounding, its pose to the root of that.
DEAD = 1e-6
# Share of a row in a unit vector of reactions, and of what acts in a unit motion, that are rounding.
SHARE, WORK = 1e-6, 1e-6
STEP = 1e-5  # of the size, along the branch, in central differences
SLOPE = STEP**2 + np.finfo(float).eps / STEP  # share of a slope that such differences are wrong by


@dataclass(frozen=True, eq=False)
class LinkBalance:
    """One number per row of joints, then drives; not a number where its kind is not `DETERMINED`."""

    values: Floats
    kinds: Kinds
    ranks: tuple[int, ...]  # of each group of parts
    dead_but_finite: bool = False  # at a dead point where what acts does no work


Acting = Callable[[Floats], Floats]  # poses to forces and moments on the moving parts


@dataclass(frozen=True, eq=False)
class Statics:
    """The rows of joints and drives as what balances forces."""

    rows: ClosureRows

    def balance(
        self,
        poses: Floats,
        acting: Acting,
        *,
        usual: Sequence[int] = (),
        dead: bool = False,
        along: Floats | None = None,
        changes: bool = True,
    ) -> LinkBalance:
        """The reactions that balance what acts at a pose.

        `usual` are the ranks of the groups elsewhere on the path; `dead` says that the pose is at a dead
        point, and `along` is the velocity of the unknowns on the branch there, where it is finite. Without
        `changes` it is not known how what acts changes on the way.
        """
        rows, scale = self.rows, self.scale
        jacobian, load = _jacobian(rows, poses), acting(poses)
        values, kinds = np.full(rows.equations, np.nan), np.full(rows.equations, UNBALANCED, np.int8)
        ranks: list[int] = []
        finite = False
        for k, (members, columns) in enumerate(self.groups):
            matrix = (jacobian[np.ix_(members, columns)] * scale[columns]).T
            factors = _Factors(matrix, -scale[columns] * load[columns], DEAD if dead else RANK)
            ranks.append(factors.rank)
            lost = usual[k] - factors.rank if len(usual) > k else 0
            if lost <= 0:
                values[members], kinds[members] = factors.solved()
                continue
            if lost > 1 or factors.motions.shape[1] != 1:
                continue
            way = np.zeros(rows.unknowns)
            if along is None:
                way[columns] = scale[columns] * factors.motions[:, 0]
            else:
                way[:] = along
            step = STEP * rows.system.size / max(float(np.abs(way / scale).max()), np.finfo(float).tiny)
            ahead, behind = (moved_by(rows, poses, sign * step * way) for sign in (1.0, -1.0))
            slope = (_jacobian(rows, ahead) - _jacobian(rows, behind)) / (2 * step)
            change = (acting(ahead) - acting(behind)) / (2 * step) if changes else None
            values[members], kinds[members], here = factors.at_dead_point(
                (slope[np.ix_(members, columns)] * scale[columns]).T,
                None if change is None else -scale[columns] * change[columns],
            )
            finite = finite or here
        return LinkBalance(values, kinds, tuple(ranks), finite)

    @cached_property
    def scale(self) -> Floats:
        return column_scale(self.rows)

    @cached_property
    def groups(self) -> list[tuple[list[int], list[int]]]:
        """Rows and columns of each group of parts that joints or drives tie together without the ground."""
        rows = self.rows
        tied = [
            (pair.a.part, pair.b.part, pair.carrier)
            for pair in rows.pairs
            for _ in range(EQUATIONS[pair.kind])
        ]
        for held in rows.held:
            if held.mark is not None:
                tied += [(held.mark.part, -1, -1)] * held.equations
            else:
                pair = rows.system.pairs[held.pair]
                tied.append((pair.a.part, pair.b.part, -1))
        moving = [[part for part in parts if part >= 0 and rows.column[part] >= 0] for parts in tied]
        groups = Groups(part for part, column in enumerate(rows.column) if column >= 0)
        for parts in moving:
            for part in parts[1:]:
                groups.join(parts[0], part)
        return [
            (
                [
                    i
                    for i, parts in enumerate(moving)
                    if parts and groups.head(parts[0]) == groups.head(group[0])
                ],
                [rows.column[part] + k for part in group for k in range(3)],
            )
            for group in groups.lists()
        ]

    def free(self, poses: Floats) -> tuple[int, tuple[int, ...]]:
        """How many freedoms neither joints nor drives hold, and the parts that have them."""
        jacobian = _jacobian(self.rows, poses)
        part_at = {column: part for part, column in enumerate(self.rows.column)}
        count, parts = 0, []
        for members, columns in self.groups:
            if not members:  # joined to nothing, and driven by nothing
                continue
            matrix = (jacobian[np.ix_(members, columns)] * self.scale[columns]).T
            motions = _Factors(matrix, np.zeros(len(columns)), RANK).motions
            count += motions.shape[1]
            parts += [
                part_at[columns[k]]
                for k in range(0, len(columns), 3)
                if np.abs(motions[k : k + 3]).max(initial=0.0) > SHARE
            ]
        return count, tuple(parts)

    @cached_property
    def numbers(self) -> list[tuple[slice, Floats]]:
        """Of each joint, then each held coordinate: its rows, and what makes them newtons or N m."""
        rows, size, numbers, at = self.rows, self.rows.system.size, [], 0
        scales = []
        for pair in rows.pairs:
            scale = np.ones(EQUATIONS[pair.kind])
            if pair.kind in KEEP_ANGLE or pair.kind == "gear":  # their angle row is scaled by the size
                scale[-1] = size
            scales.append(-scale if pair.exchanged else scale)  # on the document's second part
        for held in rows.held:
            turns = held.mark is None and rows.system.pairs[held.pair].kind != "prismatic"
            scales.append(np.full(held.equations, size if turns else 1.0))
        for scale in scales:
            numbers.append((slice(at, at + len(scale)), scale))
            at += len(scale)
        return numbers


def point_force(rows: ClosureRows, poses: Floats, mark: PlanePoint, force: complex, into: Floats) -> None:
    """Add a force [N] at a mark to what acts on the moving parts."""
    column = rows.column[mark.part]
    if column < 0:
        return
    lever = place(mark, poses) - complex(poses[mark.part, 0], poses[mark.part, 1])
    into[column : column + 3] += force.real, force.imag, (lever.conjugate() * force).imag


class _Factors:
    """The balance of one group of parts, factored: matrix @ reactions = right."""

    def __init__(self, matrix: Floats, right: Floats, least: float) -> None:
        self.right = right
        if matrix.size:
            u, s, vt = np.linalg.svd(matrix)
        else:
            u, s, vt = np.eye(matrix.shape[0]), np.zeros(0), np.eye(matrix.shape[1])
        self.rank = int(np.sum(s > least * s[0])) if len(s) else 0
        self._largest = float(s[0]) if len(s) else 0.0
        self._u, self._s, self._v = u[:, : self.rank], s[: self.rank], vt[: self.rank].T
        self.motions, self.stresses = u[:, self.rank :], vt[self.rank :].T

    def solved(self) -> tuple[Floats, Kinds]:
        """Reactions where rows may repeat each other, and freedoms may be left."""
        kinds = np.where(_acts(self.stresses), UNDETERMINED, DETERMINED).astype(np.int8)
        if self._works(self.motions):
            kinds[:] = UNBALANCED
        return self._told(self._shortest(self.right), kinds), kinds

    def at_dead_point(self, slope: Floats, change: Floats | None) -> tuple[Floats, Kinds, bool]:
        """Reactions where one rank is lost, from how matrix and right change on the way."""
        motion = self.motions[:, 0]
        levers = motion @ slope @ self.stresses
        lever = float(np.linalg.norm(levers))
        if lever <= WORK * float(np.linalg.norm(slope)):
            return (
                np.full(len(self.stresses), np.nan),
                np.full(len(self.stresses), UNDETERMINED, np.int8),
                False,
            )
        stress = self.stresses @ levers / lever
        lasting = self.stresses - np.outer(stress, stress @ self.stresses)
        kinds = np.where(_acts(lasting), UNDETERMINED, DETERMINED).astype(np.int8)
        finite = not self._works(self.motions)
        rough = 0.0  # of the equations, by the slope
        if not finite:
            work = float(motion @ self.right) / lever
            values = self._shortest(self.right - work * (slope @ stress))
            rough = SLOPE * abs(work) * float(np.linalg.norm(slope))
            kinds[_acts(stress[:, None]) & (kinds == DETERMINED)] = UNBOUNDED
        else:
            values = self._shortest(self.right)
            if change is None:
                kinds[_acts(stress[:, None])] = UNDETERMINED
            else:
                values = values + float(motion @ (change - slope @ values)) / lever * stress
        return self._told(values, kinds, rough), kinds, finite

    def _told(self, values: Floats, kinds: Kinds, rough: float = 0.0) -> Floats:
        """The reactions that are determined, without what is rounding: zero, of which nothing is known.

        The equations hold to rounding of their largest terms, and to `rough`; a row of the inverse makes a
        reaction of that. So two-force members carry nothing across, also beside a dead point.
        """
        terms = self._largest * float(np.linalg.norm(values)) + float(np.linalg.norm(self.right))
        error = len(values) * np.finfo(float).eps * terms + rough
        magnified = np.linalg.norm(self._v / self._s, axis=1)
        known = np.where(np.abs(values) <= error * magnified, 0.0, values)
        return np.where(kinds == DETERMINED, known, np.nan)

    def _shortest(self, right: Floats) -> Floats:
        return np.asarray(self._v @ ((self._u.T @ right) / self._s))

    def _works(self, motions: Floats) -> bool:
        """Whether what acts does work in motions that nothing resists."""
        work = np.abs(motions.T @ self.right).max(initial=0.0)
        return bool(work > WORK * float(np.linalg.norm(self.right)))


def _acts(stresses: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.abs(stresses).max(axis=1, initial=0.0) > SHARE)


def _jacobian(rows: ClosureRows, poses: Floats) -> Floats:
    return residual_and_jacobian(rows, poses, [0j] * len(rows.held))[1]
