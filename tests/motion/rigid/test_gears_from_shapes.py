"""Gears found from shapes run: pitch circles mesh and are no contacts; flat parts say how thick they are."""

from __future__ import annotations

import math

import pytest

import detent


def train() -> detent.Mechanism:
    """A wheel of 60 teeth and a pinion of 12, each on a pin of a plate; a damper on the pinion."""

    def toothed(radius: float, teeth: int, bore: float, x: float) -> dict[str, object]:
        moved = {"moves": [{"move": [x, 0, 0]}]}
        return {
            "difference": [
                {"cylinder": {"radius": radius, "height": 4, "teeth": teeth, "depth": 2}, **moved},
                {"cylinder": {"radius": bore, "height": 4}, **moved},
            ]
        }

    return detent.from_dict(
        {
            "units": "mm",
            "dimension": 3,
            "parts": {
                "plate": {
                    "fixed": True,
                    "shape": {
                        "union": [
                            {"block": [120, 80, 2], "moves": [{"move": [-20, -40, -4]}]},
                            {"cylinder": {"radius": 1.5, "height": 8}, "moves": [{"move": [0, 0, -2]}]},
                            {"cylinder": {"radius": 2, "height": 8}, "moves": [{"move": [36, 0, -2]}]},
                        ]
                    },
                },
                "pinion": {"shape": toothed(6, 12, 1.5, 0), "inertia": 2e-7},
                "wheel": {"shape": toothed(30, 60, 2, 36), "inertia": 2e-5},
            },
            "joints": {
                "pinion": {"type": "infer", "between": ["plate", "pinion"], "damping": 1e-5},
                "wheel": {"type": "infer", "between": ["plate", "wheel"]},
            },
            "start": {"wheel": {"speed": 2.0}},
        }
    )


def test_a_train_runs_down_as_its_damper_says():
    """J w' = -25 d w with J = 2e-5 + 25 x 2e-7: no contact is felt."""
    running = detent.run(train(), until=0.2, every=0.05)
    rate = 25 * 1e-5 / (2e-5 + 25 * 2e-7)
    assert running.events == ()
    for t, wheel, pinion in zip(
        running.times, running.velocities["wheel"], running.velocities["pinion"], strict=True
    ):
        assert wheel == pytest.approx(2.0 * math.exp(-rate * t), rel=1e-5)
        assert pinion == pytest.approx(-5 * wheel, rel=1e-9)


def test_flat_parts_with_a_density_say_how_thick_they_were_taken():
    machine = detent.from_dict(
        {
            "units": "mm",
            "gravity": [0, -9.81],
            "parts": {
                "frame": {"fixed": True, "markers": {"O": [0, 0]}},
                "arm": {
                    "shape": {"outline": [[0, -5], [80, -5], [80, 5], [0, 5]]},
                    "density": 2700,
                    "markers": {"O": [0, 0]},
                },
            },
            "joints": {"O": {"type": "revolute", "between": ["frame.O", "arm.O"]}},
        }
    )
    assumed = detent.run(machine, until=0.1).scope.assumed
    assert any("thick" in each for each in assumed)
