"""The forces of one pawl's stretches on a leg at many instants at once, by the formulas of `force.py`."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from detent.mechanics.springs import LinearSpring, TorqueTable
from detent.motion.quasistatic.answer.force import BESIDE, LOOKS, Loaded

Values = Any  # arrays, real or complex


class ManyLoads(NamedTuple):
    """Forces at some places of stretches [N] and the spring's torque on the root [N m]."""

    contact: Values
    resisting: Values
    x: Values
    y: Values
    torque: Values
    angle: Values  # from rest [rad]


class StretchArrays:
    """The stretches of a pawl that is pushed along one line, one row each."""

    def __init__(self, stretches: list[Loaded], spring: LinearSpring | TorqueTable, metres: float) -> None:
        self.stretches, self.spring, self.metres = stretches, spring, metres
        count = len(stretches)
        self.spans = np.array([each.span for each in stretches]).reshape(count, 2)
        self.ends = np.array([each.ends for each in stretches]).reshape(count, 2)
        self.level = np.array([each.arc.curve is None for each in stretches], dtype=bool)
        self.half = np.array([each.half for each in stretches], dtype=float)
        self.u = np.array([float(each.arc.place.u) if each.arc.curve is None else 0.0 for each in stretches])
        # At a constant angle p and q are never read, but must divide.
        curves = [
            ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)) if c is None else c for c in map(Loaded.curve, stretches)
        ]
        self.p = np.array([p for p, _ in curves]).reshape(count, 3)
        self.q = np.array([q for _, q in curves]).reshape(count, 3)
        self.on_pawl = np.array([each.pair.kind == "A" for each in stretches], dtype=bool)
        self.point = np.array([each.point for each in stretches]).reshape(count, 2)
        self.outward = np.array([each.outward for each in stretches]).reshape(count, 2)
        self.drag = np.array([each.drag for each in stretches])
        self.velocity = stretches[0].velocity if stretches else np.zeros(2)

    def parameters(self, rows: Any, times: Any) -> Any:
        """The parameters of stretches at times on them."""
        p, q = self.p[rows], self.q[rows]
        c, b, a = (p[:, k] + times * q[:, k] for k in range(3))
        root = np.sqrt(np.maximum(b * b - 4 * a * c, 0.0))
        turned = -(b + np.copysign(root, b)) / 2
        low, high = np.sort(self.ends[rows], axis=1).T
        middle = (low + high) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            one, other = turned / a, np.where(turned == 0, 0.0, c / turned)
        far = ~np.isfinite(one) | (np.abs(one - middle) > np.abs(other - middle))
        u = np.clip(np.where(far, other, one), low, high)
        for end in range(2):  # where the curve folds, its root would be known to half the digits only
            u = np.where(times == self.spans[rows, end], self.ends[rows, end], u)
        return np.where(self.level[rows], times, u)

    def loads(self, rows: Any, parameter: Values) -> ManyLoads:
        """The forces of stretches at parameters of them; shapes are those that numpy makes of both."""
        with np.errstate(divide="ignore", invalid="ignore"):
            (x, y), (mx, my), theta = self.levers(rows, parameter)
            drag, (vx, vy) = self.drag[rows], self.velocity
            fx, fy = mx - drag * my, my + drag * mx
            torque = self.spring.force(theta)
            # Zero over zero where an unloaded contact is at its threshold: callers leave that out.
            size = -torque / ((x * fy - y * fx) * self.metres)
            resisting = -size * (fx * vx + fy * vy) / math.hypot(vx, vy)
            contact = size * np.sqrt(1 + drag * drag)
            return ManyLoads(contact, resisting, size * fx, size * fy, -torque, theta)

    def levers(
        self, rows: Any, parameter: Values
    ) -> tuple[tuple[Values, Values], tuple[Values, Values], Values]:
        """From the hinge to the contact, the unit normal into the pawl, and the angle from rest."""
        p, q, level = self.p[rows], self.q[rows], self.level[rows]
        p0, p1, p2, q0, q1, q2 = (c[..., k] for c in (p, q) for k in range(3))
        on_curve = -(p0 + parameter * (p1 + parameter * p2)) / (q0 + parameter * (q1 + parameter * q2))
        t = np.where(level, parameter, on_curve)
        u = np.where(level, self.u[rows] + 0 * parameter, parameter)
        theta = self.half[rows] * math.pi + 2 * np.arctan(u)
        cosine, sine = np.cos(theta), np.sin(theta)
        (px, py), (nx, ny) = ((xy[rows][..., 0], xy[rows][..., 1]) for xy in (self.point, self.outward))
        on_pawl, (vx, vy) = self.on_pawl[rows], self.velocity
        x = np.where(on_pawl, px - t * vx, cosine * px - sine * py)
        y = np.where(on_pawl, py - t * vy, sine * px + cosine * py)
        mx = np.where(on_pawl, -(cosine * nx - sine * ny), nx)
        my = np.where(on_pawl, -(sine * nx + cosine * ny), ny)
        return (x, y), (mx, my), theta

    def find_inside(self, which: str) -> None:
        """Tell each stretch its largest local maximum inside, looked for in all of them at once."""
        share = np.linspace(0.0, 1.0, LOOKS + 1)
        looks = self.ends[:, :1] + (self.ends[:, 1:] - self.ends[:, :1]) * share
        looks[:, -1] = self.ends[:, 1]
        rows = np.arange(len(self.stretches))[:, None]
        rises = getattr(self.loads(rows, looks + 1j * BESIDE), which).imag
        rises = rises * np.sign(self.ends[:, 1:] - self.ends[:, :1])
        for k, each in enumerate(self.stretches):
            begin, end = each.open_ends
            rises[k, : int(begin)] = math.nan
            rises[k, LOOKS + 1 - int(end) :] = math.nan
        tops: dict[int, list[tuple[float, float]]] = {}
        with np.errstate(invalid="ignore"):
            hits = np.argwhere((rises[:, :-1] > 0) & (rises[:, 1:] <= 0))
        for k, look in hits.tolist():
            tops.setdefault(k, []).append((float(looks[k, look]), float(looks[k, look + 1])))
        for k, each in enumerate(self.stretches):
            each.tell_inside(which, tops.get(k, []))
