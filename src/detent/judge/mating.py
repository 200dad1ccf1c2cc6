"""Does it go together, with what force, and does it come apart?

Donald & Pai 1992, sections 3 and 8. A fastener is a diode when the push that
assembles it, reversed, does not take it apart: *kinematic* when even without
friction, *friction* when only with it, *force* when it does come apart but
needs a multiple of the force. A direction disassembles when the straight run
from the assembled state enters the goal before a jam, a stick or a collision.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal, overload

from msgspec import UNSET, UnsetType, structs

from detent.foundation.errors import ModelError, Problem, UnsupportedError
from detent.foundation.progress import doing, reached
from detent.geometry.outline import fault
from detent.judge.apart import Apart, counts_as_apart, way_back
from detent.judge.compliant.answer import compliant_mating_of
from detent.judge.diodes.fan import FanOfPulls
from detent.judge.diodes.friction import holding_friction
from detent.judge.diodes.margin import margin_of
from detent.judge.diodes.pulls import crosses, escaped, family_of, pulled, without_friction
from detent.judge.further_out import touches_after, way_ahead
from detent.judge.hinges.strained import exactly, hinges_asked, with_strains
from detent.judge.insertion import insertion, insertion_legs
from detent.judge.led.answer import led_mating_of
from detent.judge.mating_scope import mating_scope
from detent.judge.pegs.followed import with_depth
from detent.judge.pegs.mated import no_peg, peg_asked, peg_mating
from detent.judge.round_pegs.answer import mating_of_rigid
from detent.judge.uncertain.outcomes import uncertain_outcomes
from detent.judge.wedged import wedges
from detent.model.document.ask import AskMate
from detent.model.document.mechanism import Mechanism
from detent.model.machine.touching import TouchingPairs
from detent.motion.combined.combined_run import combination
from detent.motion.combined.method import Combined
from detent.motion.compliant.compliant_run import CompliantRun
from detent.motion.compliant.led.led_run import CoupledRun, refuse_unmet
from detent.motion.compliant.method import Compliant
from detent.motion.methods import chosen, method_of
from detent.motion.quasistatic.answer.crossing import overlapping
from detent.motion.quasistatic.answer.report import near_limits
from detent.motion.quasistatic.decide import DecidedRuns
from detent.motion.quasistatic.exact.legs import (
    LegRun,
    parallel_ratio,
    refuse_start,
)
from detent.motion.quasistatic.fastener_run import FastenerRun
from detent.motion.quasistatic.machine.fasteners import Fastener, fastener
from detent.motion.quasistatic.method import Quasistatic
from detent.motion.rigid.mating.mating_run import prepared
from detent.motion.rigid.method import Rigid
from detent.numeric.polynomial.algebraic import real
from detent.record.amount import Amount, Force
from detent.record.compliant_mating import CompliantMating
from detent.record.holding.fan import Fan
from detent.record.holding.friction import HoldsBelow
from detent.record.holding.margin import Margin
from detent.record.led.mating import LedMating
from detent.record.led.rigid import RigidMating
from detent.record.mating import IN_GOAL, LEADS_AWAY, Diode, Escape, ForceRatio, Mating, WayBack
from detent.record.run import Run

MatingMethod = Quasistatic | Compliant | Combined | Rigid
AnyMating = Mating | CompliantMating | LedMating | RigidMating

MOST_DIGITS = 1000  # of forces between proved numbers
FORCE_RATIO = 2  # of a force diode: out over in, unless the document says otherwise
OPEN = (
    "whether it is in is open, so what holds it is not told; `diode` has what straight pulls do, "
    "each pawl by itself"
)
NOT_IN = "it is not in, so what holds it is not told; `diode` has what straight pulls from where it ends do"


@overload
def mate(mechanism: Mechanism, *, method: Quasistatic) -> Mating: ...
@overload
def mate(mechanism: Mechanism, *, method: Compliant) -> CompliantMating | LedMating: ...
@overload
def mate(mechanism: Mechanism, *, method: Combined) -> LedMating: ...
@overload
def mate(mechanism: Mechanism, *, method: Rigid) -> RigidMating: ...
@overload
def mate(mechanism: Mechanism, *, method: MatingMethod | None = None) -> AnyMating: ...
def mate(mechanism: Mechanism, *, method: MatingMethod | None = None) -> AnyMating:
    """The whole run of a plan: a fastener's decided exactly unless the float filter is asked for, that of
    parts that give way computed."""
    if method is not None:
        chosen(method, "mate")
    document = hinges_asked(mechanism, method)
    if document is not None:
        return with_strains(mate(document.mechanism, method=exactly(document.mechanism, method)), document)
    asked_for = method_of(mechanism, "mate")
    by = method if method is not None else asked_for
    chosen(by, "mate")
    if isinstance(by, Rigid):
        return mating_of_rigid(by.predict(mechanism))
    if isinstance(by, Combined):
        return led_mating_of(by.predict(mechanism))
    if method is None or isinstance(by, Compliant):
        peg = peg_asked(mechanism)
        if peg is not None:
            return peg_mating(mechanism, peg)
    if isinstance(by, Compliant):
        try:
            run = by.predict(mechanism)
        except UnsupportedError as refused:
            raise no_peg(mechanism) or refused from None
        if isinstance(run.evidence, CoupledRun):
            return led_mating_of(run)
        assert isinstance(run.evidence, CompliantRun)
        return with_depth(mechanism, run.evidence, compliant_mating_of(run))
    _refuse_unanswered(_asked(mechanism))
    return mating_of(by.predict(mechanism))


def refusals(mechanism: Mechanism) -> tuple[Problem, ...]:
    """Why `mate` would not answer for a document, before anything is computed; nothing where it would."""
    try:
        document = hinges_asked(mechanism, None)
        mechanism = mechanism if document is None else document.mechanism
        by = method_of(mechanism, "mate")
        if isinstance(by, Rigid):
            prepared(mechanism)
            return ()
        if isinstance(by, Combined):
            combination(mechanism)
            return ()
        if peg_asked(mechanism) is not None:
            return ()
        if isinstance(by, Compliant):
            refuse_unmet(mechanism)
            return ()
        _refuse_unanswered(_asked(mechanism))
        refuse_start(fastener(mechanism))
    except ModelError as error:
        return error.problems
    except UnsupportedError as error:
        return (error.problem,)
    return ()


def mating_of(run: Run) -> Mating:
    """The answer of `detent mate` from a quasi-static run; directions out are decided from its states."""
    evidence = run.evidence
    assert isinstance(evidence, FastenerRun)
    mechanism, exact, plan = evidence.mechanism, evidence.exact, evidence.plan
    pairs = TouchingPairs(mechanism)
    with doing("forces"):
        stories = evidence.stories
    notes = [
        *evidence.fastener.notes,
        *plan.notes,
        *near_limits(evidence.fastener, plan.legs),
        *overlapping(evidence.fastener, plan.legs, pairs),
    ]
    runs = evidence.runs
    diode: Diode | None = None
    pulls: tuple[LegRun, ...] = ()
    inserting = insertion_legs(evidence)
    inserted = insertion(evidence, _asked(mechanism))
    if inserting and inserting[-1].cause in ("done", "blocked"):
        diode, pulls = _diode(evidence, _asked(mechanism))
        notes += _untried(evidence, _asked(mechanism), diode)
        if diode is not None and inserted is not None and inserted.answer != "yes":
            notes.append(OPEN if inserted.answer == "undecided" else NOT_IN)
    elif inserting:
        notes.append(f"the insertion ends in a {inserting[-1].cause}, so what holds it is not asked")
    if runs.why:
        words = f"the float filter left {len(runs.why)} of {runs.count} runs undecided"
        notes.append(f"{words}; these are decided in exact arithmetic: {'; '.join(runs.why)}")
    asked, digits = _asked(mechanism).uncertain, _asked(mechanism).force_digits
    margin: Margin | UnsetType = UNSET
    if _asked(mechanism).margin:
        size = evidence.fastener.size
        margin = margin_of(
            mechanism,
            size,
            lambda changed: mate(changed, method=Quasistatic(exact=True)),
            _asked(mechanism).margin_steps,
        )
    return Mating(
        insertion=inserted,
        scope=mating_scope(evidence, diode, pulls),
        legs=stories if digits is None else evidence.bounded(digits),
        diode=diode,
        method=evidence.name,
        notes=tuple(notes),
        units=mechanism.units,
        uncertain=UNSET if asked is None else uncertain_outcomes(evidence, asked),
        margin=margin,
        counts={} if exact else {"runs": runs.count, "exact": runs.exact},
    ).computed_from(run)


def _asked(mechanism: Mechanism) -> AskMate:
    return mechanism.ask.mate if mechanism.ask is not None and mechanism.ask.mate is not None else AskMate()


def _refuse_unanswered(ask: AskMate) -> None:
    """Refuse what a document asks and this method would leave out."""
    if ask.uncertain is not None and ask.uncertain.start is not None:
        wrong = fault([(p[0], p[1]) for p in ask.uncertain.start.outline])
        if wrong is not None:
            raise ModelError.at("ask.mate.uncertain.start.outline", *wrong)
    if ask.force_digits is not None and ask.force_digits > MOST_DIGITS:
        words = f"{ask.force_digits} decimal places are more than forces are told to"
        raise UnsupportedError(words, f"ask for at most {MOST_DIGITS}", "ask.mate.force_digits")
    if ask.until is not None:
        words = "a plan of legs ends with its last leg, not at a time of its own"
        raise UnsupportedError(words, "leave out `until`, and give the leg its `for`", "ask.mate.until")
    if ask.goal is not None and (wrong := fault([(p[0], p[1]) for p in ask.goal.outline])) is not None:
        raise ModelError.at("ask.mate.goal.outline", *wrong)


def _diode(evidence: FastenerRun, ask: AskMate) -> tuple[Diode | None, tuple[LegRun, ...]]:
    """What a straight pull back against the first leg does, and pulls in the directions asked for.

    With the runs of these pulls, on which the answer rests as it does on the plan's legs.
    """
    runs, machine, legs = evidence.runs, evidence.fastener, insertion_legs(evidence)
    v = legs[0].line.velocity
    goal = counts_as_apart(ask, legs, machine.units.length, TouchingPairs(evidence.mechanism))
    back = (-v[0], -v[1])
    on_last_line = parallel_ratio(back, legs[-1].line.velocity) is not None
    if goal.place is None and (goal.outline is not None or not on_last_line):
        return None, ()
    smooth = without_friction(machine)
    with doing("the way back"):
        reverse, run = escaped(runs, machine, back, goal, "the way back")
        reverse_smooth, smooth_run = escaped(runs, smooth, back, goal, "the way back without friction")
        further, far_run = _further_out(runs, machine, reverse, run, goal)
    family = family_of(ask.directions) if goal.place is not None else {}
    tried = []
    with doing("directions out"):
        for k, (direction, angle) in enumerate(family.items()):
            reached(k, len(family))
            escape, pull = escaped(runs, machine, direction, goal, f"direction {k}")
            tried.append((structs.replace(escape, angle=angle), pull))
    fan: Fan | UnsetType = UNSET
    if ask.fan is not None and goal.place is not None and reverse.cause != IN_GOAL:
        fan = FanOfPulls(runs, machine, goal, ask.fan).decide()
    force = None
    if reverse.force is not UNSET:
        into = max(evidence.stories[k].force.peak for k in range(len(legs)))
        force = _ratio(into, reverse.force, ask)
    kind = _kind(reverse, reverse_smooth, force)
    escapes = tuple(escape for escape, _ in tried)
    retraced = way_back(evidence, goal)
    taken_apart = [
        *(escape.apart for escape in (reverse, *escapes)),
        retraced is not UNSET and retraced.apart,
    ]
    apart = any(taken_apart) or bool(fan and not fan.holds_all)
    total = not apart if (tried or fan) and reverse.cause != IN_GOAL else None
    if kind == "force" and force is not None and total is not None:
        total = not _gives_way_below(force, (reverse, *escapes), fan, retraced)
    diode = Diode(
        kind=kind,
        relative=kind in ("kinematic", "friction"),
        total=total,
        total_is=(_how_sure(fan) if kind != "force" else "sampled") if total else UNSET,
        fan=fan,
        holds_below=_holds_below(ask, (reverse, *escapes), fan),
        holding_friction=holding_friction(machine, goal, reverse_smooth, smooth_run, exact=evidence.exact)
        if ask.holding_friction and kind != "undecided"
        else UNSET,
        goal=goal.words,
        reverse=reverse,
        reverse_without_friction=reverse_smooth,
        directions=escapes,
        force=UNSET if force is None else force,
        asked=goal.asked or UNSET,
        way_back=retraced,
        further_out=further,
        wedged=tuple(wedge.part for wedge in wedges(evidence, legs[-1])) or UNSET,
    )
    pulls = (run, smooth_run, far_run, *(each for _, each in tried))
    return diode, tuple(each for each in pulls if each is not None)


def _gives_way_below(
    bound: ForceRatio, pulls: tuple[Escape, ...], fan: Fan | UnsetType, retraced: WayBack | UnsetType
) -> bool:
    """Whether some pull of those tried takes a force diode apart with less than makes it one."""
    enough = bound.bound * bound.insertion
    forces = [pull.force for pull in pulls if pull.apart and pull.force is not UNSET]
    forces += [piece.least for piece in fan.pieces if piece.least is not UNSET] if fan else []
    forces += [retraced.force] if retraced is not UNSET and retraced.apart else []
    return any(force < enough for force in forces)


def _holds_below(ask: AskMate, pulls: tuple[Escape, ...], fan: Fan | UnsetType) -> HoldsBelow | UnsetType:
    """Whether a force takes it out of its place, in the directions tried and those looked at of a fan."""
    if ask.holds_below is None:
        return UNSET
    forces = [
        (min(force, pull.top.force) if pull.top else force, math.atan2(*pull.direction[::-1]))
        for pull in pulls
        if pull.apart and (force := pull.force) is not UNSET
    ]
    forces += [
        (pull.top.force, math.atan2(*pull.direction[::-1])) for pull in pulls if not pull.apart and pull.top
    ]
    tried = len(pulls)
    for piece in fan.pieces if fan else ():
        tried += piece.tried
        if piece.least is not UNSET and piece.least_at is not UNSET:
            forces.append((piece.least, piece.least_at))
    least = min(forces, key=lambda each: float(each[0]), default=None)
    bound = float(ask.holds_below)
    if least is None:
        return HoldsBelow(force=bound, holds=True, tried=tried)
    return HoldsBelow(
        force=bound, holds=float(least[0]) >= bound, tried=tried, weakest=Force(least[0]), at=least[1]
    )


def _how_sure(fan: Fan | UnsetType) -> Literal["proved", "all but slivers", "sampled"]:
    if not fan:
        return "sampled"
    left = sum(piece.to - piece.from_ for piece in fan.pieces if not piece.proved)
    return "sampled" if left else "all but slivers" if fan.slivers else "proved"


def _untried(evidence: FastenerRun, ask: AskMate, diode: Diode | None) -> list[str]:
    """What is left unanswered because the insertion ends at an irrational place."""
    legs = insertion_legs(evidence)
    end = legs[-1].end
    if end.rational is not None or (diode is not None and ask.directions is None):
        return []
    what = "other directions" if diode is not None else "whether it comes apart"
    verb = "are not tried" if diode is not None else "is not answered"
    lasted = float(end) - float(legs[-1].line.start)
    return [
        f"{what} {verb}: the insertion ends at an irrational place, from which only a pull along that leg "
        f"starts exactly; give leg {len(legs)} its time instead of its `distance`: for = {lasted:.9g}"
    ]


def _kind(reverse: Escape, smooth: Escape, force: ForceRatio | None) -> str:
    if reverse.cause in (LEADS_AWAY, IN_GOAL) or crosses(reverse):
        return "undecided"
    if not reverse.apart:
        if crosses(smooth):
            return "undecided"
        return "friction" if smooth.apart else "kinematic"
    assert force is not None
    return "force" if force.extraction > 0 and force.extraction >= force.bound * force.insertion else "none"


def _further_out(
    runs: DecidedRuns, machine: Fastener, reverse: Escape, run: LegRun | None, goal: Apart
) -> tuple[Escape | UnsetType, LegRun | None]:
    """The pull back, on past where the plan begins, where something is in its way there."""
    if goal.asked or not reverse.apart or run is None:
        return UNSET, None
    ahead = way_ahead(machine, run)
    if ahead is None:
        return UNSET, None
    back = run.line.velocity
    longer = Fraction(ahead / math.hypot(*reverse.direction))
    lasts = run.end - run.line.start
    further, far = pulled(runs, machine, back, goal, lasts + real(longer), "the way back, further out")
    met = touches_after(far, far.line.start + lasts)
    return (further, far) if met else (UNSET, None)


def _ratio(into: Amount, out: Force, ask: AskMate) -> ForceRatio:
    bound = float(ask.ratio) if ask.ratio is not None else float(FORCE_RATIO)
    ratio = out / into if 0 < into < math.inf and out < math.inf else UNSET
    return ForceRatio(insertion=Force(into), extraction=out, ratio=ratio, bound=bound)
