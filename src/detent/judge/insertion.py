"""Does it go in? What the legs of a fastener's plan that bring it in came to.

These are the first leg and those that go on from it; a leg straight back on the one before, or
back against the first, begins the way out. By default it is *in* when nothing of it would push the
root back out: every pawl has touched something on the way, and at the end each is at rest, or past
the top, where but for friction its spring draws the root on, or less bent than at a top that it has
passed, as a snap fit that stays preloaded or a ratchet on its next tooth: its spring would push the
root back no further than to that top. A pawl that legs lead off again, down the contact that bent it, is
past nothing. A root that is itself blocked is as far in as it goes: there a
pawl may also lie at a constant angle, and pawls that have touched nothing do not count. A depth that
the document gives counts instead: in is then a travel along the first leg of at least so much,
whatever stops it there.
"""

from __future__ import annotations

import math
from itertools import pairwise

from detent.foundation.exact import Number
from detent.foundation.names import listed
from detent.geometry.vector import dot
from detent.model.document.ask import AskMate
from detent.model.machine.touching import TouchingPairs
from detent.motion.quasistatic.answer.crossing import PawlCrossing, crossings
from detent.motion.quasistatic.exact.legs import STUCK, LegRun, first_direction, parallel_ratio
from detent.motion.quasistatic.exact.pawl import PawlRun
from detent.motion.quasistatic.fastener_run import FastenerRun
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl
from detent.motion.quasistatic.slice.table import SlicePoint
from detent.numeric.polynomial.algebraic import real
from detent.numeric.rational import flint_of
from detent.record.mating import Insertion, InsertionAnswer, PawlEnd, PawlStanding

# Of the machine's size: a distance that rounding leaves between outlines that touch.
TOUCHES = 1e-9
# [rad] By less than this a top is not higher: so much rounding may leave between angles that are one.
HIGHER = 1e-9
GOAL = (
    "every pawl has touched something and is at rest, or past the top, where but for friction its spring "
    "draws the root on, or less bent than at a top that it has passed, and has not come back down the way it "
    "was bent; of a blocked root also at a constant angle"
)


def insertion(evidence: FastenerRun, ask: AskMate) -> Insertion | None:
    """The verdict on the end of the insertion; None where no leg was run."""
    legs = insertion_legs(evidence)
    if not legs:
        return None
    fastener, leg = evidence.fastener, legs[-1]
    ways = _straight_ways(legs)
    pawls = tuple(
        _pawl_end(pawl, [[leg.pawl_runs[k] for leg in way] for way in ways])
        for k, pawl in enumerate(fastener.pawls)
    )
    answer, why = _answer(fastener, leg, pawls, ask)
    bent = [each for each in crossings(fastener, legs, TouchingPairs(evidence.mechanism)) if not each.drawn]
    if bent:
        answer, why = "undecided", _bent_into_each_other(bent, fastener, f"{answer}, {why}")
    goal = (
        GOAL if ask.depth is None else f"a travel of {float(ask.depth):.12g}{fastener.units.length} or more"
    )
    travel = leg.travel(first_direction(fastener), leg.end)
    return Insertion(
        answer=answer,
        why=why,
        goal=goal,
        travel=travel,
        pawls=pawls,
        last_leg=len(legs),
        further_legs=further_legs(evidence),
    )


def _bent_into_each_other(bent: list[PawlCrossing], fastener: Fastener, alone: str) -> str:
    """What two pawls do to each other is not followed: all that comes after their first touch is open."""
    first = min(bent, key=lambda each: each.time)
    others = f", and {len(bent) - 1} more pairs later" if len(bent) > 1 else ""
    when = f"{first.time:.4g}{fastener.units.time}"
    return (
        f"{listed(list(first.parts))} bend into each other from about {when} on"
        f"{others}, and what comes of that is not followed; each by itself: {alone}"
    )


def insertion_legs(evidence: FastenerRun) -> tuple[LegRun, ...]:
    """The legs that bring it in: up to the first that leads straight back, or back against the first."""
    legs = evidence.plan.legs
    for k in range(1, len(legs)):
        if _straight_back(legs[k], legs[k - 1]) or _against(legs[k], legs[0]):
            return legs[:k]
    return legs


def further_legs(evidence: FastenerRun) -> tuple[int, ...]:
    """The numbers of the legs that are not judged: after the insertion, and not its legs backwards.

    So are legs of the insertion that could not be run, unless it is stuck: that answers for them.
    """
    legs, asked = evidence.plan.legs, len(evidence.fastener.legs)
    inserting = len(insertion_legs(evidence))
    judged = inserting + len(legs_backwards(evidence))
    unrun = inserting == len(legs) and not (legs and legs[-1].cause in STUCK)
    return tuple(range(judged + 1, asked + 1)) if judged < len(legs) or unrun else ()


def legs_backwards(evidence: FastenerRun) -> tuple[LegRun, ...]:
    """The legs after the insertion that go back on it, the last of its legs first."""
    legs = evidence.plan.legs
    inserting = len(insertion_legs(evidence))
    retraced = inserting - 1
    for k in range(inserting, len(legs)):
        if k > inserting and retraced > 0 and _straight_back(legs[k], legs[retraced - 1]):
            retraced -= 1
        elif not _straight_back(legs[k], legs[retraced]):
            return legs[inserting:k]
    return legs[inserting:]


def _against(leg: LegRun, other: LegRun) -> bool:
    return bool(dot(leg.line.velocity, other.line.velocity) < 0)


def _straight_back(leg: LegRun, other: LegRun) -> bool:
    ratio = parallel_ratio(leg.line.velocity, other.line.velocity)
    return ratio is not None and bool(ratio < 0)


def _straight_ways(legs: tuple[LegRun, ...]) -> list[list[LegRun]]:
    """Legs that go on in one direction are one way."""
    ways: list[list[LegRun]] = []
    for leg in legs:
        ratio = parallel_ratio(leg.line.velocity, ways[-1][-1].line.velocity) if ways else None
        if ratio is not None and ratio > 0:
            ways[-1].append(leg)
        else:
            ways.append([leg])
    return ways


def top_on_the_way(pawl_runs: list[PawlRun]) -> SlicePoint | None:
    """Where a pawl that has been bent further on a straight way begins to fall back; None if it does not."""
    places: list[SlicePoint] = []
    for pawl_run in pawl_runs:
        assert pawl_run.end is not None
        places += [place for stretch in pawl_run.stretches for place in (stretch.begin, stretch.end)]
        places.append(pawl_run.end)
    rose = False
    for before, after in pairwise(places):
        rise = abs(after.angle()) - abs(before.angle())
        if rose and rise < -HIGHER:
            return before
        rose = rose or rise > HIGHER
    return None


def _over_a_top(ways: list[list[PawlRun]]) -> bool:
    """Whether a pawl that was bent has gone over something.

    On a straight way it is bent less again only behind a top. Where the way turns, it may also come down by
    the contacts that bent it or held it so, led off them again: then it has passed nothing.
    """
    if any(top_on_the_way(way) is not None for way in ways):
        return True
    pawl_runs = [pawl_run for way in ways for pawl_run in way]
    if any(_snaps_back(pawl_run) for pawl_run in pawl_runs):
        return True
    bent_by: set[str] = set()
    for stretch in (each for pawl_run in pawl_runs for each in pawl_run.stretches):
        rising = stretch.arc.heading * stretch.arc.side
        if rising >= 0:
            bent_by.update(stretch.arc.names)
        elif rising < 0 and not bent_by.issuperset(stretch.arc.names):
            return True
    return False


def _snaps_back(pawl_run: PawlRun) -> bool:
    """Whether its angle drops where one stretch ends."""
    assert pawl_run.end is not None
    ends = [stretch.end for stretch in pawl_run.stretches]
    begins = [*(stretch.begin for stretch in pawl_run.stretches[1:]), pawl_run.end]
    return any(
        abs(a.angle()) > abs(b.angle()) + HIGHER for a, b in zip(ends, begins[: len(ends)], strict=True)
    )


def _pawl_end(pawl: Pawl, ways: list[list[PawlRun]]) -> PawlEnd:
    """How a pawl stands where the last of some legs ended, and what it touched on all of them."""
    pawl_runs = [pawl_run for way in ways for pawl_run in way]
    pawl_run = pawl_runs[-1]
    end = pawl_run.end
    assert end is not None
    stretches = [stretch for each in pawl_runs for stretch in each.stretches]
    past = tuple(dict.fromkeys(_other(name, pawl.part) for s in stretches for name in s.arc.names))
    angle = end.angle()
    # Along an arc the angle goes one way: it is largest at an end of one.
    largest = max((angle, *(at.angle() for s in stretches for at in (s.begin, s.end))), key=abs)
    standing: PawlStanding
    if pawl_run.cause != "done":
        standing = "held"
    elif end.side == 0:
        standing = "at_rest" if past else "untouched"
    else:
        heading = pawl_run.stretches[-1].arc.heading * end.side if pawl_run.stretches else 0
        standing = "climbing" if heading > 0 else "falling" if heading < 0 else "level"
    return PawlEnd(
        part=pawl.part,
        joint=pawl.joint,
        standing=standing,
        angle=pawl.sense * angle,
        largest_angle=pawl.sense * largest,
        touched=past,
        over_a_top=_over_a_top(ways),
    )


def climbing_at_the_end(fastener: Fastener, run: LegRun) -> tuple[str, ...]:
    """Pawls that a run leaves on the way up to a top that they have not passed."""
    ends = (_pawl_end(pawl, [[each]]) for pawl, each in zip(fastener.pawls, run.pawl_runs, strict=True))
    return tuple(pawl.part for pawl in ends if pawl.standing == "climbing" and not _bent_again(pawl))


def _bent_again(pawl: PawlEnd) -> bool:
    """Whether it stands on a ramp or a flat behind a top at which it was bent more."""
    less = abs(pawl.largest_angle) > abs(pawl.angle) + HIGHER
    return pawl.standing in ("climbing", "level") and pawl.over_a_top and less


def _led_off(pawl: PawlEnd) -> bool:
    """Whether it has come down the way it was bent, or is about to, past nothing."""
    bent = abs(pawl.largest_angle) > HIGHER
    return pawl.standing in ("at_rest", "falling") and bent and not pawl.over_a_top


def _other(contact: str, part: str) -> str:
    """The part that a pawl touches in a contact."""
    first, second = (end.split("/")[0].split(".")[0] for end in contact.split(":"))
    return first if second == part else second


def _answer(
    fastener: Fastener, leg: LegRun, pawls: tuple[PawlEnd, ...], ask: AskMate
) -> tuple[InsertionAnswer, str]:
    obstacles = list(dict.fromkeys(leaf.part for pawl in fastener.pawls for leaf, _ in pawl.obstacles))
    blocked = leg.cause == "blocked"
    if ask.depth is not None:
        return _by_depth(fastener, leg, pawls, ask.depth)
    if leg.cause not in ("done", "blocked"):
        return "no", _stuck(leg, pawls)
    if all(pawl.standing == "untouched" for pawl in pawls):
        if blocked:
            return "no", f"{fastener.root} itself is blocked before any pawl touches"
        if not obstacles:
            return "nothing touched", "no fixed part that a pawl may touch has a shape"
        return "nothing touched", _untouched(fastener, leg, obstacles)
    bent = [pawl for pawl in pawls if pawl.standing in ("climbing", "level") and not _bent_again(pawl)]
    if blocked:
        climbing = [pawl for pawl in bent if pawl.standing == "climbing"]
        if climbing:
            return "no", f"{fastener.root} itself is blocked while {_bent(climbing)}"
        rest = "; ".join(_standings(pawls))
        return "yes", f"as far as it goes: {fastener.root} itself is blocked; {rest}"
    off = [pawl for pawl in pawls if _led_off(pawl)]
    if off and not blocked:
        others = _standings([pawl for pawl in pawls if pawl not in off and pawl.standing != "untouched"])
        return "not yet", "; ".join([_came_off(pawl) for pawl in off] + others)
    if bent:
        where = "ramp" if bent[0].standing == "climbing" else "flat"
        return "not yet", f"the push ends on the {where}: {_bent(bent)}"
    untouched = [pawl.part for pawl in pawls if pawl.standing == "untouched"]
    if untouched:
        rest = "; ".join(_standings([pawl for pawl in pawls if pawl.standing != "untouched"]))
        return "not yet", f"{listed(untouched)} {_has(untouched)} touched nothing so far; {rest}"
    return "yes", "; ".join(_standings(pawls))


def _untouched(fastener: Fastener, leg: LegRun, obstacles: list[str]) -> str:
    """How far the pawls, all at rest, are from what they might touch when the push ends."""
    from shapely.affinity import translate

    distance, part, other = min(
        (
            translate(leaf.region, *slice_.hinge_at(float(leg.end))).distance(obstacle.region),
            pawl.part,
            obstacle.part,
        )
        for pawl, slice_ in zip(fastener.pawls, leg.slices, strict=True)
        for leaf in pawl.leaves
        for obstacle, _ in pawl.obstacles
    )
    if distance <= TOUCHES * fastener.size:
        return f"the push ends just where {part} comes to {other}"
    verb = "is" if len(obstacles) == 1 else "are"
    question = f"{verb} {listed(obstacles)} where {_it(obstacles)} should be?"
    return f"{question} In the end {part} is {distance:.6g}{fastener.units.length} away from {other}"


def _by_depth(
    fastener: Fastener, leg: LegRun, pawls: tuple[PawlEnd, ...], depth: Number
) -> tuple[InsertionAnswer, str]:
    """Whether it went as deep as asked, and how the pawls stand there; a jam on the way is a no, and so is a
    root that is itself blocked there: no longer push takes it deeper."""
    asked_for = f"the {float(depth):.12g}{fastener.units.length} asked for"
    stuck = leg.cause not in ("done", "blocked")
    climbing = [pawl for pawl in pawls if pawl.standing == "climbing" and not _bent_again(pawl)]
    others = [pawl for pawl in pawls if pawl not in climbing]
    how = [*([_bent(climbing)] if climbing else []), *_standings(others)]
    blocked = [f"{fastener.root} itself is blocked"] * (leg.cause == "blocked")
    standing = ", ".join(blocked + how)
    if _as_deep(fastener, leg, depth):
        end = f"then {_stuck(leg, pawls)}" if stuck else standing
        return "yes", f"as deep as {asked_for}, or deeper; {end}"
    if stuck:
        return "no", f"{_stuck(leg, pawls)}, short of {asked_for}"
    if blocked:
        return "no", f"{blocked[0]} short of {asked_for}; {', '.join(how)}"
    return "not yet", f"less than {asked_for}; {', '.join(how)}"


def _as_deep(fastener: Fastener, leg: LegRun, depth: Number) -> bool:
    """Whether it is so far along the first leg's direction, exactly: that may be the root of a rational."""
    (x, y), (sx, sy), (vx, vy) = first_direction(fastener), leg.line.shift, leg.line.velocity
    along, goal = real(sx * x + sy * y) + leg.end * real(vx * x + vy * y), flint_of(depth)
    return bool(along.sign() > 0 and (along * along - real(goal * goal * (x * x + y * y))).sign() >= 0)


def _stuck(leg: LegRun, pawls: tuple[PawlEnd, ...]) -> str:
    held = [pawl.part for pawl in pawls if pawl.standing == "held"]
    names = listed(held)
    if leg.cause == "stick":
        return f"friction holds {names} fast"
    if leg.cause == "limit":
        return f"{names} {'comes' if len(held) == 1 else 'come'} to a limit"
    balanced = [
        pawl_run.events[-1]
        for pawl_run in leg.pawl_runs
        if pawl_run.events and pawl_run.events[-1].reason == "balanced"
    ]
    if balanced:
        return f"{names} {'jams' if len(held) == 1 else 'jam'} on a knife edge: both sides are open"
    return f"{names} {'jams' if len(held) == 1 else 'jam'}"


def _standings(pawls: tuple[PawlEnd, ...] | list[PawlEnd]) -> list[str]:
    """How the pawls stand, those that stand alike together."""
    sentences = []
    sentences += [_came_off(pawl) for pawl in pawls if _led_off(pawl)]
    pawls = [pawl for pawl in pawls if not _led_off(pawl)]
    at_rest = [pawl for pawl in pawls if pawl.standing == "at_rest"]
    if at_rest:
        past = listed(list(dict.fromkeys(name for pawl in at_rest for name in pawl.touched)))
        who = _who([pawl.part for pawl in at_rest], len(at_rest) == len(pawls))
        verb = "is" if len(at_rest) == 1 else "are"
        sentences.append(f"{who} {verb} past {past} and back at rest")
    again = [pawl for pawl in pawls if _bent_again(pawl)]
    for standing, words in (
        ("falling", "past the top, still bent"),
        ("level", "bent"),
        ("untouched", "untouched"),
    ):
        alike = [pawl for pawl in pawls if pawl.standing == standing and pawl not in again]
        for pawl in alike:
            angle = "" if standing == "untouched" else f" {math.degrees(pawl.angle):.3g}°"
            sentences.append(f"{pawl.part} is {words}{angle}")
    for pawl in again:
        top, angle = (f"{math.degrees(each):.3g}°" for each in (pawl.largest_angle, pawl.angle))
        where = "the next ramp" if pawl.standing == "climbing" else "the flat behind it"
        sentences.append(f"{pawl.part} is past a top of {top} and on {where}, bent {angle}")
    return sentences


def _came_off(pawl: PawlEnd) -> str:
    """Of a pawl that legs led off again what bent it."""
    top, touched = f"{math.degrees(pawl.largest_angle):.3g}°", listed(list(pawl.touched))
    comes, now = "has come", "back at rest"
    if pawl.standing == "falling":
        comes, now = "is coming", f"still bent {math.degrees(pawl.angle):.3g}°"
    return f"{pawl.part}, bent {top} by {touched}, {comes} off again the same way, past nothing, {now}"


def _bent(pawls: list[PawlEnd]) -> str:
    return ", ".join(f"{pawl.part} is bent {math.degrees(pawl.angle):.3g}°" for pawl in pawls)


def _who(names: list[str], all_: bool) -> str:
    if all_ and len(names) == 2:
        return "both pawls"
    return f"all {len(names)} pawls" if all_ and len(names) > 2 else listed(names)


def _it(names: list[str]) -> str:
    return "it" if len(names) == 1 else "they"


def _has(names: list[str]) -> str:
    return "has" if len(names) == 1 else "have"
