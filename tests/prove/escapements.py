"""Random escapements: the published clock with other masses, dampings, springs and pallets; and their lives.

`python -m tests.prove.escapements FIRST COUNT` prints what is predicted of each beside what a full run shows.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import detent
from detent.motion import Rigid

EXAMPLE = Path(__file__).parents[2] / "examples" / "escapement.toml"
PALLETS = (("[0.9, 2, 1]", 2), ("[1, 2, 1]", 1))
NEAR = 0.05  # of when the last one is over, or two patterns: what the end of a later regime may be off by
LONGER = 1.15  # times the pattern before: one that takes so much more, or less, is another one,
TICKS = 1.5  # and one that takes so much more, or less, is none
OFF = 0.3  # of what a pattern turns the wheel by: one that is off by more is not regular


def random_escapement(seed: int) -> detent.Mechanism:
    """The published clock with other numbers; its mainspring is shorter, so that a life can be simulated."""
    rng = np.random.default_rng(seed)
    text = EXAMPLE.read_text()
    for size, count in PALLETS:
        assert text.count(f"block = {size}") == count
        wide = float(size[1:].split(",")[0]) * rng.uniform(0.85, 1.1)
        text = text.replace(f"block = {size}", f"block = [{wide:.4f}, 2, 1]")
    mechanism = detent.loads(text)

    def times(path: str, value: float, low: float, high: float) -> None:
        nonlocal mechanism
        factor = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        mechanism = mechanism.with_(path, round(value * factor, 6))

    times("parts.lever.inertia", 10, 0.4, 2.5)
    times("parts.bwheel.inertia", 20, 0.4, 2.5)
    times("parts.ewheel.inertia", 200, 0.4, 2.5)
    times("joints.lever.damping", 5, 0.5, 2)
    times("joints.bwheel.damping", 6, 0.5, 2)
    times("joints.ewheel.damping", 20, 0.5, 2)
    times("joints.bwheel.spring.stiffness", 15, 0.4, 6)
    times("joints.ewheel.spring.stiffness", 60, 0.05, 3)
    return mechanism.with_("joints.ewheel.spring.rest_deg", -float(rng.uniform(1500, 4000)))


def last_regular(
    run: object, answer: detent.Outlook, until: float, longer: float = LONGER
) -> tuple[int, float]:
    """Patterns from the start of a full run up to the first that does not turn the wheel as the pattern does,
    and when the last one is over: by how often the lever swings over, whatever its energy does then."""
    pattern = answer.pattern
    times = np.linspace(0.0, until, int(400 * until / pattern.duration))
    columns = run.along.at(times).coordinates
    lever, wheel = columns["lever"], columns["ewheel"]
    middle = np.radians(-5.0)
    over = np.flatnonzero((lever[:-1] < middle) & (lever[1:] >= middle))
    end = pattern.since + pattern.duration * (pattern.confirmed + 1)
    seen = ((times[over] > pattern.since) & (times[over] <= end)).sum()
    each = max(round(seen / (pattern.confirmed + 1)), 1)
    first = int((times[over] <= pattern.since).sum())
    ends = over[first + each - 1 :: each]
    net = pattern.phases[-1].change["ewheel"]
    lasts, turned = np.diff(times[ends]), np.diff(wheel[ends])
    before = np.concatenate([lasts[:1], lasts[:-1]])
    other = np.maximum(lasts / before, before / lasts) > longer
    odd = np.flatnonzero((np.abs(turned - net) > OFF * abs(net)) | other)
    last = int(odd[0]) if len(odd) else len(ends) - 1
    return round((first + each * (last + 1)) / each), float(times[ends[last]])


def wrong(seed: int) -> tuple[str, str]:
    """What is wrong with the outlook of a random escapement, empty where nothing is; and what was said."""
    mechanism = random_escapement(seed)
    answer = detent.outlook(mechanism)
    said = f"{answer.verdict}: {answer.reason}"
    end = answer.valid_until
    if answer.verdict == "undecided":
        return "", said
    if answer.verdict == "at_rest" or end is None:
        if answer.since is None:
            return "it is said to go on for ever, with a spring that runs down", said
        until = answer.since * 2 + 10.0
        run = detent.predict(mechanism, method=Rigid(accuracy=1e-7), until=until).evidence
        columns = run.along.at(np.linspace(answer.since, until, 200)).coordinates
        moved = max(float(np.ptp(column)) for column in columns.values())
        return (f"it moves by {moved:.3g} while at rest" if moved > 0.02 else ""), said
    until = 1.1 * max([end.time, *(regime.end for regime in answer.regimes if regime.end is not None)]) + 60.0
    run = detent.predict(mechanism, method=Rigid(accuracy=1e-7), until=until).evidence
    said += f"; {end.patterns} in {end.interval}, {end.cause}"
    if answer.pattern is None:
        stopped = run.along.at(np.array([0.9 * until, until])).coordinates
        moved = max(abs(float(np.diff(column)[0])) for column in stopped.values())
        return (f"it moves by {moved:.3g} after its end" if moved > 0.02 else ""), said
    last, at = last_regular(run, answer, until)
    said += f"; the run has {last} up to {at:.6g} of {until:.6g}, told {end.time:.6g}"
    low, high = end.interval
    if low - 1 <= last <= high + 1:
        return "", said
    # A pattern may give way to another one, or to none, that ticks on: the answer then has it as next regime.
    ends = [regime.end for regime in answer.regimes if regime.end is not None]
    near = max(NEAR * at, 2 * answer.pattern.duration)
    over = at, last_regular(run, answer, until, TICKS)[1]
    said += f"; regimes end at {', '.join(f'{each:.6g}' for each in ends)}"
    if any(abs(each - time) <= near for each in ends[1:] for time in over):
        return "", said
    return f"the last pattern is {last}, not {end.patterns}", said


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
        print(number, *wrong(number), sep=" | ", flush=True)
