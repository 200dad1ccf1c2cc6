"""Teeth of gears: a gear's shape is its pitch cylinder; the teeth are drawn about it.

Straight-sided, of the usual heights, and turned so that gears which mesh as drawn
have a tooth of the one in a gap of the other; from there they turn with their parts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.draw.machine.stage import Stage
from detent.draw.scene.palette import Colours
from detent.draw.scene.scene import Area, Item, Style
from detent.geometry.solid import Cylinder, leaves
from detent.model.machine.graph import parts_of

if TYPE_CHECKING:
    from detent.draw.machine.stage import Matrix
    from detent.draw.scene.scene import Points


@dataclass(frozen=True, eq=False)
class Gear:
    """A toothed cylinder, as drawn: its centre in the world, pitch radius and teeth."""

    part: str
    centre: Matrix
    radius: float
    teeth: int

    @property
    def pitch(self) -> float:
        """Angle from tooth to tooth [rad]."""
        return 2 * math.pi / self.teeth


def rims(stage: Stage, colours: dict[str, Colours]) -> list[Item]:
    """The toothed outline of every gear, where its part is now."""
    gears = _gears(stage)
    phases = _phases(stage, gears)
    items: list[Item] = []
    for gear in gears:
        outline = gear.centre + _teeth(gear, phases[gear.part])
        move = stage.now[gear.part] @ np.linalg.inv(stage.drawn[gear.part])
        placed = outline @ move[:2, :2].T + move[:2, 3]
        hue = colours[gear.part]
        items.append(
            Area((placed,), Style(stroke=hue.line, width=1.2, fill=hue.fill, opacity=0.75), gear.part)
        )
    return items


def _gears(stage: Stage) -> list[Gear]:
    gears = []
    for part, solid in stage.solids.items():
        for leaf in leaves(solid):
            p = leaf.primitive
            if isinstance(p, Cylinder) and p.teeth and leaf.frame.upright and not leaf.hollow:
                at = stage.drawn[part] @ np.append(leaf.frame.matrix[:, 3], 1.0)
                gears.append(Gear(part, at[:2], float(p.radius), p.teeth))
    return gears


def _phases(stage: Stage, gears: list[Gear]) -> dict[str, float]:
    """By part: where its first tooth points as drawn [rad]; the second of a pair follows the first."""
    by_part = {gear.part: gear for gear in gears}
    phases = dict.fromkeys(by_part, 0.0)
    for joint in stage.mechanism.joints.values():
        one, two = (by_part.get(part) for part in parts_of(joint))
        if joint.type != "gear" or one is None or two is None:
            continue
        toward = two.centre - one.centre
        direction = math.atan2(toward[1], toward[0])
        # How far past a tooth of the first the line of centres runs, in pitches.
        past = (direction - phases[one.part]) / one.pitch
        phases[two.part] = direction + math.pi - two.pitch * (0.5 - past)
    return phases


def _teeth(gear: Gear, phase: float) -> Points:
    """About the origin: up the flank, over the tip, down the flank, along the root."""
    module = 2 * gear.radius / gear.teeth
    radii = gear.radius + module * np.array([-1.25, 1.0, 1.0, -1.25])
    shares = np.array([-0.32, -0.14, 0.14, 0.32])
    angles = phase + (np.arange(gear.teeth)[:, None] + shares[None, :]) * gear.pitch
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=-1).reshape(-1, 2)
