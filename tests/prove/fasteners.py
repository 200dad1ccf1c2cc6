"""Random small-integer fasteners: where ties are common, and floating point goes wrong."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

Document = dict[str, Any]

FRICTIONS = ("0", "0", "1/20", "1/4", "1/3", "1/2")
VELOCITIES = ((0, -2), (0, -1), (1, -2), (-1, -2), ("1/3", "-5/3"), (1, -1), ("1/2", -1))


def random_fastener(seed: int) -> Document:
    """One pawl on a bare root, one to three obstacles below it, a push, and sometimes a leg back."""
    rng = random.Random(seed)
    lattice = rng.random() < 0.3
    pawl = _lattice(rng, 5) if lattice else _star(rng, rng.randint(3, 7), 4, 17)
    obstacles = []
    for k in range(rng.randint(1, 3)):
        shape = _lattice(rng, 6) if lattice else _star(rng, rng.randint(3, 6), 5, 13)
        gap = 17 if lattice else 38
        dx, dy = rng.randint(-9, 9), -gap - k * rng.randint(8, 24)
        obstacles.append([[x + dx, y + dy] for x, y in shape])
    legs: list[Any] = [{"velocity": list(rng.choice(VELOCITIES)), "for": 20 if lattice else 50}]
    if rng.random() < 0.4:
        legs.append({"back": True})
    return document(pawl, obstacles, rng.choice(FRICTIONS), legs, f"random fastener {seed}")


def document(pawl: Any, obstacles: Any, friction: Any, legs: Any, title: str = "") -> Document:
    return {
        "format": "detent/1",
        "title": title,
        "units": "1",
        "parts": {
            "root": {},
            "p": {"shape": {"outline": pawl}},
            "receiver": {"fixed": True, "shape": {"union": [{"outline": o} for o in obstacles]}},
        },
        "joints": {
            "hinge": {"type": "revolute", "between": ["root", "p"], "at": [0, 0], "spring": {"stiffness": 1}}
        },
        "drives": {"push": {"part": "root", "legs": legs}},
        "touching": {"friction": friction},
    }


def _star(rng: random.Random, count: int, low: int, high: int) -> list[list[int]]:
    """A simple polygon about a point near the origin, at sorted angles."""
    while True:
        cx, cy = rng.randint(-6, 6), rng.randint(-6, 6)
        angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(count))
        points = []
        for angle in angles:
            radius = rng.uniform(low, high)
            points.append([cx + round(radius * math.cos(angle)), cy + round(radius * math.sin(angle))])
        if _simple(points):
            return points


def _lattice(rng: random.Random, size: int) -> list[list[int]]:
    while True:
        x, y = rng.randint(-size, 1), rng.randint(-size, 1)
        w, h = rng.randint(1, size), rng.randint(1, size)
        points = [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]
        if rng.random() < 0.5:
            cut = rng.randrange(4)
            points[cut] = [points[cut][0] + rng.randint(-2, 2), points[cut][1] + rng.randint(-2, 2)]
        if rng.random() < 0.4 and w > 2 and h > 2:
            points[2:3] = [[x + w, y + h - 1], [x + w - 1, y + h - 1], [x + w - 1, y + h]]
        if _simple(points):
            return points


def _simple(points: list[list[int]]) -> bool:
    count = len(points)
    area = sum(
        points[k][0] * points[(k + 1) % count][1] - points[k][1] * points[(k + 1) % count][0]
        for k in range(count)
    )
    if abs(area) < 6 or len({tuple(p) for p in points}) < count:
        return False
    edges = [(points[k], points[(k + 1) % count]) for k in range(count)]
    for i in range(count):
        for j in range(i + 1, count):
            adjacent = j - i in (1, count - 1)
            if _meet(edges[i], edges[j], adjacent):
                return False
    return True


def _meet(e: Any, f: Any, adjacent: bool) -> bool:
    (a, b), (c, d) = e, f

    def turn(p: Any, q: Any, r: Any) -> int:
        return int((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    s = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)]
    if adjacent:
        return all(v == 0 for v in s)
    return s[0] * s[1] <= 0 and s[2] * s[3] <= 0


def nudged(made: Document, by: tuple[int, int, int]) -> Document:
    """The same fastener moved aside a little: on one side of every tie, and onto no other."""
    dx, dy, mu = by[0] * Fraction(1, 31), by[1] * Fraction(1, 37), by[2] * Fraction(1, 41)
    shape = made["parts"]["receiver"]["shape"]
    moved = [
        {"outline": [[str(Fraction(x) + dx), str(Fraction(y) + dy)] for x, y in o["outline"]]}
        for o in shape["union"]
    ]
    friction = max(Fraction(0), Fraction(made["touching"]["friction"]) + mu)
    receiver = {"fixed": True, "shape": {"union": moved}}
    return made | {
        "parts": made["parts"] | {"receiver": receiver},
        "touching": {"friction": str(friction)},
    }


def jittered(made: Document, seed: int) -> Document:
    """The same fastener with every vertex moved a little by itself: no edges parallel, no heights equal."""
    rng = random.Random(seed)

    def moved(points: Any) -> list[list[str]]:
        return [[str(c + Fraction(rng.randint(-99, 99), 4999)) for c in point] for point in points]

    receiver = {
        "union": [{"outline": moved(o["outline"])} for o in made["parts"]["receiver"]["shape"]["union"]]
    }
    return made | {
        "parts": {
            "root": {},
            "p": {"shape": {"outline": moved(made["parts"]["p"]["shape"]["outline"])}},
            "receiver": {"fixed": True, "shape": receiver},
        }
    }


def random_machine(seed: int) -> Document:
    """One to three pawls of their own stiffness and friction, and a list of two to four legs."""
    rng = random.Random(seed)
    made = document([], [], "0", [], f"random machine {seed}")
    made["parts"] = {"root": {}}
    made["joints"] = {}
    pairs: dict[str, Any] = {}
    obstacles = []
    for k in range(rng.randint(1, 3)):
        at = [k * 90, rng.randint(-5, 5)]
        shape = _star(rng, rng.randint(3, 6), 4, 17)
        made["parts"][f"p{k}"] = {"shape": {"outline": [[x + at[0], y + at[1]] for x, y in shape]}}
        between, stiffness = ["root", f"p{k}"], rng.randint(1, 4)
        if rng.random() < 0.3:
            between.reverse()
        made["joints"][f"h{k}"] = {
            "type": "revolute",
            "between": between,
            "at": at,
            "spring": {"stiffness": stiffness},
        }
        pairs[f"p{k}:receiver"] = {"friction": rng.choice(FRICTIONS)}
        for n in range(rng.randint(1, 2)):
            dx, dy = at[0] + rng.randint(-9, 9), -45 - n * rng.randint(8, 24)
            obstacles.append([[x + dx, y + dy] for x, y in _star(rng, rng.randint(3, 6), 5, 13)])
    receiver = {"fixed": True, "shape": {"union": [{"outline": o} for o in obstacles]}}
    made["parts"]["receiver"] = receiver
    made["touching"] = {"pairs": pairs}
    made["drives"]["push"]["legs"] = _legs(rng)
    return made


def _legs(rng: random.Random) -> list[Any]:
    """Down past the obstacles, then back, onwards, or aside."""
    legs: list[Any] = [{"velocity": list(rng.choice(VELOCITIES)), "for": rng.randint(15, 50)}]
    for _ in range(rng.randint(1, 3)):
        onwards = {"velocity": list(rng.choice(VELOCITIES)), "for": rng.randint(5, 30)}
        upwards = {"velocity": [rng.randint(-1, 1), rng.randint(1, 2)], "for": rng.randint(5, 30)}
        legs.append(rng.choice([{"back": True}, onwards, upwards]))
    return legs
