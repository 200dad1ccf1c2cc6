"""An independent solver of plane linkages, slow and obvious, for the tests to trust.

Three unknowns a part (x, y, turn), one residual for every joint and every drive, written
straight from the document's markers; Gauss-Newton with the shortest step (pseudo-inverse)
and continuation by tiny steps of the input. The last solution of each input is polished
with residuals in extended precision, and the change by polishing is kept: it bounds the
error of the answer. Nothing here comes from the room it tests.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from detent.model.document import Marker, Mechanism

TINY = math.radians(1)  # continuation step of a turn; of a length, this share of the size
CLOSED = 1e-13  # residual, as a share of the size, at which Newton stops
LEAP = 0.3  # turn of a part [rad], or its way [sizes], in one small step that puts the branch in doubt
HALVINGS = 12
WIDE = np.longdouble


class BrokenError(Exception):
    """No pose closes for this input, or the branch ends here."""


@dataclass(frozen=True)
class _Place:
    """A marker in its part's frame."""

    part: int
    at: tuple[float, float]
    turn: float


@dataclass(frozen=True)
class _Relation:
    """One joint or drive between two markers; `input` is its place among the inputs, or -1."""

    kind: str
    first: _Place
    second: _Place
    value: float = 0.0
    input: int = -1
    carrier: _Place | None = None  # of a gear: what its turns count against
    ratio: float = 0.0


@dataclass(frozen=True)
class _Group:
    """All relations of one kind, as arrays; `rows` are their places among the residuals."""

    kind: str
    parts: np.ndarray  # (2, n); of gears (3, n), the carrier last
    at: np.ndarray  # (2, 2, n): marker, axis
    turn: np.ndarray  # (2, n)
    value: np.ndarray
    input: np.ndarray
    rows: np.ndarray  # (n, rows of one)
    ratio: np.ndarray  # of gears


@dataclass
class Oracle:
    """Positions of every marker of `mechanism` for given inputs of its driven joints."""

    mechanism: Mechanism
    drives: Sequence[str] = ()  # joints driven; else those of the document's drives
    step: float = TINY
    error: float = field(default=0.0, init=False)  # largest change by polishing, of all poses so far

    def __post_init__(self) -> None:
        parts = self.mechanism.parts
        self.names = list(parts)
        self.drives = tuple(self.drives) or tuple(
            d.joint for d in self.mechanism.drives.values() if d.joint is not None
        )
        self.drawn = np.array([_pose(self.mechanism, name) for name in self.names])
        moving = [not parts[name].fixed for name in self.names]
        if all(moving):
            moving[0] = False
        self.free = np.flatnonzero(np.repeat(moving, 3))
        self.places = {
            f"{name}.{key}": _place(self.mechanism, f"{name}.{key}", self.names)
            for name in self.names
            for key in parts[name].markers
        }
        self.size = self._size()
        relations = self._relations()
        self.relations = _groups(relations)
        self.closing = _groups([r for r in relations if r.input < 0])
        self.drawn = self._newton(self.drawn, np.zeros(0), self.closing)
        self.pose = self.drawn
        self.inputs = np.array([self.coordinate(joint) for joint in self.drives])

    def coordinate(self, joint: str) -> float:
        """The joint's coordinate in the present pose; the turn within half a turn of the drawing's zero."""
        kind = self.mechanism.joints[joint].type
        first, second = self._ends(joint)
        value = _measure(kind, self.pose, first, second)
        if kind != "prismatic":
            near = _measure(kind, self.drawn, first, second)
            value -= math.tau * round(near / math.tau)
        return float(value)

    def to(self, *inputs: float) -> dict[str, tuple[float, float]]:
        """Continue on the present branch to these inputs; the markers there."""
        start, target = self.inputs, np.array(inputs, float)
        unit = np.array([1.0 if self._turns(joint) else self.size for joint in self.drives])
        count = max(1, math.ceil(np.abs((target - start) / unit).max(initial=0.0) / self.step))
        for i in range(1, count + 1):
            self._advance(start + (target - start) * (i / count), HALVINGS)
        self.pose = self._polish(self.pose, self.inputs, self.relations)
        return self.markers()

    def _turns(self, joint: str) -> bool:
        return self.mechanism.joints[joint].type != "prismatic"

    def _advance(self, target: np.ndarray, halvings: int) -> None:
        """One small step; taken again in halves where the next pose is not plainly the same branch.

        On a branch the determinant of a square system keeps its sign.
        """
        pose, side = None, self._side(self.pose)
        with contextlib.suppress(BrokenError):
            pose = self._newton(self.pose, target, self.relations)
        leap = math.inf if pose is None else np.abs((pose - self.pose) / [self.size, self.size, 1]).max()
        if leap < LEAP and self._side(pose) == side:
            self.pose, self.inputs = pose, target
        elif halvings == 0:
            raise BrokenError(f"the branch ends near inputs {self.inputs}")
        else:
            middle = (self.inputs + target) / 2
            self._advance(middle, halvings - 1)
            self._advance(target, halvings - 1)

    def _side(self, pose: np.ndarray) -> float:
        rows = _jacobian(pose, self.relations, self.size)[:, self.free]
        return float(np.linalg.slogdet(rows)[0]) if rows.shape[0] == rows.shape[1] else 0.0

    def sweep(self, inputs: Iterable[float]) -> dict[str, np.ndarray]:
        """Marker positions at each input of the only drive, by continuation from the drawing."""
        frames = [self.to(value) for value in inputs]
        return {name: np.array([frame[name] for frame in frames]) for name in self.places}

    def markers(self, pose: np.ndarray | None = None) -> dict[str, tuple[float, float]]:
        pose = self.pose if pose is None else pose
        return {name: tuple(map(float, _world(pose, place))) for name, place in self.places.items()}

    def residual(self) -> float:
        """Largest residual of a joint in the present pose, as a share of the size."""
        residuals = _residuals(self.pose, self.closing, np.zeros(0), self.size)
        return float(np.abs(residuals).max(initial=0.0))

    def jacobian(self, *, driven: bool = True) -> np.ndarray:
        return _jacobian(self.pose, self.relations if driven else self.closing, self.size)[:, self.free]

    def mobility(self) -> int:
        """Freedoms left by the joints in the present pose: the nullity of their Jacobian."""
        rows = self.jacobian(driven=False)
        if not len(rows):
            return len(self.free)
        return len(self.free) - int(np.linalg.matrix_rank(rows, tol=1e-8))

    def rates(self, k: int = 0) -> np.ndarray:
        """How fast every part moves (x, y, turn) for a unit rate of input k, in the present pose."""
        unit = np.zeros(len(self.drives))
        unit[k] = 1.0
        driven = _residuals(self.pose, self.relations, self.inputs + unit, self.size)
        still = _residuals(self.pose, self.relations, self.inputs, self.size)
        rates_ = np.zeros(self.pose.size)
        rates_[self.free] = np.linalg.lstsq(self.jacobian(), still - driven, rcond=1e-11)[0]
        return rates_.reshape(-1, 3)

    def velocities(self, k: int = 0) -> dict[str, tuple[float, float]]:
        """Marker velocities for a unit rate of input k, in the present pose."""
        rates = self.rates(k)
        by_marker = {}
        for name, place in self.places.items():
            x, y = _world(self.pose, place) - self.pose[place.part, :2]
            vx, vy, turn = rates[place.part]
            by_marker[name] = (float(vx - turn * y), float(vy + turn * x))
        return by_marker

    def limit(self) -> float:
        """The input of the only drive where it turns back, from a pose near there.

        The joints alone leave a curve of poses; along it the input has an extremum. The curve is followed
        by its length, not by the input, so the fold is an ordinary point of it.
        """
        from scipy.optimize import brentq

        base, way = self.pose, self._tangent(self.pose)

        def along(s: float) -> np.ndarray:
            return self._newton(base + s * way, np.zeros(0), self.closing)

        def slope(s: float) -> float:
            pose = along(s)
            tangent = self._tangent(pose)
            tangent = tangent if (tangent * way).sum() > 0 else -tangent
            drive = _jacobian(pose, self.relations, self.size)[-1]  # drives come last
            return float(drive @ tangent.reshape(-1))

        here = slope(0.0)
        for far in 0.002 * 1.4 ** np.arange(18):
            for s in (far, -far):
                if slope(s) * here < 0:
                    stop = along(brentq(slope, 0.0, s, xtol=1e-15))
                    self.pose = self._polish(stop, np.zeros(0), self.closing)
                    self.inputs = np.array([self.coordinate(self.drives[0])])
                    return float(self.inputs[0])
        raise BrokenError("no limit is near")

    def _tangent(self, pose: np.ndarray) -> np.ndarray:
        """The one motion that the joints leave, of unit length."""
        rows = _jacobian(pose, self.closing, self.size)[:, self.free]
        tangent = np.zeros(pose.size)
        tangent[self.free] = np.linalg.svd(rows)[2][-1]
        return tangent.reshape(-1, 3)

    def _newton(self, pose: np.ndarray, inputs: np.ndarray, groups: list[_Group]) -> np.ndarray:
        pose = pose.copy()
        best = math.inf
        for _ in range(40):
            f = _residuals(pose, groups, inputs, self.size)
            worst = float(np.abs(f).max(initial=0.0))
            if worst < CLOSED or (worst < 100 * CLOSED and worst >= best):
                return pose
            best = min(best, worst)
            rows = _jacobian(pose, groups, self.size)[:, self.free]
            step = np.linalg.lstsq(rows, -f, rcond=1e-11)[0]
            flat = pose.reshape(-1)
            flat[self.free] += step
        raise BrokenError(f"no pose closes at inputs {inputs} (residual {worst:.3g})")

    def _polish(self, pose: np.ndarray, inputs: np.ndarray, groups: list[_Group]) -> np.ndarray:
        """Refine with extended-precision residuals; records how far that moved the markers."""
        wide = pose.astype(WIDE)
        rows = _jacobian(pose, groups, self.size)[:, self.free]
        inverse = np.linalg.pinv(rows, rcond=1e-11)
        for _ in range(3):
            f = _residuals(wide, groups, inputs, self.size)
            wide.reshape(-1)[self.free] -= inverse @ f.astype(float)
        polished = wide.astype(float)
        for place in self.places.values():
            moved = np.abs(_world(wide, place) - _world(polished, place)).max()
            self.error = max(self.error, float(moved) / self.size)
        last = inverse @ _residuals(wide, groups, inputs, self.size).astype(float)
        self.error = max(self.error, float(np.abs(last).max(initial=0.0)))
        return polished

    def _size(self) -> float:
        points = np.array([_world(self.drawn, place) for place in self.places.values()])
        return float(np.ptp(points, axis=0).max()) or 1.0

    def _ends(self, joint: str) -> tuple[_Place, _Place]:
        joint_ = self.mechanism.joints[joint]
        if joint_.at is None:
            first, second = (_place(self.mechanism, end, self.names) for end in joint_.between)
            return first, second
        turn = math.atan2(*map(float, reversed(joint_.along))) if isinstance(joint_.along, tuple) else 0.0
        ends = []
        for part in joint_.between:
            index = self.names.index(part)
            x, y, theta = _pose(self.mechanism, part)
            dx, dy = float(joint_.at[0]) - x, float(joint_.at[1]) - y
            c, s = math.cos(theta), math.sin(theta)
            ends.append(_Place(index, (c * dx + s * dy, c * dy - s * dx), turn - theta))
        return ends[0], ends[1]

    def _relations(self) -> list[_Relation]:
        relations = []
        for name, joint in self.mechanism.joints.items():
            if joint.type == "gear":
                relations.append(self._gear(name))
                continue
            first, second = self._ends(name)
            value = 0.0
            if joint.type == "angle":
                value = _angle(joint, "value")
            drawn = _measure("revolute", self.drawn, first, second)
            if joint.type == "prismatic":  # a line on a line, either way round: as drawn
                value = math.pi * round(drawn / math.pi)
            elif joint.type == "angle":
                value += math.tau * round((drawn - value) / math.tau)
            elif joint.type == "fixed":
                value = drawn
            relations.append(_Relation(joint.type, first, second, value))
        for i, name in enumerate(self.drives):
            first, second = self._ends(name)
            kind = "travel" if self.mechanism.joints[name].type == "prismatic" else "turn"
            offset = 0.0
            if kind == "turn":
                drawn = _measure("revolute", self.drawn, first, second)
                offset = math.tau * round(drawn / math.tau)
            relations.append(_Relation(kind, first, second, offset, input=i))
        return relations

    def _gear(self, name: str) -> _Relation:
        """Turns against the part whose own points the axes of both wheels stay on; else against the world.

        An axis is found as a point of the wheel where another part is pinned, as drawn.
        """
        joint = self.mechanism.joints[name]
        wheels = [end.partition(".")[0] for end in joint.between]
        pins = [
            (np.round(_world(self.drawn, place), 9), {end.partition(".")[0] for end in pin.between})
            for key, pin in self.mechanism.joints.items()
            if pin.type == "revolute"
            for place in self._ends(key)[:1]
        ]
        held = [
            {
                p
                for at, parts in pins
                for other, more in pins
                if wheel in parts and np.array_equal(at, other)
                for p in more
            }
            for wheel in wheels
        ]
        both = (held[0] & held[1]) - set(wheels)
        on_ground = any(self.mechanism.parts[p].fixed for p in both)
        moving = [] if on_ground else [p for p in self.names if p in both]
        first, second, carrier = (
            _Place(self.names.index(part), (0.0, 0.0), 0.0) for part in (*wheels, (moving or wheels)[0])
        )
        ratio, theta = float(joint.ratio or 0), self.drawn[:, 2]
        held = 1.0 - ratio if moving else 0.0
        value = theta[second.part] - ratio * theta[first.part] - held * theta[carrier.part]
        return _Relation("gear" if moving else "gear of the world", first, second, value, -1, carrier, ratio)


def _angle(table: object, key: str) -> float:
    value, degrees = getattr(table, key), getattr(table, f"{key}_deg")
    if value is not None:
        return float(value)
    return math.radians(float(degrees)) if degrees is not None else 0.0


def _pose(mechanism: Mechanism, name: str) -> tuple[float, float, float]:
    pose = mechanism.parts[name].pose
    if pose is None:
        return (0.0, 0.0, 0.0)
    x, y = map(float, pose.at) if pose.at is not None else (0.0, 0.0)
    turn = math.atan2(float(pose.along[1]), float(pose.along[0])) if pose.along else _angle(pose, "turn")
    if pose.on is not None:
        part, key = pose.on.split(".")
        px, py, pt = _pose(mechanism, part)
        mark = _place(mechanism, f"{part}.{key}", list(mechanism.parts))
        c, s = math.cos(pt), math.sin(pt)
        ox, oy = px + c * mark.at[0] - s * mark.at[1], py + s * mark.at[0] + c * mark.at[1]
        base = pt + mark.turn
        c, s = math.cos(base), math.sin(base)
        return ox + c * x - s * y, oy + s * x + c * y, base + turn
    return x, y, turn


def _place(mechanism: Mechanism, end: str, names: list[str]) -> _Place:
    part, key = end.split(".")
    mark = mechanism.parts[part].markers[key]
    at = mark.at if isinstance(mark, Marker) else mark
    turn = 0.0
    if isinstance(mark, Marker):
        turn = math.atan2(float(mark.along[1]), float(mark.along[0])) if mark.along else _angle(mark, "turn")
    return _Place(names.index(part), (float(at[0]), float(at[1])), turn)


def _world(pose: np.ndarray, place: _Place) -> np.ndarray:
    x, y, turn = pose[place.part]
    c, s = np.cos(turn), np.sin(turn)
    a, b = place.at
    return np.array([x + c * a - s * b, y + s * a + c * b])


def _measure(kind: str, pose: np.ndarray, first: _Place, second: _Place) -> float:
    turn = pose[first.part, 2] + first.turn
    if kind in ("prismatic", "travel"):
        gap = _world(pose, second) - _world(pose, first)
        return gap[0] * np.cos(turn) + gap[1] * np.sin(turn)
    return pose[second.part, 2] + second.turn - turn


def _groups(relations: list[_Relation]) -> list[_Group]:
    count = {"revolute": 2, "fixed": 3, "prismatic": 2}
    grouped, at = [], 0
    for kind in dict.fromkeys(r.kind for r in relations):
        of_kind = [r for r in relations if r.kind == kind]
        each = count.get(kind, 1)
        ends = [[r.first for r in of_kind], [r.second for r in of_kind]]
        if kind.startswith("gear"):
            ends.append([r.carrier or r.first for r in of_kind])
        grouped.append(
            _Group(
                kind,
                np.array([[e.part for e in side] for side in ends]),
                np.array([[[e.at[k] for e in side] for k in (0, 1)] for side in ends]),
                np.array([[e.turn for e in side] for side in ends]),
                np.array([r.value for r in of_kind]),
                np.array([r.input for r in of_kind]),
                at + np.arange(len(of_kind) * each).reshape(len(of_kind), each),
                np.array([r.ratio for r in of_kind]),
            )
        )
        at += len(of_kind) * each
    return grouped


def _residual(g: _Group, poses: list[np.ndarray], inputs: np.ndarray, size: float) -> np.ndarray:
    """Residuals (n, rows of one) for the poses (n, 3) of both sides: lengths over the size, or angles."""
    points = []
    for pose, (a, b) in zip(poses, g.at, strict=True):
        c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
        points.append((pose[:, 0] + c * a - s * b, pose[:, 1] + s * a + c * b))
    x, y = (points[1][0] - points[0][0]) / size, (points[1][1] - points[0][1]) / size
    turn = poses[0][:, 2] + g.turn[0]
    between = poses[1][:, 2] + g.turn[1] - turn - g.value
    across = y * np.cos(turn) - x * np.sin(turn)
    match g.kind:
        case "revolute":
            rows = [x, y]
        case "fixed":
            rows = [x, y, between]
        case "prismatic":
            rows = [across, between]
        case "in_line":
            rows = [across]
        case "angle":
            rows = [between]
        case "gear":
            rows = [poses[1][:, 2] - g.ratio * poses[0][:, 2] - (1 - g.ratio) * poses[2][:, 2] - g.value]
        case "gear of the world":
            rows = [poses[1][:, 2] - g.ratio * poses[0][:, 2] - g.value]
        case "turn":
            rows = [between - inputs[g.input]]
        case "travel":
            rows = [x * np.cos(turn) + y * np.sin(turn) - inputs[g.input] / size]
        case _:
            raise ValueError(f"the oracle has no equations for {g.kind!r}")
    return np.stack(rows, axis=1)


def _residuals(pose: np.ndarray, groups: list[_Group], inputs: np.ndarray, size: float) -> np.ndarray:
    residuals = [_residual(g, [pose[own] for own in g.parts], inputs, size).ravel() for g in groups]
    return np.concatenate(residuals) if residuals else np.zeros(0)


def _jacobian(pose: np.ndarray, groups: list[_Group], size: float) -> np.ndarray:
    """By complex steps: exact to rounding, and no derivative is written by hand."""
    tiny = 1e-30
    inputs = np.zeros(1 + max((int(g.input.max()) for g in groups), default=0))
    full = np.zeros((sum(g.rows.size for g in groups), pose.size))
    for g in groups:
        for side in range(len(g.parts)):
            for k in range(3):
                poses = [pose[own].astype(complex) for own in g.parts]
                poses[side][:, k] += 1j * tiny
                slope = _residual(g, poses, inputs, size).imag / tiny
                full[g.rows, (3 * g.parts[side] + k)[:, None]] += slope
    return full
