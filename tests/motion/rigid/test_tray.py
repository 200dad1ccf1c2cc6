"""Polygons thrown into trays: nothing goes into anything else, and the account of energy closes.

Overlap is looked for by shapely, which shares no code with the method. The trays have walls that stand beside
the floor, and notches; parts slide, rock and bounce into them. Each of these numbers fell through once.
"""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from shapely import affinity
from shapely.geometry import Polygon

import detent

FLAT = [[-40, -10], [40, -10], [40, 0], [-40, 0]]
NOTCHED = [[-40, -10], [0, -20], [40, -10], [40, 15], [0, 0], [-40, 15]]


def polygon(chance: random.Random, corners: int) -> list[list[float]]:
    """On a circle of 10, with its centre inside."""
    while True:
        angles = sorted(chance.uniform(0, 2 * math.pi) for _ in range(corners))
        gaps = [(angles[(k + 1) % corners] - angles[k]) % (2 * math.pi) for k in range(corners)]
        if max(gaps) <= 2.6:
            return [[round(10 * math.cos(a), 3), round(10 * math.sin(a), 3)] for a in angles]


@pytest.mark.parametrize("number", [2, 7, 10, 17, 35, 42])
def test_nothing_goes_into_anything_else(number):
    chance = random.Random(number)
    outline = polygon(chance, chance.choice([3, 4, 5, 6]))
    restitution = chance.choice([0, 0.05, 0.3, 0.5, 0.7, 0.9, 0.95])
    friction = chance.choice([0, 0.1, 0.5, 1.0])
    tray = {
        "floor": NOTCHED if chance.random() < 0.5 else FLAT,
        "left": [[-50, -10], [-40, -10], [-40, 200], [-50, 200]],
        "right": [[40, -10], [50, -10], [50, 200], [40, 200]],
    }
    thrown = {"p": (0, 40), "q": (2, 80)} if chance.random() < 0.5 else {"p": (0, 40)}
    text = 'format = "detent/1"\nunits = "mm"\ngravity = [0, -9.81]\n'
    for name, points in tray.items():
        text += f"[parts.{name}]\nfixed = true\nshape.outline = {points}\n"
    for name, (x, y) in thrown.items():
        text += f"""[parts.{name}]
            shape.outline = {outline}
            pose = {{ at = [{x}, {y}], turn_deg = {chance.uniform(0, 90):.3f} }}
            mass = 0.05
            center = [0, 0]
            inertia = 2.5e-6
            """
    text += f"[touching]\nrestitution = {restitution}\nfriction = {friction}\n"
    running = detent.run(detent.loads(text + 'ignore = ["floor:left", "floor:right"]\n'), until=1.5)
    assert running.stop.cause == "done"
    assert running.steps < 5000
    fixed, part, deepest = [Polygon(points) for points in tray.values()], Polygon(outline), 0.0
    for row in range(0, len(running.times), 4):
        placed = []
        for name in thrown:
            x, y, angle = (running.states[f"{name}.{each}"][row] for each in ("x", "y", "angle"))
            turned = affinity.rotate(part, angle, origin=(0, 0), use_radians=True)
            placed.append(affinity.translate(turned, x, y))
        for k, one in enumerate(placed):
            deepest = max(deepest, *(one.intersection(other).area for other in fixed + placed[k + 1 :]))
    # As deep as the accuracy of a step lets a resting edge sink: 1e-5 of its length, squared.
    assert deepest < 1e-3
    energy = running.energy
    total = energy["stored"] + energy["dissipated"] + energy["impact"] - energy["input"]
    assert total == pytest.approx(energy["stored"][0], abs=1e-5 * np.abs(energy["stored"]).max())
    assert (np.diff(energy["impact"]) >= 0).all()
