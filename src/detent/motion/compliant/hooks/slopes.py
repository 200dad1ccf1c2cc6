"""The faces of a hook that its counterpart slides along: ramps on the way in, returns on the way out.

A face leans by its angle to the push. Friction locks there where pushing harder moves the hook no further out
of the way: n A (n - mu t) <= 0, with n towards the hook, t the direction in which the hook slides past the
counterpart, and A what the hook's material gives way at the contact by a force there. All as drawn: a hook
that leans as it bends has other angles. Of the corners of a face the one that locks first counts.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.motion.compliant.hooks.problem import HookProblem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_FACE = re.compile(r"^[^+]*\.[ef]\d+$")  # of one feature: a corner is named by its vertex or its faces
_PARALLEL = 1e-9


def slopes_of(problem: HookProblem, push: Floats) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Ramps and returns, where the counterpart comes along `push`, seen from the hook."""
    frames, place = problem.frames(np.zeros(len(problem.support.free)), np.zeros(3))
    give: Floats = np.asarray(np.linalg.inv(problem.support.stiffness), np.float64)
    faces, corners, others = _features(problem, frames)
    ramps: list[dict[str, Any]] = []
    returns: list[dict[str, Any]] = []
    for name, (normal, at) in sorted(faces.items()):
        facing = float(normal @ push)
        near = _PARALLEL * problem.length
        own = [corner for corner in corners if abs(float(normal @ (corner - at))) <= near]
        if abs(facing) <= _PARALLEL or not own or not _in_the_way(own, others, push):
            continue
        way = push if facing < 0 else -push
        frictions = [_locks_from(give, place.rates(corner), -normal, way) for corner in own]
        entry = {
            "face": name,
            "angle_deg": math.degrees(math.asin(min(abs(facing), 1.0))),
            "locks_from_friction": min((f for f in frictions if f is not None), default=None),
        }
        (ramps if facing < 0 else returns).append(entry)
    return ramps, returns


def _features(
    problem: HookProblem, frames: Floats
) -> tuple[dict[str, tuple[Floats, Floats]], list[Floats], list[Floats]]:
    """Of the hook its faces, outward normal and a point, and its corners; corners of what it meets."""
    faces: dict[str, tuple[Floats, Floats]] = {}
    corners: list[Floats] = []
    others: list[Floats] = []
    for row in range(problem.surfaces.count):
        if not problem.is_hooks(row):
            continue
        theirs, name = problem.name(row).split(":")
        if not (_FACE.search(name) or _FACE.search(theirs)):
            continue  # two edges across each other
        met = problem.surfaces.one(row, frames)
        is_first = met.a == problem.hook
        on_a = met.point - met.gap * met.normal
        own, other = (on_a, met.point) if is_first else (met.point, on_a)
        if _FACE.search(name):
            faces[name] = (met.normal if is_first else -met.normal, own)
            others.append(other)
        else:
            corners.append(own)
    return faces, corners, others


def _in_the_way(face: list[Floats], counterpart: list[Floats], push: Floats) -> bool:
    """Whether a face and what comes lie one behind the other, by the boxes around them across the push."""
    if not counterpart:
        return False
    axes = np.linalg.svd(push[None])[2][1:]
    (low, high), (start, end) = (
        ((points @ axes.T).min(axis=0), (points @ axes.T).max(axis=0))
        for points in (np.array(face), np.array(counterpart))
    )
    wide = end - start > 0
    return bool((np.minimum(high, end) > np.maximum(low, start))[wide & (high > low)].all()) and bool(
        wide.any()
    )


def _locks_from(give: Floats, rates: Floats, normal: Floats, way: Floats) -> float | None:
    """The friction from which a contact locks; None where no friction does."""
    yields = rates @ give @ rates.T
    straight = float(normal @ yields @ normal)
    if straight <= 0:
        return 0.0
    moves = yields @ normal * float(normal @ way) / straight
    slides = moves - way
    slides = slides - normal * float(normal @ slides)
    size = float(np.linalg.norm(slides))
    if size == 0:
        return None
    across = float(normal @ yields @ slides) / size
    return straight / across if across > _PARALLEL * straight else None
