"""What is refused of elastic joints, each with its place and a remedy, and what is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import detent
from detent.foundation import ModelError
from detent.model.machine.elastic import elastic_matrices

BEAM = {"length": 40, "height": [5, 2.7], "width": 20, "modulus": 2.7e9}
PLATE = {"sides": [32, 66], "thickness": 3, "modulus": 2.7e9, "clamped": ["x=0", "y=0"], "at": [27, 48]}
NO_MODULUS = [{k: v for k, v in table.items() if k != "modulus"} for table in (BEAM, PLATE)]
SIX = [1, 2, 3, 4, 5, 6]
TWO = {"free": ["z", "turn_y"], "stiffness": [[2, 1], [1, 3]]}


def hooked(dimension: int = 3, **joint: Any) -> detent.Mechanism:
    support = {"type": "elastic", "between": ["base", "hook"], "at": [0] * dimension}
    parts = {"base": {"fixed": True}, "hook": {}}
    return detent.from_dict({"dimension": dimension, "parts": parts, "joints": {"s": support | joint}})


def matrix(**entries: float) -> list[list[float]]:
    """Ones on the diagonal, and entries by name: x01 is in row 0, column 1."""
    rows = np.eye(6)
    for name, value in entries.items():
        rows[int(name[1]), int(name[2])] = value
    return rows.tolist()


@pytest.mark.parametrize(
    ("joint", "at", "words"),
    [
        ({}, "joints.s", "exactly one of"),
        ({"beam": BEAM, "plate": PLATE}, "joints.s", "this one has beam and plate"),
        ({"beam": BEAM | {"modulus": 0}}, "joints.s.beam.modulus", "above zero"),
        ({"beam": BEAM | {"length": -1}}, "joints.s.beam.length", "above zero"),
        ({"beam": BEAM | {"height": [5, 0]}}, "joints.s.beam.height", "above zero"),
        ({"beam": BEAM | {"height": [5, 4, 3]}}, "joints.s.beam.height", "has 3 numbers"),
        ({"beam": BEAM | {"depth": 1}}, "joints.s.beam.depth", "unknown"),
        ({"beam": {k: v for k, v in BEAM.items() if k != "width"}}, "joints.s.beam.width", "missing"),
        ({"beam": NO_MODULUS[0]}, "joints.s.beam.modulus", "no material"),
        ({"plate": NO_MODULUS[1]}, "joints.s.plate.modulus", "no material"),
        ({"plate": PLATE | {"thickness": -3}}, "joints.s.plate.thickness", "above zero"),
        ({"plate": PLATE | {"sides": [32, 0]}}, "joints.s.plate.sides", "above zero"),
        ({"plate": PLATE | {"sides": [32, 66, 3]}}, "joints.s.plate.sides", "found 3"),
        ({"plate": PLATE | {"sides": [32, 66000], "at": [27, 48]}}, "joints.s.plate.sides", "use `beam`"),
        ({"plate": PLATE | {"poisson": 0.5}}, "joints.s.plate.poisson", "between -1 and 0.5"),
        ({"plate": PLATE | {"poisson": -1}}, "joints.s.plate.poisson", "between -1 and 0.5"),
        ({"plate": PLATE | {"clamped": []}}, "joints.s.plate.clamped", "no edge is clamped"),
        ({"plate": PLATE | {"clamped": ["z=0"]}}, "joints.s.plate.clamped.0", "z=0"),
        ({"plate": PLATE | {"twist": "double"}}, "joints.s.plate.twist", "double"),
        ({"plate": PLATE | {"at": [33, 48]}}, "joints.s.plate.at", "off the plate"),
        ({"plate": PLATE | {"at": [27, -1]}}, "joints.s.plate.at", "off the plate"),
        ({"plate": PLATE | {"at": [0, 48]}}, "joints.s.plate.at", "on the clamped edge x=0"),
        (
            {"plate": {k: v for k, v in PLATE.items() if k != "at"} | {"clamped": ["y=1"]}},
            "joints.s.plate.at",
            "the far corner",
        ),
        ({"plate": PLATE | {"footprint": [4, 0]}}, "joints.s.plate.footprint", "above zero"),
        ({"plate": PLATE | {"footprint": [11, 4]}}, "joints.s.plate.footprint", "from x = 21.5 to 32.5"),
        ({"plate": PLATE | {"footprint": [4, 0.001]}}, "joints.s.plate.footprint", "for a point"),
        ({"plate": PLATE | {"knots": [[18]]}}, "joints.s.plate.knots", "found 1"),
        ({"plate": PLATE | {"knots": [[18, 33], []]}}, "joints.s.plate.knots.0", "off the plate"),
        ({"plate": PLATE | {"knots": [[18], [40, 20]]}}, "joints.s.plate.knots.1", "do not grow"),
        ({"plate": PLATE | {"knots": [[], []]}}, "joints.s.plate.knots", "fewer than 3 shape functions"),
        ({"plate": PLATE, "free": ["z"]}, "joints.s.free", "says itself"),
        ({"plate": PLATE, "damping": [1, 2]}, "joints.s.damping", "gives way in 3 directions"),
        ({"beam": BEAM, "damping": [1, 2, 3]}, "joints.s.damping", "gives way in 2 directions"),
        ({"stiffness": [1, 2, 3]}, "joints.s.stiffness", "not 6 numbers"),
        ({"stiffness": [0] * 6}, "joints.s.stiffness", "zero in every direction"),
        ({"stiffness": [1, 1, -1, 1, 1, 1]}, "joints.s.stiffness", "is -1 in direction 3"),
        ({"stiffness": matrix(x01=861, x10=465, x00=1e4, x11=1e4)}, "joints.s.stiffness", "not symmetric"),
        ({"stiffness": matrix(x01=1, x10=1)}, "joints.s.stiffness", "singular"),
        ({"stiffness": matrix(x01=2, x10=2)}, "joints.s.stiffness", "not positive definite"),
        ({"stiffness": matrix(x00=0, x01=0.5, x10=0.5)}, "joints.s.stiffness", "is 0 in direction 1"),
        (TWO | {"free": ["z", "z"]}, "joints.s.free", "names z twice"),
        (TWO | {"free": []}, "joints.s.free", "would be rigid"),
        (TWO | {"free": ["z", "turn_y", "x"]}, "joints.s.stiffness", "not 3 numbers"),
        (TWO | {"free": ["z", "turn"]}, "joints.s.free.1", "turn"),
        ({"stiffness": SIX, "free": ["z", "turn_y"]}, "joints.s.stiffness", "`free` does not name"),
    ],
)  # fmt: skip
def test_what_is_no_support_is_refused_by_place_problem_and_remedy(
    joint: dict[str, Any], at: str, words: str
) -> None:
    with pytest.raises(ModelError) as refused:
        hooked(**joint)
    told = [problem for problem in refused.value.problems if problem.at == at]
    assert told, [str(problem) for problem in refused.value.problems]
    assert words in " ".join(f"{problem.problem}; {problem.remedy}" for problem in told)


@pytest.mark.parametrize(
    ("joint", "at", "words"),
    [
        ({"plate": PLATE}, "joints.s.plate", "dimension = 3"),
        ({"stiffness": [1, 1], "free": ["x", "z"]}, "joints.s.free", "no z in the plane"),
    ],
)
def test_what_the_plane_does_not_have_is_refused(joint: dict[str, Any], at: str, words: str) -> None:
    with pytest.raises(ModelError) as refused:
        hooked(2, **joint)
    assert any(p.at == at and words in f"{p.problem}; {p.remedy}" for p in refused.value.problems)


def test_a_value_just_inside_is_taken() -> None:
    hooked(plate=PLATE | {"poisson": 0.4999, "at": [32, 0.1]})
    hooked(plate=PLATE | {"at": [28, 0.1], "footprint": [0.0033, 0.2]})
    hooked(plate=PLATE | {"footprint": [10, 36]})
    hooked(stiffness=matrix(x01=0.999, x10=0.999))


def test_a_matrix_of_its_free_directions_is_the_whole_one_with_rigid_rows() -> None:
    """Two rows in any order, or all six with zeros; what is not named is rigid, what is zero is free."""
    small = elastic_matrices(hooked(**TWO, damping=[7, 8]), "s")
    whole = np.zeros((6, 6))
    whole[np.ix_([2, 4], [2, 4])] = [[2, 1], [1, 3]]
    assert (small.stiffness == whole).all()
    assert small.rigid == (0, 1, 3, 5)
    assert (np.diag(small.damping) == [0, 0, 7, 0, 8, 0]).all()
    written = elastic_matrices(hooked(stiffness=whole.tolist(), free=["turn_y", "z"]), "s")
    assert (written.stiffness == whole).all()
    assert written.rigid == small.rigid
    loose = detent.explain(hooked(stiffness=whole.tolist())).elastic["s"]
    assert loose["rigid"] == ()
    assert list(loose["loose"]) == ["x", "y", "turn_x", "turn_z"]
    assert loose["compliance"][0][0] is None
    assert loose["compliance"][2][2] == pytest.approx(3 / 5)


@pytest.mark.parametrize(
    ("joint", "at"),
    [
        ({"beam": BEAM | {"height": 1e-45, "width": 1e-45, "modulus": 1e-145}}, "joints.s.beam"),
        ({"beam": BEAM | {"length": 1e49, "height": 1e-90}}, "joints.s.beam"),
        ({"beam": BEAM | {"height": [1e-9, 1e9]}}, "joints.s.beam"),
        ({"plate": PLATE | {"thickness": 1e-70, "modulus": 1e-145}}, "joints.s.plate"),
    ],
)
def test_sizes_that_doubles_cannot_hold_are_refused_not_answered(joint: dict[str, Any], at: str) -> None:
    with pytest.raises(ModelError, match="out of all proportion") as refused:
        detent.explain(hooked(**joint))
    assert refused.value.problems[0].at == at
