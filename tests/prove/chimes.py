"""Random chimes: the clock with any teeth, and pegs anywhere on its large gear; and all their strokes.

`python -m tests.prove.chimes FIRST COUNT` prints the strokes told of each beside those of a full run.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import detent
from detent.motion import Rigid

EXAMPLE = Path(__file__).parents[2] / "examples" / "chiming_clock.toml"
APART = 11.7  # the two axes
PEG = (
    "{ cylinder = { radius = 0.4, height = %s }, moves = [{ move = [%s, 0, %s] }, { turn_deg = %s },"
    " { move = [0, -11.7, 0] }] },"
)
MOVES = 1e-5  # rad: so far from where it rests the clapper is away
NEAR = 4e-3  # of a time: periods grow by up to a quarter of a per cent as the spring runs down


def chime(small: int, large: int, pegs: list[tuple[float, float]], rest_deg: float = -10000) -> str:
    """The chiming clock with other teeth, and pegs at angles [deg] and radii in the clapper's layer."""
    text = EXAMPLE.read_text()
    module = APART / (small + large)

    def put(old: str, new: str) -> None:
        nonlocal text
        assert text.count(old) == 1
        text = text.replace(old, new)

    put("radius = 0.9, height = 1, teeth = 12", f"radius = {module * small:.6g}, height = 1, teeth = {small}")
    put(
        "radius = 10.8, height = 1, teeth = 144",
        f"radius = {module * large:.6g}, height = 1, teeth = {large}",
    )
    put(PEG % (2, 9.8, 1, -24), "\n    ".join(PEG % (1, radius, 2, angle) for angle, radius in pegs))
    put("rest_deg = -10000", f"rest_deg = {rest_deg}")
    return text


def random_chime(seed: int) -> str:
    """Up to three pegs; some lift the clapper for several patterns, some graze it, some miss it."""
    rng = np.random.default_rng(seed)
    small, large = int(rng.integers(8, 25)), int(rng.integers(36, 150))
    count = int(rng.integers(1, 4))
    pegs = [(round(rng.uniform(-340, -15), 4), float(rng.choice([9.2, 9.4, 9.8]))) for _ in range(count)]
    text = chime(small, large, pegs)
    if rng.random() < 0.4:  # it springs back within a pattern
        text = text.replace("stiffness = 30, rest = 0.3", "stiffness = 300, rest = 0.3")
        text = text.replace('"clapper"\ninertia = 3', '"clapper"\ninertia = 0.3')
    return text


def strokes_of(machine: detent.Mechanism, until: float, pattern: float) -> list[float]:
    """When the clapper begins to move in a full run, after it was at rest for a pattern."""
    run = detent.predict(machine, method=Rigid(accuracy=1e-7), until=until).evidence
    times = np.linspace(0.0, until, int(60 * until))
    clapper = run.along.at(times).coordinates["clapper"]
    away = np.abs(clapper - np.median(clapper)) > MOVES
    begins, ends = times[1:][away[1:] & ~away[:-1]], times[1:][~away[1:] & away[:-1]]
    return [float(begin) for k, begin in enumerate(begins) if k == 0 or begin - ends[k - 1] > pattern]


def strokes_told(answer: detent.Outlook, until: float) -> list[float]:
    """By the processes on top: each from its first on, once, or every so often."""
    told = []
    for each in answer.superimposed:
        count = 1 if each.period is None else 1 + int((until - each.first) // each.period)
        told += [each.first + k * (each.period or 0.0) for k in range(count)]
    return sorted(told)


def wrong(text: str) -> tuple[str, str]:
    """What is wrong with the strokes that are told of a clock, empty where nothing is; and what was said."""
    machine = detent.loads(text)
    answer = detent.outlook(machine)
    said = f"{answer.verdict}: {answer.reason}"
    if answer.verdict == "undecided" or answer.valid_until is None:
        return "", said
    end = answer.valid_until.time - answer.pattern.duration  # one that ends the pattern is none on top of it
    told = strokes_told(answer, end)
    came = [time for time in strokes_of(machine, end + 1.0, answer.pattern.duration) if time <= end]
    if len(told) != len(came):
        return (
            f"{len(told)} strokes are told, {len(came)} came: {np.round(told, 1)}, {np.round(came, 1)}",
            said,
        )
    off = [abs(a - b) / max(b, 100.0) for a, b in zip(told, came, strict=True)]
    return (f"a stroke is off by {max(off):.2g} of its time" if off and max(off) > NEAR else ""), said


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
        print(number, *wrong(random_chime(number)), sep=" | ", flush=True)
