"""Plots: round ticks, open gaps, nothing over the data, every extreme kept."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from detent.draw.chart import (
    Panel,
    PlotAxis,
    PlotMark,
    Series,
    chart_of_motion,
    motion_scene,
    plot,
    plot_scene,
    ticks,
)
from detent.draw.paper import page, svg
from detent.draw.scene import DrawnLine, Scene, Text
from detent.foundation import UnsupportedError
from detent.library import linkages
from tests.conftest import campaign

FOUR_BAR = detent.load("four_bar")


def one(x: object, y: object, **more: object) -> Scene:
    return plot_scene(
        [Panel(PlotAxis("force", "N"), (Series("force", x, y),))], PlotAxis("time", "s"), **more
    )  # type: ignore[arg-type]


def data_lines(scene: Scene) -> list[DrawnLine]:
    return [item for item in scene.items if isinstance(item, DrawnLine) and item.style.width == 2.0]


@pytest.mark.parametrize("seed", range(campaign(40, 2000)))
def test_ticks_are_round_within_the_range_and_neither_few_nor_many(seed: int) -> None:
    random = np.random.default_rng(seed)
    low = random.normal() * 10.0 ** random.integers(-8, 8)
    high = low + 10.0 ** random.uniform(-8, 8)
    most = int(random.integers(4, 11))
    numbers = ticks(low, high, most)
    step = numbers[1] - numbers[0] if len(numbers) > 1 else None
    assert 1 <= len(numbers) <= most + 1
    slack = 1e-6 * (high - low)
    assert all(low - slack <= tick <= high + slack for tick in numbers)
    if step is not None and abs(low) < 1e6 * (high - low):
        mantissa = step / 10 ** math.floor(math.log10(step) + 1e-9)
        assert any(mantissa == pytest.approx(m, rel=1e-4) for m in (1, 2, 2.5, 5, 10))


def told(scene: Scene) -> set[str]:
    return {item.text for item in scene.items if isinstance(item, Text)}


def test_lines_say_that_they_are_straight_between_samples_dots_and_spans_do_not() -> None:
    assert "straight between samples" in told(one([0, 1, 2], [0.0, 1.0, 4.0]))
    at, side = PlotAxis("time", "s"), PlotAxis("force", "N")
    dots = Panel(side, (Series("force", [0, 1, 2], [0.0, 1.0, 4.0], dots=True),))
    spans = Panel(side, (Series("hinge", [0, 2], [1.0, 1.0]),), names=("hinge",))
    assert not any("straight" in text for panel in (dots, spans) for text in told(plot_scene([panel], at)))
    assert "straight between samples" in told(chart_of_motion(FOUR_BAR, detent.move(FOUR_BAR)))


def test_a_gap_is_not_bridged() -> None:
    x = np.arange(10.0)
    y = x.copy()
    y[4:6] = np.nan
    runs = data_lines(one(x, y))
    assert [len(run.points) for run in runs] == [4, 4]


def test_every_line_lies_inside_the_axes_and_the_legend_outside() -> None:
    x = np.linspace(0, 9, 400)
    series = tuple(Series(f"wheel {k}", x, np.sin(x + k) * k) for k in range(11))
    scene = plot_scene([Panel(PlotAxis("angle", "rad"), series)], PlotAxis("time", "s"), title="All wheels")
    lines = data_lines(scene)
    assert len({(line.style.stroke, line.style.dash) for line in lines}) == 11
    top = min(float(line.points[:, 1].min()) for line in lines)
    names = [item for item in scene.items if isinstance(item, Text) and item.text.startswith("wheel")]
    assert len(names) == 11
    assert all(page.box_of_text(name)[3] <= top for name in names)
    assert scene.paper is not None
    for line in lines:
        assert line.points[:, 0].min() >= plot.LEFT - 1e-6
        assert line.points[:, 0].max() <= scene.paper[0] - plot.RIGHT + 1e-6


def test_axes_carry_name_and_unit() -> None:
    texts = {item.text for item in one([0, 1], [0.0, 2e7]).items if isinstance(item, Text)}
    assert "time [s]" in texts
    assert "force [10⁶ N]" in texts


def test_a_million_points_keep_their_peaks() -> None:
    x = np.linspace(0, 1, 1_000_000)
    y = np.zeros_like(x)
    y[123_456], y[765_432] = 5.0, -3.0
    scene = one(x, y)
    (line,) = data_lines(scene)
    assert len(line.points) < 10_000
    heights = line.points[:, 1]
    flat = float(np.median(heights))
    assert (flat - heights.min()) / (heights.max() - flat) == pytest.approx(5 / 3, rel=1e-6)


def test_a_constant_and_a_single_value_are_still_a_plot() -> None:
    assert data_lines(one([0.0, 1.0], [3.0, 3.0]))
    assert "<circle" in svg.write(one([2.0], [3.0]))


def test_nothing_finite_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="nothing to plot"):
        one([0.0, 1.0], [math.nan, math.inf])


def test_words_of_marks_do_not_overlap() -> None:
    marks = [PlotMark(0.1 * k, "contact") for k in range(30)]
    scene = one(np.arange(4.0), np.arange(4.0), marks=marks)
    boxes = [page.box_of_text(i) for i in scene.items if isinstance(i, Text) and i.text == "contact"]
    assert 2 <= len(boxes) < 30
    for k, a in enumerate(boxes):
        for b in boxes[k + 1 :]:
            assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]


@pytest.mark.parametrize("steps", [None, 2, 5])
def test_a_joints_curve_is_a_circle_however_few_positions_are_asked_for(steps: int | None) -> None:
    machine = linkages.four_bar(4, 1, 3.5, 3).to_dict()
    ((name, drive),) = machine["drives"].items()
    turned = {"joint": drive["joint"], "from_deg": 0, "to_deg": -720} | ({"steps": steps} if steps else {})
    mechanism = detent.from_dict(machine | {"drives": {name: turned}})
    items = motion_scene(mechanism, detent.move(mechanism)).items
    curves = [item.points for item in items if isinstance(item, DrawnLine) and item.style.dash]
    curve = next(points for points in map(np.asarray, curves) if np.allclose(np.hypot(*points.T), 1))
    arms = curve @ [1, 1j]  # about the crank's pin, at the origin
    assert np.abs(arms) == pytest.approx(1)
    assert np.abs(np.angle(arms[1:] / arms[:-1])).max() < math.radians(5.1)
