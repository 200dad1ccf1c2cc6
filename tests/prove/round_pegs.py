"""Random round pegs on a soft carrier: radius, clearance, rounds, chamfers, offset, tilt, friction, speed."""

from __future__ import annotations

import numpy as np

from detent.model import Mechanism
from tests.judge.round_pegs.documents import carrier


def random_peg(seed: int) -> Mechanism:
    """Off by up to nine tenths of what both edges are broken by, leaning by up to 1.5 deg about x and y."""
    random = np.random.default_rng(seed)
    radius, play = (round(float(random.uniform(*ends)), 3) for ends in ((4, 25), (0.02, 0.5)))
    edges, broken = [], 0.0
    for face, sign in (("+z", 1), ("-z", -1)):
        kind = str(random.choice(["round", "chamfer", "chamfer", "chamfer"]))
        size = round(float(random.uniform(0.3, 0.25 * radius)), 3)
        edges.append(f"edges = [{{ face = '{face}', {kind} = {sign * size} }}]")
        broken += size
    off, angle = random.uniform(0, 0.9 * broken), random.uniform(0, 2 * np.pi)
    tilt = tuple(round(float(one), 4) for one in random.uniform(-1.5, 1.5, 2))
    return carrier(
        peg=f"{{ cylinder = {{ radius = {round(radius - play / 2, 4)}, height = 120 }}, {edges[0]} }}",
        hole=f"{{ cylinder = {{ radius = {radius}, height = 110 }}, {edges[1]} }}",
        offset=(round(float(off * np.cos(angle)), 4), round(float(off * np.sin(angle)), 4)),
        friction=float(random.choice([0, 0.05, 0.1, 0.2, 0.3])),
        speed=float(random.choice([20, 45, 90])),
        until=6,
        turn=round(float(10 ** random.uniform(2.3, 4)), 1),
        tilt=tilt,
    )
