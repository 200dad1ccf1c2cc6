"""Random linkages, drawn closed and away from dead points: a driven crank, then groups on what moves already.

The groups are the five dyads of Brunkhart 1994 (with both ends of the mixed ones) and, where asked, the
triangle on three arms. Every part has a frame of its own, at random; every group sits on two different
parts, one of which moves.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from detent.model.document import Mechanism
from detent.model.reading import Builder

DYADS = ("RRR", "RRP", "RPR", "RPP", "PRP")
# Sine of the angle at which two constraints of a new group must cross at least, as drawn.
CROSSING = 0.35
SPAN = 4.0

Point = tuple[float, float]


@dataclass
class _Drawing:
    rng: random.Random
    poses: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    markers: dict[str, dict[str, object]] = field(default_factory=dict)
    joints: list[tuple[str, str, str, str]] = field(default_factory=list)

    def part(self, name: str) -> str:
        spread = self.rng.uniform
        self.poses[name] = (spread(-3, 3), spread(-3, 3), spread(-3, 3)) if name != "ground" else (0, 0, 0)
        self.markers[name] = {}
        return name

    def mark(self, part: str, at: Point, turn: float | None = None) -> str:
        x, y, theta = self.poses[part]
        dx, dy = at[0] - x, at[1] - y
        c, s = math.cos(theta), math.sin(theta)
        local = [c * dx + s * dy, c * dy - s * dx]
        key = f"m{len(self.markers[part])}"
        self.markers[part][key] = local if turn is None else {"at": local, "turn": turn - theta}
        return f"{part}.{key}"

    def pin(self, a: str, b: str, at: Point) -> None:
        self._join("revolute", self.mark(a, at), self.mark(b, at))

    def slide(self, a: str, b: str, at: Point, turn: float) -> None:
        """The two markers lie on the line, some way from each other."""
        way = self.rng.uniform(-1, 1)
        along = (at[0] + way * math.cos(turn), at[1] + way * math.sin(turn))
        self._join("prismatic", self.mark(a, at, turn), self.mark(b, along, turn))

    def _join(self, kind: str, first: str, second: str) -> None:
        if self.rng.random() < 0.5:
            first, second = second, first
        self.joints.append((f"J{len(self.joints)}", kind, first, second))

    def point(self) -> Point:
        return (self.rng.uniform(-SPAN, SPAN), self.rng.uniform(-SPAN, SPAN))

    def mechanism(self, reach_deg: float, steps: int) -> Mechanism:
        builder = Builder(format="detent/1", units="1")
        for name, (x, y, turn) in self.poses.items():
            table = {"fixed": True} if name == "ground" else {"pose": {"at": [x, y], "turn": turn}}
            builder.part(name, markers=self.markers[name], **table)
        for name, kind, first, second in self.joints:
            builder.joint(name, kind, first, second)
        first, second = self.joints[0][2:]
        here = math.degrees(self._turn(second) - self._turn(first))
        here -= 360 * round(here / 360)
        builder.drive("crank", joint="J0", from_deg=here, to_deg=here + reach_deg, steps=steps)
        return builder.build()

    def _turn(self, end: str) -> float:
        return self.poses[end.partition(".")[0]][2]


def random_linkage(
    seed: int, *, groups: int = 3, kinds: tuple[str, ...] = DYADS, steps: int = 12
) -> Mechanism:
    """A crank and `groups` groups, driven from the drawing over a random range of up to 90 degrees."""
    rng = random.Random(seed)
    d = _Drawing(rng)
    known = [d.part("ground"), d.part("crank")]
    d.pin("ground", "crank", d.point())
    for i in range(groups):
        kind = rng.choice(kinds)
        known += _triad(d, known, i) if kind == "triad" else _dyad(d, known, kind, i)
    reach = rng.choice([-1, 1]) * rng.uniform(10, 90)
    return d.mechanism(reach, steps)


def _dyad(d: _Drawing, known: list[str], kind: str, i: int) -> list[str]:
    k, m = _bases(d, known, 2)
    if d.rng.random() < 0.5:
        k, m = m, k
    a, b = d.part(f"a{i}"), d.part(f"b{i}")
    while True:
        p, q, c = d.point(), d.point(), d.point()
        s, t = d.rng.uniform(-3, 3), d.rng.uniform(-3, 3)
        pc, qc, pq = _way(p, c), _way(q, c), _way(p, q)
        crossing = {
            "RRR": math.sin(pc - qc),
            "RRP": math.cos(pc - t),
            "RPR": math.cos(s - pq),
            "RPP": math.sin(s - t),
            "PRP": math.sin(s - t),
        }[kind]
        if abs(crossing) > CROSSING and min(_far(p, c), _far(q, c), _far(p, q)) > 1:
            break
    match kind:
        case "RRR":
            d.pin(k, a, p)
            d.pin(m, b, q)
            d.pin(a, b, c)
        case "RRP":
            d.pin(k, a, p)
            d.pin(a, b, c)
            d.slide(m, b, q, t)
        case "RPR":
            d.pin(k, a, p)
            d.pin(m, b, q)
            d.slide(a, b, c, s)
        case "RPP":
            d.pin(k, a, p)
            d.slide(a, b, c, s)
            d.slide(m, b, q, t)
        case "PRP":
            d.slide(k, a, p, s)
            d.pin(a, b, c)
            d.slide(m, b, q, t)
    return [a, b]


def _triad(d: _Drawing, known: list[str], i: int) -> list[str]:
    """A triangle on three arms: no dyad among them."""
    bases = _bases(d, known, 2)
    bases.append(d.rng.choice(bases))
    triangle = d.part(f"t{i}")
    arms = [d.part(f"{arm}{i}") for arm in "abc"]
    while True:
        outer, inner = [d.point() for _ in arms], [d.point() for _ in arms]
        if (
            min(_far(p, q) for p, q in zip(outer, inner, strict=True)) > 1
            and abs(_lines(outer, inner)) > CROSSING
        ):
            break
    for base, arm, p, q in zip(bases, arms, outer, inner, strict=True):
        d.pin(base, arm, p)
        d.pin(arm, triangle, q)
    return [triangle, *arms]


def _bases(d: _Drawing, known: list[str], count: int) -> list[str]:
    """Different parts; the last ones made are likelier, so that groups build on each other."""
    while True:
        chosen = {d.rng.choice(known[-5:] if d.rng.random() < 0.7 else known) for _ in range(count)}
        if len(chosen) == count and chosen != {"ground"}:
            return sorted(chosen)


def _lines(outer: list[Point], inner: list[Point]) -> float:
    """Determinant of the arms' three lines, scaled: zero where they meet in a point or are parallel."""
    rows = []
    for p, q in zip(outer, inner, strict=True):
        ux, uy = math.cos(_way(p, q)), math.sin(_way(p, q))
        rows.append((ux, uy, (q[0] * uy - q[1] * ux) / SPAN))
    (a, b, c), (e, f, g), (h, i, j) = rows
    return a * (f * j - g * i) - b * (e * j - g * h) + c * (e * i - f * h)


def _way(p: Point, q: Point) -> float:
    return math.atan2(q[1] - p[1], q[0] - p[0])


def _far(p: Point, q: Point) -> float:
    return math.hypot(q[0] - p[0], q[1] - p[1])
