"""The long run of a machine: how its pattern drifts, what comes on top of it, when it ends; one pattern."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from detent.draw.chart.plot import Panel, PlotAxis, PlotMark, Series, plot_scene
from detent.draw.chart.stacked import stacked
from detent.draw.scene.scene import Scene
from detent.foundation.errors import UnsupportedError
from detent.foundation.units import measured, unit_names
from detent.record.outlook import MINIMA, Drift, Outlook, Pattern

MOST_NAMES = 12  # rows of names in a panel
MOST_NAMED_MARKS = 6  # the title says how many there are
# Of the time that is known: how far a line goes on whose end is not.
_BEYOND = 0.1
_LOOKS = 240  # along a law


def chart_of_outlook(outlook: Outlook, *, width: float = 800.0) -> Scene:
    """Against the number of the pattern: extremes, durations, processes, the end; then one pattern."""
    plots = _over_patterns(outlook, width)
    plots += _one_pattern(outlook, width, alone=not plots)
    plots += _regimes(outlook, width)
    if not plots:
        raise UnsupportedError(
            "this outlook has no pattern that could be drawn",
            "draw the run instead: `detent run FILE --plot`",
        )
    return stacked(plots)


def can_be_drawn(outlook: Outlook) -> bool:
    """Whether there is a pattern of which something is known."""
    pattern = outlook.pattern
    return outlook.drift is not None or (pattern is not None and bool(pattern.contacts or pattern.phases))


def _over_patterns(outlook: Outlook, width: float) -> list[Scene]:
    panels = [] if outlook.drift is None else [*_extremes(outlook, outlook.drift), _durations(outlook)]
    happens = _what_happens(outlook)
    panels += [] if happens is None else [happens]
    if not panels:
        return []
    along = PlotAxis("number of the pattern, counted from the start")
    return [plot_scene(panels, along, title=outlook.title, marks=_end(outlook), width=width)]


def _extremes(outlook: Outlook, drift: Drift) -> list[Panel]:
    """Least and greatest of joints that swing: measured, and by the law as far as it was checked."""
    rows = np.array(drift.rows)
    sides = [(k, *name.rpartition(" ")[::2]) for k, name in enumerate(drift.columns)]
    sided = [each for each in sides if each[2] in ("least", "greatest")]
    swinging = [each for each in sided if each[1] in outlook.amplitude] or sided
    panels = []
    for unit in dict.fromkeys(outlook.state_units.get(joint, "") for _, joint, _ in swinging):
        series: list[Series] = []
        for k, joint, side in swinging:
            if outlook.state_units.get(joint, "") != unit:
                continue
            series.append(Series(f"{joint} {side}", rows[:, 0], _shown(rows[:, k], unit), dots=True))
            series += _by_law(drift, rows, k, joint, unit)
        label = "°" if unit == "rad" else unit
        panels.append(Panel(PlotAxis("extremes in a pattern", label), tuple(series)))
    return panels


def _by_law(drift: Drift, rows: np.ndarray, k: int, joint: str, unit: str) -> list[Series]:
    """The law's line, up to the last pattern at which it was looked at, with how far off it was."""
    numbers = drift.numbers.get(drift.columns[k])
    if numbers is None:
        return []
    about, until = drift.about[joint], drift.until[joint]
    at = np.linspace(rows[0, 0], until, _LOOKS)
    tension = np.interp(at, rows[:, 0], rows[:, 3])
    side = math.copysign(1.0, rows[0, k] - about)
    values = about + side * np.sqrt(np.maximum(numbers[0] + numbers[1] * tension, 0.0))
    within = measured(drift.within[joint], unit, 2)
    name = f"its law, within {within} up to {until}"
    return [Series(name, at, _shown(values, unit))]


def _durations(outlook: Outlook) -> Panel:
    assert outlook.drift is not None
    rows = np.array(outlook.drift.rows)
    second = unit_names(outlook.units).time.strip()
    return Panel(PlotAxis("duration", second), (Series("duration", rows[:, 0], rows[:, 2], dots=True),))


def _what_happens(outlook: Outlook) -> Panel | None:
    """From when to when the pattern lasts; a row for each process on top of it, a dot where it begins."""
    number, last = _numbered(outlook), _last(outlook)
    if outlook.pattern is None or number is None or last is None:
        return None
    names = ["pattern"]
    series = [Series(names[0], [number(outlook.pattern.since), last], [1.0, 1.0])]
    for each in outlook.superimposed[: MOST_NAMES - 1]:
        first, every = number(each.first), each.period_patterns
        at = first + every * np.arange(max(0, math.floor((last - first) / every)) + 1) if every else [first]
        names.append(f"{', '.join(each.joints)} every {every}" if every else ", ".join(each.joints))
        series.append(Series(names[-1], at, np.full(len(at), float(len(names))), dots=True))
    few = 1 + len(outlook.superimposed) - len(names)
    label = f"what happens, {few} more" if few else "what happens"
    return Panel(PlotAxis(label), tuple(series), names=tuple(names))


def _numbered(outlook: Outlook) -> Callable[[float], float] | None:
    """From a time to the number of the pattern then; durations between known patterns are interpolated."""
    pattern, end = outlook.pattern, outlook.valid_until
    if pattern is None or (outlook.drift is None and end is None):
        return None
    lasts = pattern.duration
    if outlook.drift is None:
        assert end is not None
        # The end lies in the pattern after the last whole one.
        before = end.patterns - math.floor(end.time / lasts)
        return lambda time: before + time / lasts
    rows = np.array(outlook.drift.rows)
    numbers, times = rows[:, 0], rows[:, 1]

    def number(time: float) -> float:
        if time < times[0]:
            return float(numbers[0] - (times[0] - time) / lasts)
        return float(np.interp(time, times, numbers))

    return number


def _last(outlook: Outlook) -> float | None:
    if outlook.valid_until is not None:
        return float(outlook.valid_until.patterns)
    return None if outlook.drift is None else float(outlook.drift.rows[-1][0])


def _end(outlook: Outlook) -> list[PlotMark]:
    """The last pattern, and the interval that it lies in."""
    end = outlook.valid_until
    if end is None:
        return []
    low, high = end.interval
    told = f"pattern {end.patterns}" if low == high else f"pattern {end.patterns} ({low} to {high})"
    edges = [PlotMark(float(edge), "") for edge in dict.fromkeys((low, high)) if edge != end.patterns]
    return [PlotMark(float(end.patterns), f"until {told}: {end.cause}"), *edges]


def _one_pattern(outlook: Outlook, width: float, *, alone: bool) -> list[Scene]:
    """Who touches whom in a pattern; of one without contacts its joints at the marks."""
    pattern = outlook.pattern
    if pattern is None or not (pattern.contacts or pattern.phases):
        return []
    panels = [_touches(pattern)] if pattern.contacts else _at_marks(outlook, pattern)
    second = unit_names(outlook.units).time.strip()
    mark = "minimum" if pattern.marks == MINIMA else "mark"
    mark = mark if len(pattern.phases) <= MOST_NAMED_MARKS else ""
    marks = [PlotMark(0.0, "begin"), *(PlotMark(phase.time, mark) for phase in pattern.phases)]
    many = f"{pattern.minima} {'marks' if pattern.minima > 1 else 'mark'}"
    title = f"One pattern: {many} in {pattern.duration:.6g} {second}".rstrip()
    if alone and outlook.title:
        title = f"{outlook.title}; one {title[4:]}"
    along = PlotAxis("time after its begin", second)
    return [plot_scene(panels, along, title=title, marks=marks, width=width)]


def _regimes(outlook: Outlook, width: float) -> list[Scene]:
    """From when to when each of several regimes lasts; one whose end is not known goes on a little."""
    regimes = outlook.regimes[:MOST_NAMES]
    if len(outlook.regimes) < 2:
        return []
    known = [time for regime in regimes for time in (regime.start, regime.end) if time is not None]
    beyond = max(known) + _BEYOND * (max(known) - min(known))
    series, names = [], []
    for k, regime in enumerate(regimes):
        pattern, end = regime.pattern, beyond if regime.end is None else regime.end
        names.append("no pattern" if pattern is None else f"{pattern.minima} in {pattern.duration:.4g}")
        series.append(Series(names[-1], [regime.start, end], [k + 1.0, k + 1.0]))
    few = f", {len(regimes)} of {len(outlook.regimes)}" if len(outlook.regimes) > len(regimes) else ""
    along = PlotAxis("time", unit_names(outlook.units).time.strip())
    panel = Panel(PlotAxis(f"regimes{few}"), tuple(series), names=tuple(names))
    return [plot_scene([panel], along, title="Regimes, one after the other", width=width)]


def _touches(pattern: Pattern) -> Panel:
    spans: dict[str, list[float]] = {}
    for touch in pattern.contacts:
        spans.setdefault(":".join(touch.parts), []).extend((touch.from_, touch.to, math.nan))
    names = list(spans)[:MOST_NAMES]
    series = tuple(
        Series(name, spans[name], np.where(np.isnan(spans[name]), np.nan, k + 1.0))
        for k, name in enumerate(names)
    )
    few = f", {len(names)} of {len(spans)} pairs" if len(spans) > len(names) else ""
    return Panel(PlotAxis(f"contacts{few}"), series, names=tuple(names))


def _at_marks(outlook: Outlook, pattern: Pattern) -> list[Panel]:
    times = [0.0, *(phase.time for phase in pattern.phases)]
    last = pattern.phases[-1]  # the mark before it, at the begin, was a change earlier
    states = [
        {joint: last.state[joint] - last.change[joint] for joint in last.state},
        *(phase.state for phase in pattern.phases),
    ]
    joints = list(outlook.amplitude) or list(pattern.change)
    panels = []
    for unit in dict.fromkeys(outlook.state_units.get(joint, "") for joint in joints):
        same = [joint for joint in joints if outlook.state_units.get(joint, "") == unit]
        series = tuple(
            Series(joint, times, _shown([state[joint] for state in states], unit), dots=True)
            for joint in same[:MOST_NAMES]
        )
        panels.append(Panel(PlotAxis("position at marks", "°" if unit == "rad" else unit), series))
    return panels


def _shown(values: Sequence[float] | np.ndarray, unit: str) -> np.ndarray:
    column = np.asarray(values, dtype=float)
    return np.degrees(column) if unit == "rad" else column
