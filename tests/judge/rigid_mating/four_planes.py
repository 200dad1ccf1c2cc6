"""Meitinger & Pfeiffer's section 6.2 in its four modelling planes, 10 candidates each: an oracle.

Of the product it takes the arm's matrices alone. Rotations are linear, steps are Moreau's, restitution is
zero, contact laws are solved by projections. Task axes: x the way in, from the block's face. SI.
"""

from dataclasses import dataclass

import numba
import numpy as np

PEG, HOLE, CHAMFER = np.array([22.7e-3, 22.6e-3]), np.array([22.9e-3, 23.0e-3]), 4e-3  # half of y and z
TIP, GRIPPER, LENGTH = -4e-3, -84e-3, 120e-3  # x as drawn
SPEED, RAMP = 25e-3, 250e-3
EDGES = ((0, -1), (1, -1), (2, -1), (2, 1), (3, 1), (4, 1))  # 1-a' 2-a' 3-a' 3-b' 4-b' 5-b': segment, side
POINTS = ((1, -1), (4, 1)), ((2, -1), (3, 1))  # a-2' d-4' on walls, b-1' c-5' on the face


@dataclass
class Planes:
    """The run of an offset; forces on the peg, a row per step."""

    leader: object
    offset: tuple[float, float]  # y, z
    friction: float
    in_space: bool  # friction: against the motion in space, or in each plane alone
    step: float = 5e-4
    until: float = 0.55

    def peak(self):
        """The chamfer's, as a mean over 5 ms."""
        forces, depths = self._run()
        over = round(5e-3 / self.step)
        sums = np.concatenate([[0.0], np.cumsum(forces)])
        means = (sums[over:] - sums[:-over]) / over
        return means[depths[over // 2 : over // 2 + len(means)] < 6e-3].min()

    def _run(self):
        one, h = self.leader, self.step
        axes = one.task_axes
        to_task = np.vstack([axes.T @ one.moves[:3], axes.T @ one.moves[3:]])
        push, rate = one.push @ axes[:, 0], one.push_rate @ axes[:, 0]
        free = np.linalg.inv(one.mass + h * one.damping + h * h * one.stiffness)
        q, v = np.zeros(len(free)), np.zeros(len(free))
        forces, depths = [], []
        for k in range(round(self.until / h)):
            t, ramp = (k + 1) * h, SPEED / RAMP
            way = RAMP * min(t, ramp) ** 2 / 2 + SPEED * max(t - ramp, 0)
            ahead = one.mass @ v - h * one.stiffness @ q + h * (push * way + rate * RAMP * min(t, ramp))
            v = free @ ahead
            found = self._touching(to_task @ q)
            if found:
                rows, along, gaps = (np.array(each) for each in zip(*found, strict=True))
                rows = rows.reshape(-1, 6) @ to_task
                shares = rows @ free @ rows.T
                b = rows @ v
                b[::3] += gaps / h
                pushes = projected(shares, b, self.friction, self.in_space)
                v = v + free @ rows.T @ pushes
                forces.append(along.reshape(-1) @ pushes / h)
            else:
                forces.append(0.0)
            q = q + h * v
            depths.append(TIP + (to_task @ q)[0])
        return np.array(forces), np.array(depths)

    def _touching(self, moved):
        """Rows (3, 6) of each contact, the x of its directions, its gap."""
        found = []
        for s in (0, 1):
            ends = np.array([-LENGTH, -CHAMFER, 0.0, 0.0, -CHAMFER, -LENGTH])
            half = PEG[s] - np.array([0, 0, CHAMFER, CHAMFER, 0, 0])
            lateral = half * np.array([-1, -1, -1, 1, 1, 1])
            for other in (-PEG[1 - s], PEG[1 - s]):
                arms = np.zeros((6, 3))
                arms[:, 0], arms[:, 1 + s], arms[:, 2 - s] = TIP + ends - GRIPPER, lateral, other
                at = arms + moved[:3] + np.cross(moved[3:], arms)
                x, across = at[:, 0] + GRIPPER, at[:, 1 + s] + self.offset[s]
                for i, side in EDGES:
                    along = np.array([x[i + 1] - x[i], across[i + 1] - across[i]])
                    to = np.array([-x[i], side * HOLE[s] - across[i]])
                    length = np.hypot(*along)
                    out = np.array([along[1], -along[0]]) / length
                    if 0 <= to @ along <= length**2:
                        found.append((0.0, side * HOLE[s], other, s, -out, out @ to))
                walls, face = POINTS
                for i, side in walls:
                    if x[i] > 0:
                        found.append(
                            (x[i], across[i], other, s, np.array([0, -side]), HOLE[s] - side * across[i])
                        )
                for i, side in face:
                    if side * across[i] > HOLE[s]:
                        found.append((x[i], across[i], other, s, np.array([-1, 0]), -x[i]))
        return [self._contact(moved, *one) for one in found if -1e-3 < one[-1] < 2e-5]

    def _contact(self, moved, x, across, other, s, normal, gap):
        arm = np.array([x - GRIPPER, 0.0, 0.0])
        arm[1 + s], arm[2 - s] = across - self.offset[s], other
        arm -= [moved[0], *np.where(np.arange(2) == s, moved[1:3], 0)]
        directions = np.zeros((3, 3))
        directions[:2, [0, 1 + s]] = normal, (-normal[1], normal[0])
        directions[2, 2 - s] = 1
        return np.hstack([directions, np.cross(arm, directions)]), directions[:, 0], gap


@numba.njit
def projected(shares, b, mu, in_space):
    """Impulses (normal, in the plane, across it) by projections, contact after contact."""
    x = np.zeros(len(b))
    for _ in range(20000):
        change = 0.0
        for i in range(0, len(b), 3):
            before = x[i : i + 3].copy()
            x[i] = max(0.0, x[i] - (b[i] + shares[i] @ x) / shares[i, i])
            stiff = max(shares[i + 1, i + 1], shares[i + 2, i + 2])
            one = x[i + 1] - (b[i + 1] + shares[i + 1] @ x) / stiff
            other = x[i + 2] - (b[i + 2] + shares[i + 2] @ x) / stiff
            if not in_space:
                other = 0.0
            size, most = np.hypot(one, other), mu * x[i]
            share = most / size if size > most else 1.0
            x[i + 1], x[i + 2] = share * one, share * other
            change = max(change, np.abs(x[i : i + 3] - before).max())
        if change < 1e-9:
            break
    return x
