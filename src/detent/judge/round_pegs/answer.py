"""The answer of `detent mate` for a round peg that is led into its hole, rigid on rigid."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from detent.foundation.progress import doing
from detent.foundation.units import unit_names
from detent.geometry.revolved.meridian import Meridian
from detent.judge.round_pegs.overlap import overlap_from
from detent.judge.round_pegs.story import OVER, RoundStory
from detent.model.document.ask import AskMate
from detent.motion.rigid.mating.mating_run import RigidMatingRun
from detent.record.compliant_mating import GoesIn
from detent.record.event import Event
from detent.record.led.rounds import (
    OnePointRange,
    RoundBlow,
    RoundEnd,
    RoundForce,
    RoundLeg,
    RoundMating,
    RoundSeries,
    RoundTouch,
    RoundTrace,
    SecondTouch,
    TwoPointRange,
)
from detent.record.run import Run
from detent.record.scope import Scope

_COUNTS_AS_IN = 0.95  # of the way of the first leg, unless the document gives a depth
_SOLVED = ("by statuses", "by pivots", "by projection", "by cones of eight sides", "unsolved")
_TRACED = 200  # points of a trace, at most
_EVENTS = 200  # told, at most


def is_round(run: Run) -> bool:
    """Whether a rigid run is that of a round shaft above a round hole."""
    return isinstance(run.evidence, RigidMatingRun) and bool(run.evidence.machine.rounds.matched)


def round_mating_of(run: Run) -> RoundMating:
    """The record of a run in which a round shaft goes into a round hole."""
    evidence = run.evidence
    assert isinstance(evidence, RigidMatingRun)
    machine, plan = evidence.machine, evidence.machine.plan
    ended = float(evidence.steps.times[-1])
    ends = [*(leg.start for leg in plan.legs[1:]), ended]
    with doing("forces"):
        match = _met(evidence)
        stories = [
            RoundStory(evidence, match, min(leg.start, ended), min(end, ended))
            for leg, end in zip(plan.legs, ends, strict=True)
        ]
        legs = tuple(_leg(story, number) for number, story in enumerate(stories))
    torques = evidence.torques(evidence.steps.times)
    tally = dict(zip(_SOLVED, evidence.tally[:5], strict=True))
    story = stories[0]
    return RoundMating(
        robot=machine.leader.name,
        leads=machine.leader.kind,
        held=machine.leader.held,
        peg=story.peg.part,
        hole=story.hole.part,
        insertion=_insertion(legs),
        until=ended,
        legs=legs,
        clearance=clearance(story) / plan.metres,
        largest_torques={name: float(np.abs(column).max()) for name, column in torques.items()},
        solved={how: count for how, count in tally.items() if count},
        step=machine.step,
        steps=len(evidence.steps.times) - 1,
        method=evidence.name,
        scope=_scope(evidence, match),
        units=machine.mechanism.units,
    ).computed_from(run)


def _met(run: RigidMatingRun) -> int:
    """The hole and the shaft that touch most; where nothing does, those whose axes are nearest."""
    stories = [RoundStory(run, match) for match in range(len(run.machine.rounds.matched))]
    return max(range(len(stories)), key=lambda k: (len(stories[k].contacts.step), -stories[k].beside))


def clearance(story: RoundStory) -> float:
    """Of the diameters of the narrowest wall and the widest side [m]; of rims where a part has none."""
    walls = [piece.start[0] for piece in story.hole.pieces if piece.role == "side"]
    sides = [piece.start[0] for piece in story.peg.pieces if piece.role == "side"]
    hole = min(walls) if walls else _radii(story.hole)[0]
    peg = max(sides) if sides else _radii(story.peg)[1]
    return 2 * (hole - peg)


def _radii(meridian: Meridian) -> tuple[float, float]:
    radii = [end[0] for piece in meridian.pieces if piece.role != "face" for end in (piece.start, piece.end)]
    return min(radii), max(radii)


def _leg(story: RoundStory, number: int) -> RoundLeg:
    told = story.figures()
    force, series = told["force"], told["force"]["series"]
    optional: dict[str, Any] = {
        "first_contact": RoundTouch,
        "transfer_to_side": RoundTouch,
        "one_point": OnePointRange,
        "second_contact": SecondTouch,
        "two_point": TwoPointRange,
    }
    found = {name: record(**_tupled(told[name])) for name, record in optional.items() if name in told}
    return RoundLeg(
        start=story.since,
        contact_order=tuple(told["contact_order"]),
        pairs=told["pairs"],
        force=RoundForce(
            peak_chamfer=force["peak_chamfer"],
            extreme=force["extreme"],
            series=RoundSeries(
                columns=tuple(series["columns"]), smoothed_s=OVER, rows=tuple(map(tuple, series["rows"]))
            ),
        ),
        end=round_end(story, number, told["end"]["depth_mm"]),
        penetration_um=story.overlap_um,
        events=_events(story),
        impulses=_blows(story),
        traces=_traces(story),
        **found,
    )


def _tupled(values: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def round_end(story: RoundStory, number: int, depth_mm: float) -> RoundEnd:
    """How a leg ended, and why where the peg is not in."""
    run = story.run
    plan = run.machine.plan
    leg, last = plan.legs[number], number + 1 == len(plan.legs)
    known: dict[str, Any] = {"depth_mm": depth_mm, "time": story.until}
    overlaps = overlap_from(story)
    if overlaps is not None:
        both = f"{story.peg.part} and {story.hole.part}"
        words = (
            f"{both} overlap at {overlaps:.4g} s where other than round surfaces meet, which are not followed"
        )
        return RoundEnd(cause="interrupted", detail=words, **known)
    if last and not run.done:
        return RoundEnd(cause="interrupted", detail=run.why, **known)
    if story.until < leg.start + leg.duration:
        return RoundEnd(cause="interrupted", detail=f"the run ends at {story.until:.4g} s", **known)
    ask = run.mechanism.ask.mate if run.mechanism.ask is not None and run.mechanism.ask.mate else AskMate()
    least = _COUNTS_AS_IN * leg.length if ask.depth is None else float(ask.depth) * plan.metres
    moved = run.gripper_motion(*run.steps.at([story.until]))[0][0]
    along = float((moved[:3] - leg.origin) @ leg.direction)
    if leg.back or number > 0 or along >= least:
        return RoundEnd(cause="done", **known)
    unit = unit_names(run.mechanism.units).length
    short = f"it has gone {along / plan.metres:.4g} of {least / plan.metres:.4g}{unit} that count as in"
    play = clearance(story)
    if play < 0:
        words = (
            f"the peg is {-play / plan.metres:.4g}{unit} larger than its hole: it stands on the rims; {short}"
        )
        return RoundEnd(cause="wedged", detail=words, **known)
    touching = sorted(set(story.pushing_at_end))
    words = f"the drive is used up against {', '.join(touching) or 'nothing'}; {short}"
    return RoundEnd(cause="jam", detail=words, **known)


def _insertion(legs: tuple[RoundLeg, ...]) -> GoesIn:
    first = legs[0].end
    went = f"the tip is {first.depth_mm:.4g} mm below the hole's face when leg 1 ends"
    if first.cause == "interrupted":
        return GoesIn(answer="undecided", why=first.detail)
    if first.cause != "done":
        return GoesIn(answer="no", why=f"{first.cause}: {first.detail}")
    if not any(leg.contact_order for leg in legs):
        return GoesIn(answer="nothing touched", why=f"{went}, and the parts do not push each other")
    return GoesIn(answer="yes", why=went)


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


def _scope(run: RigidMatingRun, match: int) -> Scope:
    machine = run.machine
    covers = (
        "round surfaces about the peg's and the hole's axes under Coulomb friction, led by equations linear "
        f"about the drawing, at steps of {machine.step:g} s: touching located to "
        f"{machine.control(1.0)[-1]:.1g} s, lifting, sticking and sliding to a step; overlaps at ends of "
        "steps; nearest points between 32 samples of each circle"
    )
    rounds = machine.rounds
    left_out = [*machine.leader.left_out, "weight and inertia of what is held, in the forces"]
    for k, (_, first, second) in enumerate(rounds.matched):
        if k != match:
            parts = " and ".join(rounds.meridians[one].part for one in (first, second))
            left_out.append(f"another hole and shaft of {parts}, from the figures")
    if len(machine.candidates):
        left_out.append("contacts of flat faces, from the figures; they act")
    if machine.leader.arm is not None:
        left_out.append("what is of second order in the way and the speed: Coriolis torques, turned axes")
    return Scope(
        certainty="computed",
        covers=covers,
        left_out=tuple(dict.fromkeys(left_out)),
        assumed=machine.assumed,
    )
