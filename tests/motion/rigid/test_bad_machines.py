"""Machines that cannot run are named, with their place and a remedy."""

from __future__ import annotations

import pytest

import detent
from detent.foundation import ModelError

PIN = '[joints.a]\ntype = "revolute"\nbetween = ["ground", "arm"]\nat = [0, 0]\n'
GROUND = "[parts.ground]\nfixed = true\n"
SQUARE = "shape = { outline = [[0, 0], [10, 0], [10, 10], [0, 10]] }\n"

BAD = {
    "nothing": ("", "parts", "nothing moves"),
    "no inertia": (GROUND + "[parts.arm]\ninertia = 0\n" + PIN, "parts", "no inertia"),
    "no mass said": (GROUND + "[parts.arm]\n" + PIN, "parts.arm.mass", "is missing"),
    "weight": (
        "gravity = [0, -9.81]\n" + GROUND + "[parts.arm]\ninertia = 1\n" + PIN,
        "parts.arm.mass",
        "gravity",
    ),
    "overlap": (
        GROUND + SQUARE + "[parts.box]\npose = { at = [5, 5] }\ndensity = 1\n" + SQUARE,
        "parts.box",
        "overlaps part 'ground'",
    ),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("method", [detent.Rigid(), detent.Penalty(stiffness=1e4)], ids=["rigid", "penalty"])
def test_what_cannot_run_is_named(case, method):
    text, at, words = BAD[case]
    with pytest.raises(ModelError) as caught:
        detent.run(detent.loads('format = "detent/1"\nunits = "mm"\n' + text), until=1, method=method)
    (problem,) = caught.value.problems
    assert problem.at == at
    assert words in problem.problem
    assert problem.remedy
