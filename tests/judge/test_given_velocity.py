"""A velocity typed with few digits opens or closes a contact that was meant to slide: that is said."""

import math

import pytest

import detent

RAMP = math.radians(20)


def roller() -> detent.Mechanism:
    turned = {"at": [0, 0], "turn_deg": -20}
    return detent.from_dict(
        {
            "units": "mm",
            "gravity": [0, -9.81],
            "parts": {
                "ramp": {
                    "fixed": True,
                    "shape": {"outline": [[-300, -30], [300, -30], [300, 0], [-300, 0]]},
                    "pose": turned,
                },
                "roller": {
                    "shape": {"circle": 25, "moves": [{"move": [0, 25]}]},
                    "pose": turned,
                    "mass": 0.4,
                    "center": [0, 25],
                    "inertia": 1.25e-4,
                },
            },
            "touching": {"friction": 0.2},
        }
    )


def asked(x: float, y: float) -> detent.ConsistentModes:
    return detent.moved_by(roller(), {"roller": [0, 0, 0]}, velocity={"roller": [x, y, 0]})


def test_a_contact_that_leaves_by_a_rounded_velocity_says_so():
    """93.97 for 93.9693: it leaves at n.v / |v|, 2.4e-5 of the speed."""
    answer = asked(93.97, -34.2)
    share = (math.sin(RAMP) * 93.97 - math.cos(RAMP) * 34.2) / math.hypot(93.97, 34.2)
    (said,) = [each for each in answer.assumptions if "leaves by the velocity given" in each]
    assert f"{share:.2g} of its length" in said
    assert "--tolerance" in said


def test_a_contact_that_clearly_leaves_is_not_taken_for_rounding():
    (said,) = [each for each in asked(0, 100).assumptions if "leaves by the velocity given" in each]
    assert "--tolerance" not in said


def test_a_contact_that_closes_by_rounding_names_the_tolerance():
    with pytest.raises(detent.ModelError, match="--tolerance"):
        asked(93.96, -34.2)
    with pytest.raises(detent.ModelError) as clearly:
        asked(0, -100)
    assert "--tolerance" not in str(clearly.value)


def test_the_velocity_as_meant_slides():
    answer = asked(100 * math.cos(RAMP), -100 * math.sin(RAMP))
    assert not [each for each in answer.assumptions if "leaves by" in each]
