"""A density gives a flat shape the mass of a slab one metre thick: each answer that counts it says so."""

import numpy as np
import pytest

import detent

SQUARE = [[0, 0], [20, 0], [20, 10], [0, 10]]
SAYS = "1 m thick"


def on_a_hinge(**box):
    """A square that gravity pulls about its corner."""
    return detent.from_dict(
        {
            "units": "mm",
            "gravity": [0, -10],
            "parts": {"ground": {"fixed": True}, "box": box},
            "joints": {"A": {"type": "revolute", "between": ["ground", "box"], "at": [0, 0]}},
            "drives": {"turn": {"joint": "A", "from_deg": 0, "to_deg": 90, "steps": 9}},
            "materials": {"steel": {"density": 7800}},
        }
    )


def on_a_floor(units="mm", **box):
    floor = {"fixed": True, "shape": {"outline": [[-50, -9], [50, -9], [50, 0], [-50, 0]]}}
    parts = {"floor": floor, "box": box}
    document = {"units": units, "gravity": [0, -10], "parts": parts, "touching": {"friction": 0.3}}
    return detent.from_dict(document)


@pytest.mark.parametrize("given", [{"density": 7800}, {"material": "steel"}])
def test_the_weight_of_a_flat_shape_is_that_of_a_metre_and_said_to_be(given):
    motion = detent.move(on_a_hinge(shape={"outline": SQUARE}, **given))
    newtons = 7800 * 0.02 * 0.01 * 1 * 10
    assert np.hypot(*motion.forces["A"][0]) == pytest.approx(newtons)
    (said,) = (each for each in motion.scope.assumed if SAYS in each)
    assert said.startswith("box 1 m thick")
    assert "give their `thickness`" in said
    assert said in motion.words


@pytest.mark.parametrize(
    "box",
    [
        {"shape": {"outline": SQUARE}, "mass": 2, "center": [10, 5], "material": "steel"},
        {"shape": {"prism": {"outline": SQUARE, "height": 3}}, "density": 7800},
    ],
    ids=["a mass is given", "the shape has a height"],
)
def test_a_mass_that_needs_no_thickness_says_nothing_of_it(box):
    motion = detent.move(on_a_hinge(**box))
    assert "weights" in motion.scope.covers
    assert not any("thick" in each for each in motion.scope.assumed)


@pytest.mark.parametrize(("units", "words"), [("mm", SAYS), ("1", "one unit thick")])
def test_whether_a_load_moves_a_flat_part_hangs_on_its_thickness_which_is_said(units, words):
    """3 N slide a plate of 2 mm, and not the slab of 1 m that the density alone stands for."""
    slab = on_a_floor(units, shape={"outline": SQUARE}, density=7800)
    answer = detent.moved_by(slab, {"box": [3, 0, 0]})
    assert answer.consistent[0].mode == "00|00"
    assert any(each.startswith(f"box {words}") for each in answer.scope.assumed)
    plate = on_a_floor(units, shape={"outline": SQUARE}, density="78/5" if units == "mm" else "78/5000000")
    assert "sliding" in detent.moved_by(plate, {"box": [3, 0, 0]}).consistent[0].states
