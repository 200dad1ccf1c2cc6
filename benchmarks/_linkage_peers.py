"""Pin-jointed linkages in the words of other solvers, each driven at its best.

All peers get the positions of the driven pins ready made, keep their model from frame to frame,
and read every moving pin back as Python numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from detent.model.document import Mechanism

Frames = Callable[[], object]


@dataclass(frozen=True)
class Pins:
    """A linkage as pins and parts: where each pin is as drawn, and which pins each part carries."""

    at: np.ndarray  # (pins, 2)
    parts: dict[str, tuple[int, ...]]
    ground: tuple[int, ...]
    pivot: int  # the driven joint's pin on ground
    driver: str
    input: np.ndarray  # turn of the driver in each frame

    @property
    def driven(self) -> tuple[int, ...]:
        return tuple(p for p in self.parts[self.driver] if p != self.pivot)

    @property
    def known(self) -> set[int]:
        return {*self.ground, *self.driven}

    @property
    def bars(self) -> list[tuple[int, int, float]]:
        """Distances that hold each part, but none between pins whose place is known."""
        found = []
        for name, pins in self.parts.items():
            if name == "ground" or name == self.driver:
                continue
            pairs = list(combinations(pins[:2], 2))
            pairs += [(a, p) for p in pins[2:] for a in pins[:2]]
            found += [(a, b, float(np.hypot(*(self.at[a] - self.at[b])))) for a, b in pairs]
        return found

    def driven_at(self) -> np.ndarray:
        """Positions (frames, driven pins, 2)."""
        c, s = np.cos(self.input), np.sin(self.input)
        arm = self.at[list(self.driven)] - self.at[self.pivot]
        x = self.at[self.pivot, 0] + np.outer(c, arm[:, 0]) - np.outer(s, arm[:, 1])
        y = self.at[self.pivot, 1] + np.outer(s, arm[:, 0]) + np.outer(c, arm[:, 1])
        return np.stack([x, y], axis=2)


def pins_of(mechanism: Mechanism, inputs: np.ndarray) -> Pins:
    """The pins of a linkage of revolute joints, drawn in place and driven at a ground pin."""
    pin: dict[str, int] = {}
    count = 0
    for joint in mechanism.joints.values():
        known = [pin[end] for end in joint.between if end in pin]
        index = known[0] if known else count
        count += not known
        for end in joint.between:
            pin[end] = index
    at = np.zeros((count, 2))
    for end, index in pin.items():
        part, _, marker = end.partition(".")
        at[index] = [float(x) for x in mechanism.parts[part].markers[marker]]
    parts = {
        name: tuple(dict.fromkeys(i for end, i in pin.items() if end.partition(".")[0] == name))
        for name in mechanism.parts
    }
    (drive,) = mechanism.drives.values()
    first, second = mechanism.joints[drive.joint].between
    return Pins(at, parts, parts["ground"], pin[first], second.partition(".")[0], inputs)


def planegcs_frames(pins: Pins) -> Frames:
    """FreeCAD's solver: known pins are fixed parameters, so that only the others are unknowns."""
    import planegcs

    solver = planegcs.SketchSolver()
    points = [solver.add_point(*map(float, xy)) for xy in pins.at]
    for i in pins.known:  # a point's parameters are numbered in the order of points
        solver.set_param_fixed(2 * i, True)
        solver.set_param_fixed(2 * i + 1, True)
    for a, b, length in pins.bars:
        solver.p2p_distance(points[a], points[b], solver.add_param(length, True))
    driven = pins.driven
    frames = pins.driven_at().tolist()
    success = planegcs.SolveStatus.Success
    moving = [points[i] for i in range(len(points)) if i not in pins.ground]

    def run() -> list[list[tuple[float, float]]]:
        out = []
        for frame in frames:
            for i, (x, y) in zip(driven, frame, strict=True):
                solver.set_param(2 * i, x)
                solver.set_param(2 * i + 1, y)
            assert solver.solve() == success
            out.append([solver.get_point(p) for p in moving])
        return out

    return run


def solvespace_frames(pins: Pins) -> Frames:
    """SolveSpace: known pins in a group that is not solved."""
    import python_solvespace as slvs

    system = slvs.SolverSystem()
    plane = system.create_2d_base()
    points = {i: system.add_point_2d(*map(float, pins.at[i]), plane) for i in sorted(pins.known)}
    system.set_group(system.group() + 1)
    for i in range(len(pins.at)):
        if i not in points:
            points[i] = system.add_point_2d(*map(float, pins.at[i]), plane)
    for a, b, length in pins.bars:
        system.distance(points[a], points[b], length, plane)
    handles = [points[i].params for i in range(len(pins.at))]
    driven = [handles[i] for i in pins.driven]
    moving = [handles[i] for i in range(len(pins.at)) if i not in pins.ground]
    frames = pins.driven_at().tolist()
    okay = slvs.ResultFlag.OKAY

    def run() -> list[list[tuple[float, ...]]]:
        out = []
        for frame in frames:
            for handle, xy in zip(driven, frame, strict=True):
                system.set_params(handle, xy)
            assert system.solve() == okay
            out.append([system.params(h) for h in moving])
        return out

    return run


def pylinkage_linkage(pins: Pins):
    """The same in pylinkage's dyads, in an order in which each is solvable; None where there is none."""
    from pylinkage import Crank, FixedDyad, Ground, Linkage, RRRDyad

    made = {i: Ground(*map(float, pins.at[i]), name=f"p{i}") for i in pins.ground}
    first = pins.driven[0]
    arm = pins.at[first] - pins.at[pins.pivot]
    step = float(pins.input[1] - pins.input[0])
    crank = Crank(
        made[pins.pivot],
        float(np.hypot(*arm)),
        angular_velocity=step,
        initial_angle=math.atan2(arm[1], arm[0]) + float(pins.input[0]) - step,
        name="crank",
    )
    made[first] = crank
    links = {name: p for name, p in pins.parts.items() if name != "ground"}
    progress = True
    while progress:
        progress = False
        for p in links.values():
            known = [i for i in p if i in made]
            for i in p:
                if i not in made and len(known) >= 2:
                    made[i] = _carried(FixedDyad, pins, made, known[0], known[1], i)
                    progress = True
        for i in range(len(pins.at)):
            if i in made:
                continue
            anchors = [
                (next(k for k in p if k in made), i) for p in links.values() if i in p and set(p) & set(made)
            ]
            if len(anchors) >= 2:
                (a, _), (b, _) = anchors[:2]
                x, y = map(float, pins.at[i])
                made[i] = RRRDyad(
                    made[a], made[b], _apart(pins, a, i), _apart(pins, b, i), x=x, y=y, name=f"p{i}"
                )
                progress = True
    if len(made) < len(pins.at):
        return None
    return Linkage(list(made.values()))


def _apart(pins: Pins, a: int, b: int) -> float:
    return float(np.hypot(*(pins.at[a] - pins.at[b])))


def _carried(kind, pins: Pins, made: dict, a: int, b: int, i: int):
    way, arm = pins.at[b] - pins.at[a], pins.at[i] - pins.at[a]
    angle = math.atan2(arm[1], arm[0]) - math.atan2(way[1], way[0])
    return kind(made[a], made[b], _apart(pins, a, i), angle, name=f"p{i}")


def pylinkage_frames(linkage, count: int) -> Frames:
    def run() -> list[tuple[tuple[float, float], ...]]:
        return list(linkage.step(iterations=count))

    return run


def pylinkage_sweep(linkage, count: int) -> Frames:
    linkage.compile()

    def run() -> np.ndarray:
        return linkage.step_fast(iterations=count)

    return run


def seed_frames(pins: Pins) -> Frames:
    """Brunkhart 1994, section 3.4: three unknowns a mobile link, Newton by SVD, from the last pose."""
    names = [n for n in pins.parts if n not in ("ground", pins.driver)]
    known = pins.known
    rows: list[tuple[int, int, int]] = []  # pin, link, other link or -1 for a known pin
    for i in range(len(pins.at)):
        through = [k for k, n in enumerate(names) if i in pins.parts[n]]
        rows += [(i, through[0], -1)] if i in known and through else []
        if i in known:
            rows += [(i, k, -1) for k in through[1:]]
        else:
            rows += [(i, a, b) for a, b in pairwise(through)]
    pin = np.array([r[0] for r in rows])
    one, two = np.array([r[1] for r in rows]), np.array([r[2] for r in rows])
    frames = pins.driven_at()
    size = float(np.ptp(pins.at, axis=0).max())
    own = np.array(
        [
            [next(k for k, n in enumerate(names) if i in pins.parts[n]), i]
            for i in range(len(pins.at))
            if i not in known
        ]
    )
    far = two >= 0
    e = np.arange(len(rows))

    def run() -> list[list[float]]:
        q = np.zeros((len(names), 3))
        at = pins.at.copy()
        out = []
        for frame in frames:
            at[list(pins.driven)] = frame
            for _ in range(50):
                c, s = np.cos(q[:, 2]), np.sin(q[:, 2])
                a, b = pins.at[pin].T
                px, py = q[one, 0] + c[one] * a - s[one] * b, q[one, 1] + s[one] * a + c[one] * b
                rx = np.where(far, q[two, 0] + c[two] * a - s[two] * b, at[pin, 0])
                ry = np.where(far, q[two, 1] + s[two] * a + c[two] * b, at[pin, 1])
                f = np.concatenate([px - rx, py - ry])
                if np.abs(f).max() < 1e-12 * size:
                    break
                jac = np.zeros((2 * len(rows), 3 * len(names)))
                n = len(rows)
                jac[e, 3 * one] = 1
                jac[e, 3 * one + 2] = -s[one] * a - c[one] * b
                jac[n + e, 3 * one + 1] = 1
                jac[n + e, 3 * one + 2] = c[one] * a - s[one] * b
                k = two[far]
                jac[e[far], 3 * k] = -1
                jac[e[far], 3 * k + 2] = s[k] * a[far] + c[k] * b[far]
                jac[n + e[far], 3 * k + 1] = -1
                jac[n + e[far], 3 * k + 2] = s[k] * b[far] - c[k] * a[far]
                u, sv, vt = np.linalg.svd(jac, full_matrices=False)
                inverse = np.where(sv > 1e-10 * sv[0], 1 / sv, 0)
                q = q - (vt.T @ (inverse * (u.T @ f))).reshape(-1, 3)
            c, s = np.cos(q[:, 2]), np.sin(q[:, 2])
            k, i = own.T if len(own) else (np.zeros(0, int), np.zeros(0, int))
            at[i, 0] = q[k, 0] + c[k] * pins.at[i, 0] - s[k] * pins.at[i, 1]
            at[i, 1] = q[k, 1] + s[k] * pins.at[i, 0] + c[k] * pins.at[i, 1]
            out.append(at.tolist())
        return out

    return run
