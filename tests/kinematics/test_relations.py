"""Points on lines and held angles: between parts of their own, and between parts that a drive moves."""

import itertools
import math

import numpy as np
import pytest

import detent
from detent.foundation import ModelError
from detent.model.document import Mechanism
from detent.model.reading import Builder
from tests.kinematics.oracle import Oracle

CLOSE = 1e-10


def _arms(order: tuple[str, ...], *, angle_on: str, flipped: bool) -> Mechanism:
    """A fore arm driven on an upper one carries a line; a lever has a point on it and holds an angle.

    The angle is held to the upper or the fore arm, so that its ends are not those of the line.
    """
    at = {"upper": (0.0, 0.0, 132.0), "fore": (-2.0, 0.4, 58.0)}[angle_on]
    held = ["lever.h", f"{angle_on}.h"]
    turns = math.radians(at[2] - 59.0)
    builder = (
        Builder(format="detent/1")
        .part("ground", fixed=True, markers={"A": [0, 0], "C": [-0.2, 1.6]})
        .part("upper", markers={"A": [0, 0], "B": [-2.6, 0.35], "h": {"at": [0, 0], "turn_deg": 132}})
        .part(
            "fore",
            markers={
                "B": [-2.6, 0.35],
                "line": {"at": [-2.9, 3.3], "turn_deg": 58},
                "h": {"at": [-2, 0.4], "turn_deg": 58},
            },
        )
        .part(
            "lever",
            markers={
                "C": [-0.2, 1.6],
                "P": [-2.9 + 0.85 * math.cos(math.radians(58)), 3.3 + 0.85 * math.sin(math.radians(58))],
                "h": {"at": [-1, 1.3], "turn_deg": 59},
            },
        )
    )
    joints = {
        "A": ("revolute", "ground.A", "upper.A", {}),
        "B": ("revolute", "upper.B", "fore.B", {}),
        "C": ("revolute", "ground.C", "lever.C", {}),
        "on": ("in_line", "fore.line", "lever.P", {}),
        "held": (
            "angle",
            *(held[::-1] if flipped else held),
            {"value": -turns if flipped else turns},
        ),
    }
    for name in order:
        kind, first, second, more = joints[name]
        builder.joint(name, kind, first, second, **more)
    return builder.drive("elbow", joint="B", from_deg=0, to_deg=-26, steps=5).build()


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("angle_on", ["upper", "fore"])
def test_an_angle_and_a_line_on_two_parts_that_a_drive_turns_are_no_slide(angle_on, flipped):
    orders = [("A", "B", "C", *pair) for pair in itertools.permutations(("on", "held"))]
    for order in [*orders, orders[0][::-1]]:
        mechanism = _arms(order, angle_on=angle_on, flipped=flipped)
        motion, oracle = detent.move(mechanism), Oracle(mechanism, step=math.radians(0.5))
        assert motion.stop == "done"
        for i, at in enumerate(motion.inputs):
            for marker, place in oracle.to(float(at)).items():
                if marker in motion.markers:
                    assert np.hypot(*(motion.markers[marker][i] - place)) <= CLOSE * oracle.size, (marker, i)


def test_a_held_angle_has_no_coordinate_to_drive():
    builder = Builder(format="detent/1").part(
        "ground", fixed=True, markers={"A": {"at": [0, 0], "turn_deg": 0}}
    )
    builder.part("arm", markers={"A": {"at": [0, 0], "turn_deg": 0}})
    builder.joint("held", "angle", "ground.A", "arm.A").drive("d", joint="held", from_deg=0, to_deg=9)
    with pytest.raises(ModelError, match="no coordinate to drive"):
        detent.move(builder.build())
