"""The slice of configuration space: its path keeps to free space, and its picture is drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from detent.draw import picture
from detent.draw.scene import Text
from detent.draw.slice import scene_of
from detent.io import native
from detent.motion.quasistatic.fastener import fastener
from detent.motion.quasistatic.freespace import free_space
from detent.motion.quasistatic.plan import run_plan

FOLDER = Path(__file__).resolve().parents[1] / "data" / "reference" / "fasteners"


@pytest.mark.parametrize("name", ["diode_triangle_ABC", "segment_over_peak"])
def test_the_path_runs_along_the_edge_of_reached_free_space(name: str) -> None:
    made = fastener(native.load(FOLDER / f"{name}.toml"))
    leg = run_plan(made).legs[0]
    for stretch in leg.stories[0].stretches:
        t = (float(stretch.begin.t) + float(stretch.end.t)) / 2
        space = free_space(leg.slices[0], np.array([t]), -2.5, 2.5, (t, 0.0))
        ends = np.array([edge for span in space.spans[0] for edge in span])
        low, high = sorted((stretch.begin.angle(), stretch.end.angle()))
        assert ((ends > low - 1e-9) & (ends < high + 1e-9)).any()


def test_the_picture_shows_a_panel_a_leg() -> None:
    made = fastener(native.load(FOLDER / "fig7d_friction_mu_2_5.toml"))
    made_of = scene_of(made, run_plan(made).legs, "held")
    said = [item.text for item in made_of.items if isinstance(item, Text)]
    assert {"leg 1: hinge", "leg 2: hinge", "stick"} <= set(said)
    assert picture.write(made_of, "png").startswith(b"\x89PNG")
