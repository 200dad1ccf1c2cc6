"""Free space as exact cells: the path keeps to its component, and polygons agree with every cell."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import shapely

from detent.io import native
from detent.model.reading import mechanism
from detent.motion.quasistatic.exact import LegRun, run_plan
from detent.motion.quasistatic.machine import Fastener, fastener
from detent.motion.quasistatic.slice import FreeSpace, SlicePoint, angles_at, distinct, free_space, holding
from detent.numeric.polynomial import Real, between, compare, real
from tests.motion.designs import DESIGNS, fastener_of

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FOLDER = Path(__file__).resolve().parents[2] / "data" / "reference" / "fasteners"
NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))
CHARTS = range(-1, 2)


def space_of(leg: LegRun, k: int) -> FreeSpace:
    first = next(_path(leg, k))
    return free_space(leg.slices[k], first, between(leg.end, leg.end + Fraction(1, 100)), CHARTS)


def _path(leg: LegRun, k: int) -> Iterator[SlicePoint]:
    """The start, every event and landing, and a place inside every stretch and every rest."""
    story = leg.pawl_runs[k]
    first = story.stretches[0].begin if story.stretches else None
    if story.events and story.events[0].place.t == leg.line.start:
        yield story.events[0].place
    elif first is not None and first.t == leg.line.start:
        yield first
    else:
        yield SlicePoint(leg.line.start, 0, real(0))
    for happening in story.events:
        yield happening.place
        if happening.landed is not None:
            yield happening.landed
    for stretch in story.stretches:
        if stretch.begin.t < stretch.end.t:
            yield SlicePoint(*_inside(stretch))
    times = distinct([leg.line.start, *(t for s in story.stretches for t in (s.begin.t, s.end.t)), leg.end])
    for low, high in pairwise(times):
        t = real(between(low, high))
        if not any(s.begin.t < t < s.end.t for s in story.stretches):
            yield SlicePoint(t, 0, real(0))


def _inside(stretch: Any) -> tuple[Real, int, Real]:
    t = real(between(stretch.begin.t, stretch.end.t))
    if stretch.arc.curve is None:
        return t, stretch.begin.half, stretch.begin.u
    low, high = sorted((stretch.begin.u, stretch.end.u))
    curve = stretch.arc.curve
    (u,) = [u for u in angles_at(curve.p, curve.q, t) if compare(low, u) <= 0 <= compare(high, u)]
    return t, stretch.begin.half, u


def on_component(made: Fastener) -> int:
    """How many places of the path lie in the component of the start; all must."""
    seen = 0
    for leg in run_plan(made).legs:
        for k in range(len(made.pawls)):
            space = space_of(leg, k)
            for place in _path(leg, k):
                cells = space.holding(place)
                assert cells, (float(place.t), place.angle())
                assert space.reached.intersection(cells), (float(place.t), place.angle())
                seen += 1
    return seen


@pytest.mark.parametrize("name", NAMES)
def test_the_path_of_a_reference_fastener_keeps_to_one_component(name: str) -> None:
    assert on_component(fastener(native.load(FOLDER / f"{name}.toml"))) > 2


@pytest.mark.parametrize("name", ["paddle past a post", "fork, post beside", "catch"])
def test_the_path_of_a_design_keeps_to_one_component(name: str) -> None:
    assert on_component(fastener(mechanism(DESIGNS[name]))) > 2


def round_nose(chords: int) -> Fastener:
    """A hook whose nose is half a circle in chords, pushed past a block."""
    around = [math.pi * (k / chords - 0.5) for k in range(chords + 1)]
    nose = [[round(1 + math.cos(a), 9), round(math.sin(a) - 9, 9)] for a in around]
    block = [["13/10", -13], [40, -13], [40, -16], ["13/10", -16]]
    legs = [{"velocity": [0, -1], "for": 14}]
    return fastener(mechanism(fastener_of([[-1, 0], [-1, -10], *nose, [1, 0]], [block], "1/10", legs)))


def test_curves_that_cross_where_others_overlap_do_not_count() -> None:
    """A chord more is a time more at which free space changes; all their crossings would be hundreds."""
    few, many = (len(space_of(run_plan(round_nose(n)).legs[0], 0).times) for n in (16, 24))
    assert 4 <= many - few <= 16


@pytest.mark.parametrize(
    "name", ["diode_triangle_ABC", "segment_over_peak", "fig15_diagonal_two_vertices_land", "round nose"]
)
def test_a_configuration_is_in_a_cell_exactly_where_polygons_do_not_overlap(name: str) -> None:
    read = round_nose(12) if name == "round nose" else fastener(native.load(FOLDER / f"{name}.toml"))
    leg = run_plan(read).legs[0]
    space = space_of(leg, 0)
    slice_ = leg.slices[0]
    rng = random.Random(5)
    told = {True: 0, False: 0}
    for _ in range(150):
        t = Fraction(rng.randint(1, 999), 1000) * Fraction(float(leg.end))
        place = SlicePoint(real(t), rng.choice(CHARTS), real(Fraction(rng.randint(-97, 97), 101)))
        shape = shapely.union_all([_posed(slice_, leaf, t, place) for leaf in slice_.pawl])
        walls = shapely.union_all([wall.region for wall, _ in slice_.obstacles])
        common = shape.intersection(walls)
        free = (common.area if shape.area else common.length) < 1e-9
        assert bool(space.holding(place)) is free
        told[free] += 1
    assert min(told.values()) > 5


def _posed(slice_: Any, leaf: Any, t: Fraction, place: SlicePoint) -> Any:
    theta = place.angle()
    x, y = (float(h) + float(t) * float(v) for h, v in zip(slice_.hinge, slice_.velocity, strict=True))
    c, s = math.cos(theta), math.sin(theta)
    points = [(x + c * float(a) - s * float(b), y + s * float(a) + c * float(b)) for a, b in leaf.points]
    return shapely.Polygon(points) if len(points) > 2 else shapely.LineString(points)


@pytest.mark.parametrize(("width", "through"), [("2001/1000", True), (2, True), ("1999/1000", False)])
def test_a_slot_joins_what_lies_before_and_behind_it_exactly_from_the_pawls_width_on(
    width: Any, through: bool
) -> None:
    """A bar of width 2 through a slot: at its own width it fits, in a component that is a line there."""
    half = Fraction(width) / 2
    walls = [
        [[str(side * half), -20], [side * 90, -20], [side * 90, -30], [str(side * half), -30]]
        for side in (1, -1)
    ]
    read = fastener(
        mechanism(
            fastener_of([[-1, 0], [-1, -6], [1, -6], [1, 0]], walls, 0, [{"velocity": [0, -1], "for": 12}])
        )
    )
    start = SlicePoint(real(0), 0, real(0))
    line = run_plan(read).legs[0].line
    space = free_space(line.slice(read.pawls[0], real(40)), start, 40, CHARTS)
    behind = space.holding(SlicePoint(real(39), 0, real(0)))
    assert behind
    assert bool(space.reached.intersection(behind)) is through


def test_a_pawl_that_sticks_at_rest_lies_at_the_end_of_a_marked_edge():
    """The T's left pawl meets the bar from below and is held at once: the edge holds from rest on."""
    read = fastener(native.load(EXAMPLES / "snap_t_holds.toml"))
    out = run_plan(read).legs[-1]
    assert out.cause == "stick"
    assert float(out.end) == 32.0  # after 85 in
    nearest = min(
        math.hypot(float(t) - 32.0, float(angle))
        for line in holding(space_of(out, 0))
        for t, angle in line
        if angle <= 0
    )
    assert nearest < 1e-12
