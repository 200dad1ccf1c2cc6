"""Rotations and limits of four-bars, few steps against an independent march of the two circles.

Families by construction: positions a quarter, a half and a whole rotation apart, cranks that just pass or
just miss the line of their links, and drives of several rotations.
"""

import math
import os

import numpy as np
import pytest

import detent
from detent.library import linkages
from detent.model.document import Drive

FULL = os.environ.get("DETENT_PROVE") == "full"
SEEDS = range(200 if FULL else 12)
MARCH = math.radians(0.25)


def moved(machine, start_deg, end_deg, steps):
    (name,) = machine.drives
    drive = Drive(joint=machine.drives[name].joint, from_deg=start_deg, to_deg=end_deg, steps=steps)
    return detent.predict(machine, drives={name: drive}).trajectory


def marched(lengths, first, far, crank_angle, span):
    """Angles that coupler and rocker rotate by while the crank does, from circles met in small steps."""
    ground, crank, coupler, rocker = lengths
    total = np.zeros(2)
    tip, joint = first, far
    side = ((far - first) * (ground - first).conjugate()).imag
    for angle in np.linspace(0.0, span, math.ceil(abs(span) / MARCH) + 1)[1:]:
        new_tip = crank * np.exp(1j * (crank_angle + angle))
        across = ground - new_tip
        reach = abs(across)
        along = (coupler**2 - rocker**2 + reach**2) / (2 * reach)
        height = math.sqrt(coupler**2 - along**2)
        new = new_tip + across / reach * (along + math.copysign(height, side) * 1j)
        total += [
            np.angle((new - new_tip) / (joint - tip)),
            np.angle((new - ground) / (joint - ground)),
        ]
        tip, joint = new_tip, new
    return total


@pytest.mark.parametrize("seed", SEEDS)
def test_few_steps_rotate_as_a_march_of_small_ones(seed):
    rng = np.random.default_rng(seed)
    crank, coupler, rocker = 1.0, float(rng.uniform(3, 4)), float(rng.uniform(3, 4))
    ground = float(rng.uniform(3.0, 0.95 * (coupler + rocker - 2)))
    if seed % 2:  # a drag link: all but the ground go round
        ground, crank = 1.0, float(rng.uniform(3, 4))
    if (
        min(ground, crank) + max(ground, crank, coupler, rocker)
        > 0.95 * (ground + crank + coupler + rocker) / 2
    ):
        coupler = rocker = crank + ground - 0.5
    machine = linkages.four_bar(ground, crank, coupler, rocker)
    span = float(rng.choice([90, 180, 270, 360, 720, 1080, -450])) * float(rng.choice([1, 1, 1.1]))
    story = moved(machine, 0, span, int(rng.integers(1, 5)))
    assert story.stop.cause == "done"
    points = detent.move(machine).markers
    first, far = (complex(*points[name][0]) for name in ("coupler.B", "coupler.C"))
    expected = marched((ground, crank, coupler, rocker), first, far, np.angle(first), math.radians(span))
    for part, rotated in zip(("coupler", "rocker"), expected, strict=True):
        rows = story.poses[part]
        assert rows[-1, 2] - rows[0, 2] == pytest.approx(rotated, abs=1e-6)


@pytest.mark.parametrize("share", [1e-6, 1e-8, -1e-8, -1e-6])
def test_a_crank_that_just_passes_or_just_misses_its_line(share):
    # Crank and ground in line reach ground + crank; coupler and rocker are a share longer or shorter.
    ground, crank, coupler = 4.0, 1.0, 2.6
    rocker = (ground + crank) * (1 + share) - coupler
    story = moved(linkages.four_bar(ground, crank, coupler, rocker), 0, 360, 5)
    assert story.stop.cause == ("done" if share > 0 else "limit")
