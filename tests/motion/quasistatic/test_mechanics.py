"""What must hold of any fastener: energy, symmetry, limits, refusals."""

from __future__ import annotations

import copy
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import detent
from detent.foundation import ModelError, UnsupportedError
from detent.io import native
from detent.judge import mate
from detent.model.reading import mechanism, plain
from detent.motion.quasistatic.answer import loaded_stretches
from detent.motion.quasistatic.exact import run_plan
from detent.motion.quasistatic.machine import fastener
from tests.prove.fasteners import document, random_fastener

FOLDER = Path(__file__).resolve().parents[2] / "data" / "reference" / "fasteners"
Document = dict[str, Any]


def read(name: str) -> Document:
    return plain(native.load(FOLDER / f"{name}.toml"))


def story(made: Document) -> list[tuple[Any, ...]]:
    """Kinds, times and angles, leg by leg."""
    told: list[tuple[Any, ...]] = []
    for leg in run_plan(fastener(mechanism(made))).legs:
        told += [(h.kind, leg.instant(h.place.t), h.place.angle()) for s in leg.pawl_runs for h in s.events]
        told.append((leg.cause, leg.instant(leg.end), leg.pawl_runs[0].end.angle()))  # type: ignore[union-attr]
    return told


def moved(design: Document, change: Any, turn: Any) -> Document:
    """Every point of a fastener changed, every velocity turned with it."""
    design = copy.deepcopy(design)

    def shape(table: Document) -> None:
        for key in ("outline", "segment"):
            if key in table:
                table[key] = [change(p) for p in table[key]]
        for child in table.get("union", ()):
            shape(child)

    for part in design["parts"].values():
        if "shape" in part:
            shape(part["shape"])
    for joint in design["joints"].values():
        joint["at"] = change(joint["at"])
    for drive in design["drives"].values():
        for leg in drive["legs"]:
            if "velocity" in leg:
                leg["velocity"] = turn(leg["velocity"])
    return design


def fractions(point: Any) -> tuple[Fraction, Fraction]:
    return Fraction(point[0]), Fraction(point[1])


def written(x: Fraction, y: Fraction) -> list[str]:
    return [str(x), str(y)]


SEEDS = [41_003, 41_035]
NAMES = ["diode_triangle_ABC", "segment_slide_reversal", "fig7d_friction_mu_2_5"]


@pytest.fixture(params=[*SEEDS, *NAMES])
def made(request: pytest.FixtureRequest) -> Document:
    return read(request.param) if isinstance(request.param, str) else random_fastener(request.param)


def same(a: list[tuple[Any, ...]], b: list[tuple[Any, ...]], *, angle: int = 1, time: float = 1.0) -> bool:
    return [e[0] for e in a] == [e[0] for e in b] and all(
        math.isclose(x[1] * time, y[1], rel_tol=1e-12, abs_tol=1e-12)
        and math.isclose(angle * x[2], y[2], rel_tol=1e-12, abs_tol=1e-12)
        for x, y in zip(a, b, strict=True)
    )


def test_a_turned_fastener_has_the_same_story(made: Document) -> None:
    def turn(p: Any) -> list[str]:
        x, y = fractions(p)
        return written(x * Fraction(3, 5) - y * Fraction(4, 5), x * Fraction(4, 5) + y * Fraction(3, 5))

    assert same(story(made), story(moved(made, turn, turn)))


def test_a_mirrored_fastener_has_the_mirrored_story(made: Document) -> None:
    def mirror(p: Any) -> list[str]:
        x, y = fractions(p)
        return written(-x, y)

    assert same(story(made), story(moved(made, mirror, mirror)), angle=-1)


def test_a_shifted_fastener_has_the_same_story(made: Document) -> None:
    def shift(p: Any) -> list[str]:
        x, y = fractions(p)
        return written(x + Fraction(22, 7), y - 13)

    assert same(story(made), story(moved(made, shift, lambda v: v)))


def test_a_scaled_fastener_has_the_same_story(made: Document) -> None:
    def scale(p: Any) -> list[str]:
        x, y = fractions(p)
        return written(x * Fraction(7, 3), y * Fraction(7, 3))

    assert same(story(made), story(moved(made, scale, scale)))


def test_collinear_vertices_make_no_event(made: Document) -> None:
    dense = copy.deepcopy(made)

    def add(table: Document) -> None:
        if "outline" in table:
            points = [fractions(p) for p in table["outline"]]
            table["outline"] = [
                written(*q)
                for k, p in enumerate(points)
                for q in (
                    p,
                    tuple((a + 2 * b) / 3 for a, b in zip(p, points[k - len(points) + 1], strict=True)),
                )
            ]
        for child in table.get("union", ()):
            add(child)

    for part in dense["parts"].values():
        if "shape" in part:
            add(part["shape"])
    assert same(story(made), story(dense))


def test_half_a_turn_away_from_the_chart_nothing_is_special() -> None:
    """A rest angle of half a turn puts theta = pi of the first chart on the path."""
    design = random_fastener(41_035)
    turned = copy.deepcopy(design)
    turned["joints"]["hinge"]["spring"]["rest_deg"] = 180
    turned["start"] = {"hinge": {"at_deg": 180}}
    turned["parts"]["p"]["shape"]["outline"] = [[-x, -y] for x, y in design["parts"]["p"]["shape"]["outline"]]
    assert same(story(design), story(turned))


@pytest.mark.parametrize("name", ["segment_over_peak", "diode_triangle_ABC", "two_pawl_T_frictionless"])
def test_work_of_the_push_is_stored_in_the_spring(name: str) -> None:
    """Without friction, on every stretch: force along the way equals the change of k theta^2 / 2."""
    decided_fastener = fastener(mechanism(read(name)))
    for leg in run_plan(decided_fastener).legs:
        for pawl, slice_, told in zip(decided_fastener.pawls, leg.slices, leg.pawl_runs, strict=True):
            for stretch in told.stretches:
                (loaded,) = loaded_stretches(slice_, pawl.spring, stretch, 1.0)
                if any(loaded.unbounded) or float(stretch.begin.t) == float(stretch.end.t):
                    continue
                nodes, weights = np.polynomial.legendre.leggauss(60)
                low, high = float(stretch.begin.t), float(stretch.end.t)
                times = low + (nodes + 1) * (high - low) / 2
                forces = [float(loaded.at(loaded.parameter_at(t)).resisting) for t in times]
                speed = math.hypot(*(float(c) for c in slice_.velocity))
                work = float(weights @ np.array(forces)) * (high - low) / 2 * speed
                stored = (stretch.end.angle() ** 2 - stretch.begin.angle() ** 2) / 2 * pawl.spring.stiffness
                assert work == pytest.approx(stored, abs=1e-6)


def test_theta_may_wind_beyond_a_turn() -> None:
    """A rest angle of two turns snaps back through all of them when nothing is in the way."""
    machine = document(
        [[-1, 0], [1, 0], [0, -4]], [[[50, 50], [60, 50], [60, 60]]], 0, [{"velocity": [0, -1], "for": 1}]
    )
    machine["joints"]["hinge"]["spring"]["rest_deg"] = 720
    event = mate(mechanism(machine)).legs[0].events[0]
    assert event.kind == "snap"
    assert event.coordinate == pytest.approx(0, abs=1e-12)
    assert event.coordinate_after == pytest.approx(4 * math.pi, rel=1e-15)


def pressed(**joint: Any) -> Document:
    """A straight pawl pressed on a flat ground: it turns as it goes down."""
    machine = document(
        [[0, 0], [6, -8], [6, -7]],
        [[[-60, -60], [60, -60], [60, -12], [-60, -12]]],
        0,
        [{"velocity": [0, -1], "for": 9}],
    )
    machine["joints"]["hinge"] |= joint
    return machine


def test_an_angle_limit_ends_the_motion_and_is_the_cause() -> None:
    limited = mate(mechanism(pressed(limits={"max_deg": 20}))).legs[0]
    assert limited.end.cause == "limit"
    assert limited.end.coordinates["hinge"] == pytest.approx(math.radians(20), abs=1e-15)
    assert limited.force.peak.unbounded is True
    assert mate(mechanism(pressed(limits={"max_deg": 80}))).legs[0].end.cause == "done"


def test_after_a_jam_only_the_way_back_is_open() -> None:
    design = random_fastener(41_034)
    design["drives"]["push"]["legs"] = [
        {"velocity": ["1/3", "-5/3"], "for": 50},
        {"velocity": [1, 0], "for": 1},
    ]
    told = mate(mechanism(design))
    assert [leg.end.cause for leg in told.legs] == ["jam"]
    assert any("straight back" in note for note in told.notes)
    design["drives"]["push"]["legs"][1] = {"velocity": ["-2/3", "10/3"], "for": 1}
    assert [leg.end.cause for leg in mate(mechanism(design)).legs] == ["jam", "done"]


def test_one_friction_a_pair_counts_for_that_pair_only() -> None:
    design = read("fig7d_friction_mu_2_5")
    design["touching"] |= {"friction": 0, "pairs": {"receiver:pawl": {"friction": 0.4}}}
    assert mate(mechanism(design)).legs[1].end.cause == "stick"
    design["touching"]["pairs"] = {"receiver:root": {"friction": 0.4}}
    assert mate(mechanism(design)).legs[1].end.cause == "done"


def test_a_pawl_on_a_pawl_is_refused_with_the_method_that_can() -> None:
    design = pressed()
    design["parts"]["second"] = {"shape": {"outline": [[6, -8], [9, -8], [9, -7]]}}
    design["joints"]["more"] = {
        "type": "revolute",
        "between": ["p", "second"],
        "at": [6, -8],
        "spring": {"stiffness": 1},
    }
    with pytest.raises(UnsupportedError, match="penalty"):
        mate(mechanism(design))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"outline": [[0, 0], [6, -8], [0, -8], [6, 0]]}, "cross at"),
        ({"segment": [[1, 1], [1, 1]]}, "point"),
        ({"outline": [[0, 0], [6, -8], [3, -4]]}, "has no area: all its vertices lie on one line"),
        ({"outline": [[0, 0], [6, -20], [6, -7]]}, "overlaps 'receiver' as drawn"),
    ],
)
def test_bad_pawls_are_refused_in_words(change: Document, words: str) -> None:
    design = pressed()
    design["parts"]["p"]["shape"] = change
    with pytest.raises(ModelError, match=words):
        mate(mechanism(design))


def test_overlap_at_the_start_says_where_and_how_deep() -> None:
    design = pressed()
    design["parts"]["p"]["shape"] = {"outline": [[0, 0], [6, -20], [6, -7]]}
    with pytest.raises(ModelError, match=r"at \(.*\), .* deep"):
        mate(mechanism(design))


def test_overlap_at_a_start_angle_is_not_said_of_the_drawing() -> None:
    design = pressed() | {"start": {"hinge": {"at_deg": -60}}}
    design["parts"]["receiver"]["shape"] = {"outline": [[-60, -60], [60, -60], [60, -9], [-60, -9]]}
    with pytest.raises(ModelError, match=r"overlaps 'receiver' at its start angle"):
        mate(mechanism(design))


def test_a_key_is_called_as_the_document_spells_it() -> None:
    design = pressed() | {"drives": {"push": {"part": "root", "legs": [{"velocity": [0, -1], "for": -1}]}}}
    with pytest.raises(ModelError, match=r"drives\.push\.legs\.0\.for: must be above zero"):
        mate(mechanism(design))


def test_an_angle_that_no_rational_turn_has_is_said_with_the_one_taken() -> None:
    design = pressed()
    design["joints"]["hinge"]["spring"]["rest_deg"] = 30
    (note,) = [note for note in mate(mechanism(design)).notes if note.startswith("hinge: rest")]
    p, q = (int(n) for n in note.partition("2 atan(")[2].partition(")")[0].split("/"))
    assert "30 degrees" in note
    assert 2 * math.atan(p / q) == pytest.approx(math.radians(30), rel=1e-15)


def test_zero_velocity_and_negative_friction_are_refused() -> None:
    for change in (
        {"drives": {"push": {"part": "root", "legs": [{"velocity": [0, 0], "for": 1}]}}},
        {"touching": {"friction": -0.1}},
    ):
        with pytest.raises(ModelError):
            mate(mechanism(pressed() | change))


def test_a_hinge_outside_its_pawl_is_allowed_and_said() -> None:
    design = pressed()
    design["parts"]["p"]["shape"] = {"outline": [[3, -4], [6, -8], [6, -7]]}
    told = mate(mechanism(design))
    assert any("outside" in note for note in told.notes)


def test_obstacles_that_overlap_each_other_are_one_obstacle() -> None:
    design = pressed()
    one = story(design)
    design["parts"]["receiver"]["shape"] = {
        "union": [
            {"outline": [[-60, -60], [10, -60], [10, -12], [-60, -12]]},
            {"outline": [[2, -60], [60, -60], [60, -12], [2, -12]]},
        ]
    }
    assert same(one, story(design))


def test_json_holds_no_infinity_and_says_unbounded() -> None:
    told = json.loads(detent.mate(native.load(FOLDER / "fig7b_kinematic.toml")).to_json())
    assert told["legs"][1]["force"]["peak"]["unbounded"] is True


def test_convex_pieces_have_the_story_of_the_whole() -> None:
    design = read("fig7d_friction_mu_2_5")
    split = copy.deepcopy(design)
    split["parts"]["receiver"]["shape"] = {
        "union": [
            {"outline": [[-20, -60], [10, -60], [10, 10], [-20, 10]]},
            {"outline": [[-20, 10], [-30, 0], [-20, 0]]},
        ]
    }
    split["parts"]["pawl"]["shape"] = {
        "union": [
            {"outline": [[-37, 40], [-33, 40], [-21, 50], [-33, 53], [-37, 53]]},
            {"outline": [[-37, 53], [-33, 53], [-33, 98], [-37, 98]]},
            {"outline": [[-37, 98], [-23, 98], [-23, 102], [-37, 102]]},
        ]
    }
    assert same(story(design), story(split))


def test_pawls_that_overlap_underway_are_reported() -> None:
    design = read("two_pawl_T_frictionless")
    design["parts"]["left"]["shape"]["outline"][5:7] = [[30, 98], [30, 102]]
    assert not any("left:right" in note for note in mate(mechanism(design)).notes)
    design["touching"]["ignore"] = ["root:left", "root:right"]
    assert any(note.startswith("left:right: they overlap") for note in mate(mechanism(design)).notes)


def test_a_leg_by_distance_lasts_as_long_as_its_root_of_two_says() -> None:
    design = pressed()
    design["drives"]["push"]["legs"] = [{"velocity": [1, -1], "distance": 3}]
    end = mate(mechanism(design)).legs[0].end
    assert end.time == pytest.approx(3 / math.sqrt(2), rel=1e-15)
    assert end.exact.polynomial == (-9, 0, 2)  # type: ignore[union-attr]
