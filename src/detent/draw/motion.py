"""A linkage that moved: its first position, and the curves that its markers drew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from detent.draw import palette
from detent.draw.machine import scene_of
from detent.draw.scene import Item, Line, Scene, Style
from detent.model.mechanism import Mechanism
from detent.record.motion import Motion

CURVE = 1.2  # [px]


def scene_of_motion(mechanism: Mechanism, motion: Motion) -> Scene:
    """The mechanism at the first position reached, with the track of every marker behind it."""
    poses = {name: track[0] for name, track in motion.poses.items() if len(track)}
    scene = scene_of(mechanism, poses or None)
    colours = palette.of_parts({name: part.fixed for name, part in mechanism.parts.items()})
    tracks: list[Item] = []
    for name, track in motion.markers.items():
        if len(track) < 2 or np.ptp(track, axis=0).max() == 0:
            continue
        part = name.partition(".")[0]
        style = Style(stroke=colours[part].line, width=CURVE, dash=(3, 2))
        tracks.append(Line(np.asarray(track), style, owner=part))
    return replace(scene, items=(*tracks, *scene.items))
