"""Which parts can touch beyond their joint, by motion envelopes (Gelsey 1995, section 2.1.4).

In a machine of layers a feature of a part that turns about a fixed axis stays in a ring about it; two
features whose rings are apart, or that share no layer, never touch. Faces of revolution about a pair's own
axis, and pitch circles that mesh, are the joint itself. What moves otherwise is not bounded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.geometry.envelope import radii
from detent.geometry.feature import Arc, Boundary, Edge
from detent.geometry.frame import Exact3
from detent.geometry.layered import LayeredFeature, layered_features, share_a_layer
from detent.geometry.solid import gear_leaves
from detent.infer.axial import layered_along
from detent.infer.faces import looking_along, unit
from detent.infer.found import InferredPair
from detent.infer.solids import MachineSolids
from detent.model.machine.touching import TouchingPairs

_PARALLEL = 1e-6
_MEET = 1e-7  # of the size

Pair = tuple[str, str]


def interactions(machine: MachineSolids, joints: Sequence[InferredPair]) -> tuple[list[Pair], list[Pair]]:
    """Pairs of parts that can touch beyond their joint; and those of them that no envelope bounds."""
    touching = TouchingPairs(machine.mechanism)
    axis = _common_axis(machine, joints)
    movers = {name: _motion(machine, joints, name, axis) for name in machine.parts}
    features: dict[str, tuple[LayeredFeature, ...]] = {}
    pairs: list[Pair] = []
    unbounded: list[Pair] = []
    for one, other in combinations(machine.parts, 2):
        if not touching.may_touch(one, other) or _rigid(joints, one, other):
            continue
        first, second = (other, one) if machine.parts[other].fixed else (one, other)
        motions = movers[first], movers[second]
        if axis is None or any(m is None for m in motions):
            if not _boxes_apart(machine, first, second, motions):
                pairs.append((first, second))
                unbounded.append((first, second))
            continue
        for name in (first, second):
            if name not in features:
                features[name] = _features(machine, name, axis)
        if _rings_meet(machine, joints, (first, second), motions, features, axis):
            pairs.append((first, second))
    with_lines = _of_lines(machine, joints, touching)
    return [*pairs, *with_lines], [*unbounded, *with_lines]


def _of_lines(machine: MachineSolids, joints: Sequence[InferredPair], touching: TouchingPairs) -> list[Pair]:
    """Pairs with a part whose shape is a segment, which no envelope bounds."""
    return [
        (other, one) if machine.mechanism.parts[other].fixed else (one, other)
        for one, other in combinations([*machine.parts, *machine.lines], 2)
        if other in machine.lines
        and touching.may_touch(one, other)
        and not _rigid(joints, one, other)
        and not (machine.mechanism.parts[one].fixed and machine.mechanism.parts[other].fixed)
    ]


@dataclass(frozen=True)
class _Motion:
    """Fixed, or turning about a point of the plane across the common axis."""

    centre: tuple[float, float] | None


def _common_axis(machine: MachineSolids, joints: Sequence[InferredPair]) -> Exact3 | None:
    """The axis that all layers lie across: of the joints, or z in the plane."""
    if machine.flat:
        return (Fraction(0), Fraction(0), Fraction(1))
    axes = [j.direction for j in joints if j.type == "revolute" and j.direction is not None]
    for axis in axes:
        if all(layered_along(machine, name, axis) for name in machine.parts):
            return axis
    return None


def _motion(
    machine: MachineSolids, joints: Sequence[InferredPair], name: str, axis: Exact3 | None
) -> _Motion | None:
    parts = machine.mechanism.parts
    if parts[name].fixed:
        return _Motion(None)
    mine = [j for j in joints if name in j.parts and j.type != "gear"]
    if axis is None or len(mine) != 1 or mine[0].type != "revolute":
        return None
    joint = mine[0]
    other = joint.parts[0] if joint.parts[1] == name else joint.parts[1]
    if not parts[other].fixed or joint.direction is None or joint.point is None:
        return None
    if np.linalg.norm(np.cross(unit(joint.direction), unit(axis))) > _PARALLEL:
        return None
    x, y, _ = looking_along(axis).apply(joint.point)
    return _Motion((float(x), float(y)))


def _features(machine: MachineSolids, name: str, axis: Exact3) -> tuple[LayeredFeature, ...]:
    try:
        whole = layered_features(machine.parts[name].seen_along(axis))
    except UnsupportedError:
        return ()
    return tuple(f for f in whole if isinstance(f.feature, Edge | Arc))


def _rings_meet(
    machine: MachineSolids,
    joints: Sequence[InferredPair],
    pair: Pair,
    motions: tuple[Any, ...],
    features: dict[str, tuple[LayeredFeature, ...]],
    axis: Exact3,
) -> bool:
    meet = _MEET * machine.size
    meshing = any(j.type == "gear" and set(j.parts) == set(pair) for j in joints)
    centres = [m.centre for m in motions]
    centre = centres[1] if centres[1] is not None else centres[0]
    if centre is None:
        return False
    lists = []
    for name, own in zip(pair, centres, strict=True):
        gears = gear_leaves(machine.parts[name].seen_along(axis)) if meshing else set()
        kept = [f for f in features[name] if getattr(f.feature, "leaf", -1) not in gears]
        lists.append([(f, *_ring(f, own, centre)) for f in kept])
    for one, low, high in lists[0]:
        for other, bottom, top in lists[1]:
            if low < top - meet and bottom < high - meet and _share_layer(one, other, meet):
                return True
    return False


def _ring(
    layered: LayeredFeature, own: tuple[float, float] | None, centre: tuple[float, float]
) -> tuple[float, float]:
    """Least and greatest distance of a feature from a centre, while its part turns about its own."""
    feature = layered.feature
    edges = (feature,) if isinstance(feature, Edge) else ()
    arcs = (feature,) if isinstance(feature, Arc) else ()
    bounds = Boundary(edges, arcs, ())
    if own is None or own == centre:
        return radii(bounds, centre)
    low, high = radii(bounds, own)
    apart = math.dist(own, centre)
    return max(0.0, apart - high, low - apart), apart + high


def _share_layer(one: LayeredFeature, other: LayeredFeature, least: float) -> bool:
    return share_a_layer(one.heights, other.heights, least=least)


def _rigid(joints: Sequence[InferredPair], one: str, other: str) -> bool:
    return any(j.type == "fixed" and {one, other} == set(j.parts) for j in joints)


def _boxes_apart(machine: MachineSolids, first: str, second: str, motions: tuple[Any, ...]) -> bool:
    """Whether boxes around all that the parts can reach are apart; only a fixed part's box is one."""
    if not (machine.parts[first].fixed and machine.parts[second].fixed):
        return False
    low, high = machine.parts[first].box
    bottom, top = machine.parts[second].box
    return bool((low > top).any() or (bottom > high).any())
