"""Whitney's pictures: regimes shaded, the diagram, the peg where it touches; measured beside calculated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import detent
from detent.draw.chart import Panel, PlotAxis, Series, Shade, overlay_scene, peg_scene, plot_scene
from detent.draw.scene import Area, DrawnDisc, Text
from detent.judge import lay_over, read_measured


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    return dict(detent.explain("whitney_peg").pegs["peg"])


def words_of(scene: Any) -> list[str]:
    return [item.text for item in scene.items if isinstance(item, Text)]


def test_regimes_are_shaded_and_named(told: dict[str, Any]) -> None:
    words = words_of(peg_scene(told, "mm", "a peg"))
    for regime in ("chamfer", "one point", "two points"):
        assert regime in words
    assert any("13.47 mm deep" in text for text in words)  # of the diagram where two contacts begin
    assert any(text.startswith("drawn x") for text in words)


def test_the_stages_have_a_dot_where_the_peg_touches(told: dict[str, Any]) -> None:
    """On the outlines of peg and hole as drawn, at one contact and at two."""
    scene = peg_scene(told, "mm", "a peg")
    low = max(item.at[1] for item in scene.items if isinstance(item, Text) and "middle of each" in item.text)
    dots = [
        np.array(i.at) for i in scene.items if isinstance(i, DrawnDisc) and i.at[1] > low and i.radius == 4
    ]
    rings = [ring for i in scene.items if isinstance(i, Area) and i.style.hatch is None for ring in i.rings]
    assert len(dots) == 4
    for dot in dots:
        assert min(_distance(dot, ring) for ring in rings) < 0.05  # pixels


def _distance(point: Any, ring: Any) -> float:
    """From a point to a closed outline."""
    found = []
    for begin, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        along = end - begin
        share = np.clip((point - begin) @ along / max(along @ along, 1e-12), 0, 1)
        found.append(float(np.linalg.norm(point - begin - share * along)))
    return min(found)


def test_shades_lie_between_their_numbers() -> None:
    line = Series("", [0.0, 10.0], [0.0, 1.0])
    scene = plot_scene([Panel(PlotAxis("y"), (line,))], PlotAxis("x"), shades=[Shade(2.0, 6.0, "here", 0)])
    (area,) = [item for item in scene.items if isinstance(item, Area)]
    left, right = area.rings[0][:, 0].min(), area.rings[0][:, 0].max()
    assert (right - left) / (800 - 74 - 22) == pytest.approx(0.4, rel=1e-9)
    assert "here" in words_of(scene)


def test_a_measured_curve_has_its_points_and_its_deviation() -> None:
    measured = read_measured("travel [mm],push [N]\n20,0.29\n25,0.44\n30,0.47\n")
    scene = overlay_scene(lay_over(detent.mate("whitney_peg"), measured), "a peg")
    assert len([item for item in scene.items if isinstance(item, DrawnDisc)]) >= 6
    assert any("measured less calculated, rms" in text for text in words_of(scene))
