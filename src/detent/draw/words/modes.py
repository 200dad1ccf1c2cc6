"""Contact modes in words, tables and JSON: what `detent modes` prints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from msgspec import structs

from detent.contact.contacts import Contacts
from detent.contact.modes.enumerate import count_scope
from detent.contact.modes.mode import Mode, ModeSet
from detent.contact.modes.nonlinear import round_modes
from detent.contact.touching.near import PairGap
from detent.draw.chart import modes as modes_picture
from detent.draw.paper.picture import write
from detent.draw.paper.report import Section
from detent.draw.words.answer import Answer
from detent.foundation.names import listed as and_listed
from detent.foundation.units import outward, unit_names
from detent.numeric.arrangement.complex import EQUAL
from detent.record.modes import ConsistentMode, ConsistentModes, ModesAnswer, NearMiss
from detent.record.scope import Scope
from detent.record.verdict import Verdict

SHOWN = 40  # lines of a table on the screen; --json and --csv have them all


def listed(modes: ModeSet, title: str, near: Sequence[PairGap] = ()) -> Answer:
    """All modes; `near` are pairs of parts that almost touch."""
    answer = structs.replace(modes.answer(), nearest=near_pairs(near))
    body = [f"{title}: {counts(answer)}", *_table(modes), *places(modes)]
    if not len(modes.contacts):
        body = [f"{title}: nothing touches{_nearest(near)}"]
        if len(modes):
            body.append("  one mode, |: no contact hinders any motion")
    return Answer(
        data=answer,
        text="\n".join([*body, answer.scope.words, *left_out(answer.scope)]),
        csv=modes.to_csv,
        plot=lambda kind: write(modes_picture.lattice(modes), kind),
        sections=lambda: _sections(modes, answer),
        title=title,
        notes=[*_notes(answer), *_almost(len(modes.contacts), near)],
    )


def _nearest(near: Sequence[PairGap]) -> str:
    return f"; nearest: {near[0].words}" if near else ""


def _almost(contacts: int, near: Sequence[PairGap]) -> list[str]:
    """Pairs beside the contacts that there are."""
    return [f"{each.words}: not a contact" for each in near] if contacts else []


def near_pairs(near: Sequence[PairGap]) -> tuple[NearMiss, ...]:
    """As an answer keeps them."""
    return tuple(NearMiss(first=each.first, second=each.second, gap=each.gap) for each in near)


def rounded(modes: ModeSet, title: str) -> Answer:
    unions = round_modes(modes)
    lines = "\n".join(unions.texts[:SHOWN])
    more = f"\n… and {len(unions) - SHOWN} more" if len(unions) > SHOWN else ""
    counts = {"contacting_separating": modes.contacting_separating, "all": len(unions)}
    words = f"{many(len(unions), 'mode')} of the round cone, unions of {len(modes)}"
    scope = modes.answer().scope
    return Answer(
        data={
            "counts": counts,
            "modes": list(unions.texts),
            "rank": modes.rank,
            "cone": "nonlinear",
            "contacts": [site.name for site in modes.contacts.sites],
            "scope": scope,
        },
        text="\n".join(
            [f"{title}: {words}", f"{lines}{more}", *places(modes), scope.words, *left_out(scope)]
        ),
        csv=lambda: "mode\n" + "\n".join(unions.texts) + "\n",
        title=title,
    )


def left_out(scope: Scope) -> list[str]:
    """What a list of modes leaves out beside what no such list counts."""
    named = [each for each in scope.left_out if each not in ("masses", "forces")]
    return [f"left out: {', '.join(named)}"] if named else []


def counted(
    contacts: Contacts, counts: dict[str, Any], title: str, *, exact: bool, of: str | None = None
) -> Answer:
    """`of` is the one contacting/separating mode that was counted."""
    lattice = many(counts["contacting_separating"], "contacting/separating mode")
    if of is not None:
        words = f"{many(counts['all'], 'mode')} of {of.partition('|')[0].strip()}"
    else:
        words = lattice if counts["all"] is None else f"{many(counts['all'], 'mode')} in {lattice}"
    return _number({"counts": counts}, f"{title}: {words}", title, count_scope(contacts, exact))


def partly_counted(
    contacts: Contacts, total: int, lattice: int, every: int, title: str, *, exact: bool
) -> Answer:
    """A count that was interrupted: what it had by then is a lower bound."""
    words = f"interrupted: at least {total} modes, in {lattice} of {every} contacting/separating modes"
    counts = {"contacting_separating": lattice, "all": total}
    scope = count_scope(contacts, exact)
    return _number({"counts": counts, "complete": False}, f"{title}: {words}", title, scope)


def _number(data: dict[str, Any], words: str, title: str, scope: Scope) -> Answer:
    text = "\n".join([words, scope.words, *left_out(scope)])
    return Answer(data={**data, "scope": scope}, text=text, title=title)


def moved(answer: ConsistentModes, title: str, *, whole: bool, near: Sequence[PairGap] = ()) -> Answer:
    """None, one or several motions under a load; `whole` says that no mode was left out of the question."""
    lines = [f"{title}: {_motions(answer, whole)}"]
    if near:
        answer = structs.replace(answer, nearest=near_pairs(near))
    nothing = "" if answer.contacts else _nearest(near)
    for each in answer.consistent:
        edge = " (on the edge)" if each.on_the_edge else ""
        lines.append(f"  {each.mode}  {states(each.states)}{nothing}{edge}")
        lines += [
            f"    {line}" for line in (*_accelerations(each, answer.units), *_normal_forces(each, answer))
        ]
    lines.append(answer.scope.words)
    rows = [
        (
            m.mode,
            states(m.states),
            "; ".join(_accelerations(m, answer.units)),
            "; ".join(_normal_forces(m, answer)),
        )
        for m in answer.consistent
    ]
    return Answer(
        data=answer,
        text="\n".join(lines),
        sections=lambda: [
            Section("Motions", rows=rows, head=("mode", "contacts", "acceleration", "normal forces")),
            Section("Assumptions", rows=[(each,) for each in answer.assumptions], head=("taken as given",)),
        ],
        title=title,
        question=f"Which contact modes go with the load {vector(answer.load)}{_load_unit(answer.units)},"
        " weights included?",
        notes=[
            *_almost(len(answer.contacts), near),
            *(f"assumed: {each}" for each in answer.assumptions),
            f"left out: {', '.join(answer.scope.left_out)}",
        ],
    )


def _load_unit(units: str) -> str:
    names = unit_names(units)
    return f" [N, N{names.length}]" if names.force.strip() else ""


def _accelerations(motion: ConsistentMode, units: str) -> list[str]:
    """By part, what its centre and its rotation do."""
    names = unit_names(units)
    lines = []
    for part, of_centre in motion.acceleration_of_centre.items():
        linear = f"{vector(of_centre.linear)}{names.acceleration}"
        turn = of_centre.angular[0] if len(of_centre.angular) == 1 else of_centre.angular
        angular = f"{turn:.4g}" if isinstance(turn, float) else vector(turn)
        if not of_centre.determined:
            low, high = zip(*of_centre.linear_range, strict=True)
            least, most = zip(*of_centre.angular_range, strict=True)
            linear_range = f"{_bounds(low, high)}{names.acceleration}"
            lines.append(
                f"{part}: its centre accelerates {linear_range},"
                f" its rotation {_bounds(least, most)}{names.angular_acceleration},"
                f" one of many: {linear} and {angular}{names.angular_acceleration}"
            )
        elif not any(of_centre.linear) and not any(of_centre.angular):
            lines.append(f"{part}: no acceleration")
        else:
            lines.append(
                f"{part}: its centre accelerates by {linear},"
                f" its rotation by {angular}{names.angular_acceleration}"
            )
    return lines or [f"acceleration {vector(motion.acceleration)}"]


def _bounds(low: Sequence[float], high: Sequence[float]) -> str:
    """`between (0, 0) and (0, 2.69)`, rounded outward; or `by (0, 1)` where both are one."""
    if tuple(low) == tuple(high):
        return f"by {vector(low) if len(low) > 1 else amount(low[0])}"
    finite = [abs(end) for end in (*low, *high) if math.isfinite(end)]
    noise = EQUAL * max(finite, default=0.0)  # what rounding leaves of a zero
    ends = []
    for side, end in ((-1, low), (1, high)):
        rounded = [
            0.0 if abs(x) < noise else x if least == most else outward(x, side)
            for x, least, most in zip(end, low, high, strict=True)
        ]
        ends.append(vector(rounded) if len(rounded) > 1 else amount(rounded[0]))
    return f"between {ends[0]} and {ends[1]}"


def _normal_forces(motion: ConsistentMode, answer: ConsistentModes) -> list[str]:
    """By contact that touches: a number where statics determines it, else its range."""
    lines, unit = [], unit_names(answer.units).force
    for i, (state, force, ends, sure) in enumerate(
        zip(motion.states, motion.normal, motion.normal_range, motion.determined, strict=True)
    ):
        if state == "separating":
            continue
        lines.append(f"normal force {i}, {answer.contacts[i]}: {force_in_words(force, ends, sure, unit)}")
    more = len(lines) - SHOWN
    return [*lines[:SHOWN], f"… and {more} more"] if more > 0 else lines


def force_in_words(value: float, ends: tuple[float, float], sure: bool, unit: str = "") -> str:
    """A force where statics determines it, else between what and what, rounded outward."""
    if sure:
        return f"{value:.4g}{unit}"
    low, high = outward(ends[0], -1), outward(ends[1], 1)
    if math.isinf(high):
        return f"{low:.4g}{unit} or more, without bound; one of many: {value:.4g}{unit}"
    return f"between {low:.4g} and {high:.4g}{unit}, one of many: {value:.4g}{unit}"


def _motions(answer: ConsistentModes, whole: bool) -> str:
    count = len(answer.consistent)
    if answer.answer == "edge":
        modes = and_listed([each.mode for each in answer.consistent])
        return f"on the edge: the load is too near a threshold to tell its side, and {modes} may follow"
    if not count and not whole:
        return "none of these modes goes with this load"
    if not count:
        return (
            "no mode goes with this load: rigid parts with Coulomb friction have no finite acceleration here"
        )
    if count == 1:
        return "one mode goes with this load"
    return f"{count} modes go with this load, so that it does not decide the motion"


def grasped(verdict: Verdict, title: str, near: Sequence[PairGap] = ()) -> Answer:
    """Whether contacts hold a load; `near` are pairs that almost touch, beside them."""
    lines = [f"{title}: {verdict.answer}", *(f"  {e.statement}" for e in verdict.evidence[:SHOWN])]
    lines.append(verdict.scope.words)
    assumed = [(each,) for each in verdict.assumptions]
    return Answer(
        data=verdict,
        text="\n".join(lines),
        sections=lambda: [Section("Assumptions", rows=assumed, head=("taken as given",))],
        title=title,
        question=verdict.question[:1].upper() + verdict.question[1:],
        notes=[
            *(f"{each.words}: not a contact" for each in near),
            *(f"assumed: {each}" for each in verdict.assumptions),
            *([f"left out: {', '.join(verdict.scope.left_out)}"] if verdict.scope.left_out else []),
        ],
    )


def words_of(mode: Mode) -> str:
    """`0 and 2 stick, 1 slides, 3 separates`."""
    return states(mode.state(i) for i in range(len(mode.modes.contacts)))


def states(of_contacts: Iterable[str]) -> str:
    by: dict[str, list[str]] = {}
    for i, state in enumerate(of_contacts):
        by.setdefault(state, []).append(str(i))
    verbs = {
        "sticking": ("sticks", "stick"),
        "sliding": ("slides", "slide"),
        "touching": ("touches", "touch"),
        "separating": ("separates", "separate"),
    }
    said = [
        f"{and_listed(who)} {verb[len(who) > 1]}" for state, verb in verbs.items() if (who := by.get(state))
    ]
    return ", ".join(said) if said else "nothing touches"


def counts(answer: ModesAnswer) -> str:
    lattice = many(answer.counts.contacting_separating, "contacting/separating mode")
    if answer.counts.all is None:
        return f"{lattice}, rank {answer.rank}"
    return f"{many(answer.counts.all, 'mode')} in {lattice}, rank {answer.rank}"


def many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _table(modes: ModeSet) -> list[str]:
    shown = [modes[text] for text in modes.texts[:SHOWN]]
    width = max([len(mode.text) for mode in shown] + [4])
    lines = [f"  {'mode':<{width}}  dim  contacts (dim: dimension of the velocities that have the mode)"]
    lines += [f"  {mode.text:<{width}}  {mode.dimension:>3}  {words_of(mode)}" for mode in shown]
    if len(modes) > SHOWN:
        lines.append(f"  … and {len(modes) - SHOWN} more: --json or --csv has them all")
    return lines


def places(modes: ModeSet) -> list[str]:
    """Which contact is which, in the order of signs; nothing where rows say nothing of it."""
    sites, length = modes.contacts.sites, unit_names(modes.contacts.units).length
    lines = [
        f"  {i:>2}  {site.name}  at {vector(site.point)}{length}, normal {vector(site.unit_normal)}"
        for i, site in enumerate(sites)
        if site.point
    ]
    more = [f"  … and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return ["contacts, in the order of signs:", *lines[:SHOWN], *more] if lines else []


def _sections(modes: ModeSet, answer: ModesAnswer) -> list[Section]:
    shown = [(m.text, str(m.dimension), words_of(m)) for m in (modes[t] for t in modes.texts[:SHOWN])]
    dimensions = [(str(int(k) + answer.unnoticed), str(n)) for k, n in answer.by_rank.items()]
    if not len(modes):
        return []
    sections = [
        Section("By dimension", svg=write(modes_picture.lattice(modes), "svg").decode()),
        Section("Modes", rows=shown, head=("mode", "dimension", "contacts")),
        Section("How many", rows=dimensions, head=("dimension", "modes")),
    ]
    if answer.contacts:
        rows = [(str(i), name) for i, name in enumerate(answer.contacts)]
        sections.append(Section("Contacts", rows=rows, head=("number", "between")))
    return sections


def _notes(answer: ModesAnswer) -> list[str]:
    notes = []
    if answer.exact and answer.flagged:
        notes.append(
            f"{answer.flagged} decisions were too close for floating point; integers decided all of them"
        )
    return notes + [f"approximated rotation, {each}" for each in answer.taken]


def vector(v: Any) -> str:
    """Four digits of the longest; what rounding leaves of a zero is a zero."""
    values = np.asarray(v, float)
    longest = np.abs(values[np.isfinite(values)]).max(initial=0.0)
    values = np.where(np.abs(values) < EQUAL * longest, 0.0, values)
    return "(" + ", ".join(map(amount, values)) + ")"


def amount(x: float) -> str:
    """Four digits; what has no bound is called so."""
    return f"{x:.4g}" if math.isfinite(x) else "unbounded"
