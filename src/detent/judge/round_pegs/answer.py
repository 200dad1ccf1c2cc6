"""What `detent mate` says of a round peg that is led into its hole: legs, clearance, what is left out."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from detent.foundation.progress import doing
from detent.judge.rigid_mating.answer import ToldPeg, flat_peg, rigid_mating_of
from detent.judge.rigid_mating.ending import leg_end
from detent.judge.rigid_mating.forces import rigid_force
from detent.judge.round_pegs.story import OVER, READING, RoundStory
from detent.motion.rigid.mating.mating_run import RigidMatingRun
from detent.record.compliant_mating import CompliantSeries
from detent.record.event import Event
from detent.record.led.rigid import RigidLeg, RigidMating
from detent.record.led.rounds import (
    OnePointRange,
    RoundBlow,
    RoundTouch,
    RoundTrace,
    SecondTouch,
    TwoPointRange,
)
from detent.record.run import Run

_TRACED = 200  # points of a trace, at most
_EVENTS = 200  # told, at most


def mating_of_rigid(run: Run) -> RigidMating:
    """The answer from a rigid run, of a round peg or of one with flat sides."""
    evidence = run.evidence
    assert isinstance(evidence, RigidMatingRun)
    round_ = bool(evidence.machine.rounds.matched)
    return rigid_mating_of(run, round_peg(evidence) if round_ else flat_peg(evidence))


def round_peg(run: RigidMatingRun) -> ToldPeg:
    """Of a run in which a round shaft goes into a round hole."""
    with doing("forces"):
        match = _met(run)
        stories = [RoundStory(run, match, start, end) for _, start, end in run.legs]
        legs = tuple(_leg(story, number) for number, story in enumerate(stories))
    story, rounds = stories[0], run.machine.rounds
    left_out = []
    for k, (_, first, second) in enumerate(rounds.matched):
        if k != match:
            parts = " and ".join(rounds.meridians[one].part for one in (first, second))
            left_out.append(f"another hole and shaft of {parts}, from the figures")
    if len(run.machine.candidates):
        left_out.append("contacts of flat faces, from the figures; they act")
    return ToldPeg(
        legs,
        story.clearance / run.machine.plan.metres,
        "round surfaces about the peg's and the hole's axes, their nearest points between 32 samples of each "
        "circle,",
        tuple(left_out),
        fields={"peg": story.peg.part, "hole": story.hole.part},
    )


def _met(run: RigidMatingRun) -> int:
    """The hole and the shaft that touch most; where nothing does, those whose axes are nearest."""
    stories = [RoundStory(run, match) for match in range(len(run.machine.rounds.matched))]
    return max(range(len(stories)), key=lambda k: (len(stories[k].contacts.step), -stories[k].beside))


def _leg(story: RoundStory, number: int) -> RigidLeg:
    told = story.figures()
    optional: dict[str, Any] = {
        "first_contact": RoundTouch,
        "transfer_to_side": RoundTouch,
        "one_point": OnePointRange,
        "second_contact": SecondTouch,
        "two_point": TwoPointRange,
    }
    found = {name: record(**_tupled(told[name])) for name, record in optional.items() if name in told}
    columns, rows = story.series
    series = CompliantSeries(columns, tuple(map(tuple, rows)), smoothed_s=OVER)
    return RigidLeg(
        start=story.since,
        contact_order=tuple(told["contact_order"]),
        pairs=told["pairs"],
        force=rigid_force(READING, story.whole, story.depth_at, story.since, story.until, series),
        end=leg_end(story, number, story.until),
        penetration_um=story.run.overlap_um(story.since, story.until),
        events=_events(story),
        impulses=_blows(story),
        traces=_traces(story),
        **found,
    )


def _tupled(values: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def _events(story: RoundStory) -> tuple[Event, ...]:
    """Touches, lifts, hand-overs, sticking and sliding, by pairs; mode signs as of contact modes.

    Where a contact hands over within a step, what lifts in between is not told.
    """
    found: list[Event] = []
    states = story.states
    for (_, before, modes), (time, after, now) in pairwise([(story.since, (), ""), *states]):
        impulse = story.blow_at(time)
        if before != after:
            kind: Any = "contact" if len(after) > len(before) else "release"
            kind = "change" if len(after) == len(before) else kind
            kind = "impact" if impulse and len(after) > len(before) else kind
        elif modes != now:
            kind = "stick" if now.count("f") > modes.count("f") else "slide"
        else:
            continue
        handed = " to ".join(" and ".join(f"({pair})" for pair in pairs) for pairs in (before, after))
        found.append(
            Event(
                time=time, kind=kind, before=before, after=after, mode_before=modes or None,
                mode_after=now or None, impulse=impulse, detail=handed if kind == "change" else "",
            )
        )  # fmt: skip
    return tuple(found[:_EVENTS])


def _blows(story: RoundStory) -> tuple[RoundBlow, ...]:
    found = []
    contacts = story.contacts
    struck = np.flatnonzero(contacts.blows[:, 0] > 0)
    for k in sorted(set(contacts.step[struck].tolist())):
        rows = struck[contacts.step[struck] == k]
        whole = contacts.blows[rows, 1:].sum(axis=0)
        along = float(whole @ story.inwards)
        across = float(np.linalg.norm(whole - along * story.inwards))
        pairs = tuple(sorted(set(story.pair[rows].tolist())))
        found.append(RoundBlow(time=float(story.run.steps.times[k]), along=along, across=across, pairs=pairs))
    return tuple(found[:_EVENTS])


def _traces(story: RoundStory) -> tuple[RoundTrace, ...]:
    found = []
    pushes = story.contacts.impulses[:, 0] > 0
    for number in story.numbers:
        rows = np.flatnonzero((story.pair == number) & pushes)
        if not len(rows):
            continue
        rows = rows[np.unique(np.linspace(0, len(rows) - 1, _TRACED).astype(int))]
        both = []
        low, sense = story.mouth
        below = sense * (story.on_hole[1] - low)
        above = np.abs(story.on_peg[1] - story.tip_along)
        for angle, depth in ((story.on_hole[0], below), (story.on_peg[0], above)):
            both.append(
                tuple(zip(np.degrees(angle[rows]).tolist(), (1e3 * depth[rows]).tolist(), strict=True))
            )
        times = tuple(story.run.steps.times[story.contacts.step[rows]].tolist())
        found.append(RoundTrace(pair=number, times=times, on_hole=both[0], on_peg=both[1]))
    return tuple(found)
