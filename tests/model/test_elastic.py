"""Beams and plates as stiffnesses, beside closed forms, published coefficients and other integrals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import detent
from detent.model import compile_system
from detent.model.editing import SetUnits, edited
from detent.model.machine.elastic import DIRECTIONS, elastic_matrices, elastic_support

EVEN = {"length": 40, "height": 4, "width": 20, "modulus": 2.7e9}
PLATE = {"sides": [32, 66], "thickness": 3, "modulus": 2.7e9, "clamped": ["x=0", "y=0"], "at": [27, 48]}
FOOTED = PLATE | {"footprint": [4, 6]}
BENDING = 2.7e9 * 0.003**3 / 12 / (1 - 0.3**2)  # D of this plate


def hooked(*, dimension: int = 3, units: str = "mm", **joint: Any) -> detent.Mechanism:
    """A hook on an elastic support, at the origin."""
    support = {"type": "elastic", "between": ["base", "hook"], "at": [0, 0, 0][:dimension]}
    document = {
        "units": units,
        "dimension": dimension,
        "parts": {"base": {"fixed": True}, "hook": {}},
        "joints": {"support": support | joint},
    }
    return detent.from_dict(document)


def stiffness(**joint: Any) -> np.ndarray:
    return elastic_support(hooked(**joint), "support").stiffness


def compliance(**joint: Any) -> np.ndarray:
    return elastic_support(hooked(**joint), "support").compliance


def test_an_even_beam_is_that_of_the_handbooks() -> None:
    bending = 2.7e9 * 0.02 * 0.004**3 / 12
    expected = [
        [12 * bending / 0.04**3, 6 * bending / 0.04**2],
        [6 * bending / 0.04**2, 4 * bending / 0.04],
    ]
    assert stiffness(beam=EVEN) == pytest.approx(np.array(expected), rel=1e-12)
    assert 1 / compliance(beam=EVEN)[0, 0] == pytest.approx(3 * bending / 0.04**3, rel=1e-12)


@pytest.mark.parametrize(
    ("height", "width"), [([5, 2.7], 20), ([2, 6], [10, 3]), ([0.01, 5], 20), ([50, 0.05], [1, 40])]
)
def test_a_tapered_beam_is_the_solution_of_its_differential_equation(height: Any, width: Any) -> None:
    """(E I w'')' = -F from the root outwards, with loads of one each at the tip."""
    heights, widths = ([v / 1000 for v in (x if isinstance(x, list) else [x, x])] for x in (height, width))

    def curvature(x: float, force: float, moment: float) -> float:
        h, b = (root + (tip - root) * x / 0.04 for root, tip in (heights, widths))
        return (force * (0.04 - x) - moment) / (2.7e9 * b * h**3 / 12)

    columns = []
    for force, moment in ((1.0, 0.0), (0.0, 1.0)):
        curve = solve_ivp(
            lambda x, y, load=(force, moment): [y[1], curvature(x, *load)],
            (0, 0.04), [0, 0], method="DOP853", rtol=1e-12, atol=1e-18,
        )  # fmt: skip
        columns.append([curve.y[0, -1], -curve.y[1, -1]])
    beam = EVEN | {"height": height, "width": width}
    assert compliance(beam=beam) == pytest.approx(np.array(columns).T, rel=1e-8)


ALONG = [(2, [1, 0]), (2, [3, 4]), (3, [1, 0, 0]), (3, [3, 4, 0]), (3, [0, 0, 1])]


@pytest.mark.parametrize(("dimension", "along"), ALONG)
def test_a_force_across_a_beam_turns_its_tip_the_way_it_bends(dimension: int, along: list[float]) -> None:
    """A point of the hook ahead of the tip goes further the way of the force: w' / w = 3 / 2 L."""
    machine = hooked(dimension=dimension, beam=EVEN, along=along)
    axes = compile_system(machine).joint("support").a.matrix[:, :3]
    direction = np.array([*along, 0][:3]) / np.linalg.norm(along)
    assert axes[:, 0] == pytest.approx(direction, abs=1e-12)
    matrices = elastic_matrices(machine, "support")
    free = [k for k in range(len(matrices.stiffness)) if k not in matrices.rigid]
    across, turn = ("y", "turn_z") if dimension == 2 else ("z", "turn_y")
    assert [DIRECTIONS[dimension][k] for k in free] == [across, turn]
    moved = dict.fromkeys(DIRECTIONS[3], 0.0)
    moved[across], moved[turn] = np.linalg.solve(matrices.stiffness[np.ix_(free, free)], [1.0, 0.0])
    shift, rotation = np.array(list(moved.values())).reshape(2, 3)
    ahead = shift + np.cross(rotation, [0.01, 0, 0])
    assert ahead @ shift / (shift @ shift) == pytest.approx(1 + 0.01 * 3 / (2 * 0.04), rel=1e-9)


def test_a_square_plate_clamped_all_round_is_that_of_the_handbooks() -> None:
    """Timoshenko & Woinowsky-Krieger, table 37: 0.00560 P a² / D under a force at its centre."""
    square = {"sides": [50, 50], "at": [25, 25], "clamped": ["x=0", "x=1", "y=0", "y=1"]}
    found = compliance(plate=PLATE | square)[0, 0] * BENDING / 0.05**2
    assert found == pytest.approx(0.00560, rel=4e-3)
    assert found == pytest.approx(0.0056119, rel=5e-4)  # to more digits, from Fourier series


def test_a_long_plate_that_sticks_out_is_that_of_the_handbooks() -> None:
    """Timoshenko & Woinowsky-Krieger, article 48: 0.168 P a² / D at a force on its free edge."""
    long = {"sides": [20, 400], "at": [20, 200], "clamped": ["x=0"]}
    assert compliance(plate=PLATE | long)[0, 0] * BENDING / 0.02**2 == pytest.approx(0.168, rel=0.01)


def test_a_plate_without_poisson_is_a_wide_beam_under_a_foot_as_wide_as_it() -> None:
    """An even pressure over the last tenth of a cantilever: the mean deflection there, in closed form."""
    strip = {"sides": [50, 20], "at": [47.5, 10], "footprint": [5, 20], "clamped": ["x=0"], "poisson": 0}
    bending = 2.7e9 * 0.02 * 0.003**3 / 12
    start, foot = 0.045, 0.005
    x = start + foot * (np.arange(20_000) + 0.5) / 20_000
    arm = x - start
    middle = start + foot / 2
    # The bending moment is middle - x, and over the foot (x - start)² / 2 foot more.
    deflects = (middle * x**2 / 2 - x**3 / 6 + arm**4 / (24 * foot)) / bending
    turns = 12 / foot**3 * (deflects * (x - middle)).sum() * foot / 20_000
    found = compliance(plate=PLATE | strip)
    assert found[0, 0] == pytest.approx(deflects.mean(), rel=1e-4)
    assert -found[0, 2] == pytest.approx(turns, rel=1e-3)


@pytest.mark.parametrize(
    "plate", [PLATE, FOOTED, PLATE | {"twist": "half"}, PLATE | {"knots": [[18.2], [20.8, 47.9]]}]
)
def test_a_plate_gives_a_symmetric_stiffness_that_takes_work_in_every_way(plate: dict[str, Any]) -> None:
    matrix = stiffness(plate=plate)
    assert (matrix == matrix.T).all()
    assert np.linalg.eigvalsh(matrix)[0] > 0
    assert matrix @ compliance(plate=plate) == pytest.approx(np.eye(3), abs=1e-9)


def test_a_plate_mirrored_is_the_mirror_of_its_stiffness() -> None:
    """Mirrored in x, w,x changes its sign; with x and y exchanged, so do both rotations."""
    across = FOOTED | {"clamped": ["x=1", "y=0"], "at": [5, 48]}
    signs = np.array([1, 1, -1])
    assert stiffness(plate=across) == pytest.approx(
        stiffness(plate=FOOTED) * np.outer(signs, signs), rel=1e-6
    )
    exchanged = FOOTED | {"sides": [66, 32], "at": [48, 27], "footprint": [6, 4]}
    order = np.ix_([0, 2, 1], [0, 2, 1])
    signs = np.array([1, -1, -1])
    expected = (stiffness(plate=FOOTED) * np.outer(signs, signs))[order]
    assert stiffness(plate=exchanged) == pytest.approx(expected, rel=1e-6)


def test_the_deflection_under_a_force_settles_and_only_grows_on_refinement() -> None:
    bending = elastic_support(hooked(plate=PLATE), "support").bending
    assert bending is not None
    assert bending.settled
    assert abs(bending.history[-1][0, 0] / bending.history[-2][0, 0] - 1) < 1e-3
    deflections = [found[0, 0] for found in bending.history]
    assert deflections == sorted(deflections)  # Ritz: never softer than the plate


def test_under_a_point_moment_rotations_grow_by_the_same_amount_at_each_halving() -> None:
    """ln 2 / (4 pi D) each, the slope of M x ln r / (4 pi D); under a foot they stop."""
    bending = elastic_support(hooked(plate=PLATE), "support").bending
    assert bending is not None
    for k in (1, 2):
        grown = np.diff([found[k, k] for found in bending.history])[-1]
        assert grown * 4 * math.pi * BENDING / math.log(2) == pytest.approx(1, rel=0.05)
    footed = elastic_support(hooked(plate=FOOTED), "support").bending
    assert footed is not None
    last, before = (np.linalg.inv(found) for found in footed.history[:-3:-1])
    size = np.sqrt(np.diag(last))
    assert (np.abs(last - before) / np.outer(size, size)).max() < 1e-3


def test_a_smaller_foot_tilts_by_the_logarithm_of_its_size() -> None:
    """Each halving of a square foot adds ln 2 / (4 pi D) to both rotations, and next to nothing to w."""
    small, smaller = (compliance(plate=PLATE | {"footprint": [size, size]}) for size in (1, 0.5))
    grown = np.diag(smaller - small) * 4 * math.pi * BENDING / math.log(2)
    assert grown[1:] == pytest.approx([1, 1], rel=0.01)
    assert smaller[0, 0] / small[0, 0] == pytest.approx(1, rel=1e-3)


@pytest.mark.parametrize("joint", [{"beam": EVEN | {"height": [5, 2.7]}}, {"plate": FOOTED}])
def test_units_of_the_document_change_nothing(joint: dict[str, Any]) -> None:
    machine = hooked(**joint)
    here = elastic_support(machine, "support").stiffness
    for units in ("m", "in"):
        there = edited(machine, SetUnits(units, "size"))
        assert elastic_support(there, "support").stiffness == pytest.approx(here, rel=1e-7), units


def test_a_modulus_may_come_from_the_material_of_a_part() -> None:
    bare = {key: value for key, value in EVEN.items() if key != "modulus"}
    made = {
        "units": "mm",
        "dimension": 3,
        "materials": {"pom": {"modulus": 2.7e9}},
        "parts": {"base": {"fixed": True}, "hook": {"material": "pom"}},
        "joints": {
            "support": {"type": "elastic", "between": ["base", "hook"], "at": [0, 0, 0], "beam": bare}
        },
    }
    found = elastic_support(detent.from_dict(made), "support").stiffness
    assert (found == stiffness(beam=EVEN)).all()
