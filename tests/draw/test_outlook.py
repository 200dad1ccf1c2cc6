"""The picture and the table of a long run: measured patterns, the law, processes, the end."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest

import detent
from detent.draw.chart import outlook as chart
from detent.draw.scene import DrawnDisc, DrawnLine, Text
from detent.record import Drift, Outlook, Pattern, PatternContact, Phase, Regime, Superimposed, ValidUntil

ABOUT, OFFSET, SLOPE = 50.0, 4.0, 2.0


def amplitude(tension: float) -> float:
    return math.sqrt(OFFSET + SLOPE * tension)


def slide(**more: object) -> Outlook:
    """A slide [mm] whose amplitude follows a law with known numbers, up to pattern 60 of 80."""
    numbers = [10, 30, 60, 80]
    rows = []
    for number in numbers:
        tension = 100.0 - number
        off = 0.0 if number <= 60 else 3.0  # the law does not hold at the last
        rows.append(
            (number, 2.0 * number, 2.0, tension, ABOUT - amplitude(tension), ABOUT + amplitude(tension) + off)
        )
    fields = {
        "verdict": "repeats",
        "pattern": Pattern(
            minima=1,
            duration=2.0,
            change={"slide": 0.0},
            phases=(Phase(time=2.0, state={"slide": 40.0}, change={"slide": 0.25}),),
            since=4.0,
            contacts=(PatternContact(contact="a/0.e0:b/0.v0", parts=("a", "b"), from_=0.5, to=1.5),),
        ),
        "drift": Drift(
            columns=("pattern", "time", "duration", "tension wheel", "slide least", "slide greatest"),
            rows=tuple(rows),
            law="the square …",
            numbers={"slide least": (OFFSET, SLOPE), "slide greatest": (OFFSET, SLOPE)},
            about={"slide": ABOUT},
            within={"slide": 0.125},
            until={"slide": 60},
        ),
        "superimposed": (
            Superimposed(
                between=("gear", "bird"),
                period_patterns=20,
                period=40.0,
                duration=3.0,
                first=30.0,
                joints=("bird",),
                change={"bird": 0.0},
            ),
        ),
        "valid_until": ValidUntil(patterns=80, time=160.0, cause="slack", interval=(78, 83)),
        "amplitude": {"slide": 12.0},
        "units": "mm",
        "state_units": {"slide": "mm", "wheel": "rad", "bird": "rad"},
        "title": "A slide",
    }
    return Outlook(**{**fields, **more})  # type: ignore[arg-type]


def texts(scene: object) -> list[str]:
    return [item.text for item in scene.items if isinstance(item, Text)]  # type: ignore[attr-defined]


def at(scene: object, label: str) -> float:
    """Where a number of the lowest axis of the first plot stands."""
    (x,) = {item.at[0] for item in scene.items if isinstance(item, Text) and item.text == label}  # type: ignore[attr-defined]
    return x


def test_axes_marks_and_legend_say_what_is_shown_with_units():
    said = texts(chart.chart_of_outlook(slide()))
    for label in (
        "extremes in a pattern [mm]",
        "duration [s]",
        "its law, within 0.12 mm up to 60",
        "until pattern 80 (78 to 83): slack",
        "bird every 20",
        "a:b",
        "time after its begin [s]",
    ):
        assert label in said, label


def test_the_law_passes_through_what_it_was_measured_at_and_ends_where_it_was_last_looked_at():
    """Dots lie on the line up to pattern 60; the one beyond does not, and the line does not reach it."""
    scene = chart.chart_of_outlook(slide(superimposed=(), valid_until=None))
    lines = [item.points for item in scene.items if isinstance(item, DrawnLine) and len(item.points) == 240]
    dots = [item.at for item in scene.items if isinstance(item, DrawnDisc)]
    assert len(lines) == 2
    for line in lines:
        # The nearest of dots by x that lies at the line's heights.
        assert any(math.hypot(x - line[0, 0], y - line[0, 1]) < 0.1 for x, y in dots)
        assert any(math.hypot(x - line[-1, 0], y - line[-1, 1]) < 0.1 for x, y in dots)
        middle = np.interp(line[0, 0] + 0.4 * (line[-1, 0] - line[0, 0]), line[:, 0], line[:, 1])
        assert any(abs(y - middle) < 0.2 for _, y in dots)  # pattern 30 of 10 to 60
    assert max(line[:, 0].max() for line in lines) < max(x for x, _ in dots) - 50


def test_a_process_has_a_dot_for_each_time_that_it_comes_within_the_patterns_life():
    """First in pattern 15 (30 s of 2 s each), then each 20: 15, 35, 55, 75."""
    scene = chart.chart_of_outlook(slide())
    row = (
        next(item.at[1] for item in scene.items if isinstance(item, Text) and item.text == "bird every 20")
        - 4
    )
    dots = sorted(
        item.at[0] for item in scene.items if isinstance(item, DrawnDisc) and abs(item.at[1] - row) < 1e-6
    )
    unit = (at(scene, "80") - at(scene, "20")) / 60
    assert [20 + (x - at(scene, "20")) / unit for x in dots] == pytest.approx([15, 35, 55, 75], abs=1e-6)


def test_a_pattern_without_drift_or_contacts_shows_its_joints_at_the_marks():
    bare = slide(drift=None, superimposed=(), valid_until=None)
    pattern = Pattern(minima=1, duration=2.0, change={"slide": 0.25}, phases=bare.pattern.phases)
    said = texts(
        chart.chart_of_outlook(slide(drift=None, superimposed=(), valid_until=None, pattern=pattern))
    )
    assert "position at marks [mm]" in said
    assert any("A slide; one pattern: 1 mark in 2 s" in line for line in said)


def test_an_outlook_without_a_pattern_says_that_it_cannot_be_drawn():
    answer = Outlook(verdict="at_rest", state={"slide": 1.0}, since=2.0)
    with pytest.raises(detent.UnsupportedError, match="detent run FILE --plot"):
        chart.chart_of_outlook(answer)
    assert "<svg" not in answer._repr_html_()


def test_the_table_has_a_row_of_each_kind_with_units():
    rows = list(csv.DictReader(io.StringIO(slide().to_csv())))
    assert [row["row"] for row in rows] == ["pattern"] * 4 + ["mark", "end"]
    assert [float(row["pattern"]) for row in rows[:4]] == [10, 30, 60, 80]
    assert float(rows[1]["slide least [mm]"]) == ABOUT - amplitude(70.0)
    assert float(rows[1]["tension wheel [N m]"]) == 70.0
    mark = rows[4]
    assert (mark["time [s]"], mark["time after begin [s]"]) == ("", "2.0")
    assert (mark["slide [mm]"], mark["slide change [mm]"]) == ("40.0", "0.25")
    assert rows[5]["time [s]"] == "160.0"


def test_a_machine_at_rest_has_its_state_as_a_row_and_an_empty_answer_no_table():
    rest = Outlook(
        verdict="at_rest", state={"wheel": 1.0}, since=2.0, state_units={"wheel": "rad"}, units="mm"
    )
    assert rest.to_csv() == "row,pattern,time [s],wheel [rad]\nrest,,2.0,1.0\n"
    assert not Outlook(verdict="undecided", reason="no pattern was found").has_table


@pytest.mark.parametrize(("marks", "named"), [(6, 6), (7, 0)])
def test_marks_are_named_while_they_are_few(marks, named):
    phases = [Phase(time=0.25 * (k + 1), state={"slide": 40.0}, change={"slide": 0.0}) for k in range(marks)]
    pattern = Pattern(minima=marks, duration=2.0, change={"slide": 0.0}, phases=tuple(phases))
    said = texts(chart.chart_of_outlook(slide(pattern=pattern)))
    assert said.count("minimum") == named
    assert f"One pattern: {marks} marks in 2 s" in said


def test_regimes_are_lines_over_time_rows_of_the_table_and_of_the_words():
    """Two patterns after each other, then rest: the second line is twice as long as the first."""
    first, second = (Pattern(minima=k, duration=2.0 * k, change={"slide": 0.0}) for k in (1, 2))
    regimes = (
        Regime(start=0.0, end=160.0, verdict="ends", reason="they meet", pattern=first),
        Regime(start=160.0, end=480.0, verdict="ends", reason="a jam", pattern=second),
        Regime(start=480.0, end=None, verdict="at_rest", reason="nothing moves", state={"slide": 7.0}),
    )
    answer = slide(regimes=regimes, pattern=first, drift=None, superimposed=(), valid_until=None)
    scene = chart.chart_of_outlook(answer)
    heights = {
        item.text: item.at[1] - 4
        for item in scene.items
        if isinstance(item, Text) and item.text in ("1 in 2", "2 in 4", "no pattern")
    }
    spans = {
        name: float(np.ptp(item.points[:, 0]))
        for name, y in heights.items()
        for item in scene.items
        if isinstance(item, DrawnLine) and item.style.width == 2.0 and np.allclose(item.points[:, 1], y)
    }
    assert spans["2 in 4"] == pytest.approx(2 * spans["1 in 2"])
    assert 0 < spans["no pattern"] < spans["1 in 2"]
    rows = [row for row in csv.DictReader(io.StringIO(answer.to_csv())) if row["row"] == "regime"]
    assert [float(row["time [s]"]) for row in rows] == [0.0, 160.0, 480.0]
    assert rows[2]["slide [mm]"] == "7.0"
    assert "from [s]" in answer.words
    alone = slide(regimes=regimes[:1])
    assert "Regimes, one after the other" not in texts(chart.chart_of_outlook(alone))
    assert "regime" not in alone.to_csv()
