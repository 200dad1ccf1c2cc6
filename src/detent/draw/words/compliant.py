"""The answer of `detent mate` for parts that give way: does it go in, with what force, then leg by leg."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from detent.draw.words.pegs.mated import words as peg_words
from detent.foundation.names import listed
from detent.foundation.units import UnitNames, measured, unit_names
from detent.record.compliant_mating import ClassicHook, CompliantLeg, CompliantMating, HookBending

# Of the largest push: a force across it that is rounding, as of two hooks that face each other.
_NOTHING = 1e-9


def words(mating: CompliantMating, title: str) -> str:
    """The report for a person."""
    if mating.connections and mating.connections[0].get("kind") == "peg":
        return peg_words(mating, title)
    units = unit_names(mating.units)
    lines = [title, f"  goes in    {mating.insertion.answer}: {mating.insertion.why}"]
    lines += [line for connection in mating.connections for line in _connection(connection)]
    for number, leg in enumerate(mating.legs, 1):
        lines.append(f"leg {number}, from {leg.start:.6g}{units.time}")
        lines += [f"  {line}" for line in _leg(leg, units)]
    lines += classic_lines(mating.classic, mating.legs[0].force.peak if mating.legs else None, units)
    scope = mating.scope
    lines += [scope.words, *(f"  left out: {each}" for each in scope.left_out)]
    return "\n".join([*lines, *(f"  assumed: {each}" for each in scope.assumed)])


def _connection(connection: Mapping[str, Any]) -> list[str]:
    """What a ring or a hook is, from its own plain data: `said` are lines for a person."""
    said: Any = connection.get("said", ())
    kind = str(connection.get("kind", ""))
    return [f"  {kind if k == 0 else '':<10} {line}" for k, line in enumerate(said)]


def _leg(leg: CompliantLeg, units: UnitNames) -> list[str]:
    lines = []
    for event in leg.events:
        before, after = (listed(list(names)) or "nothing" for names in (event.before, event.after))
        change = before if before == after else f"{before} -> {after}"
        told = f": {event.detail}" if event.detail else ""
        lines.append(f"{_where(event.travel, units)}  {event.kind:<8} {change}{told}")
    lines.append(f"{_where(leg.end.travel, units)}  ends: {leg.end.cause}")
    force = leg.force
    peak = _force(force.peak, units)
    lines.append(f"largest push   {peak} at a travel of {force.peak_at_travel:.6g}{units.length}")
    if isinstance(force.plateau, float):
        lines.append(f"in the bore    {_force(force.plateau, units)}")
    if force.pull_in < 0 and force.pull_in_at_travel is not None:
        where = f"{force.pull_in_at_travel:.6g}{units.length}"
        lines.append(f"drawn on with    {_force(-force.pull_in, units)} at a travel of {where}")
    if force.peak_lift is not None and force.peak_lift <= _NOTHING * abs(force.peak):
        lines.append("held off with  nothing across the push")
    elif force.peak_lift is not None:
        lines.append(f"held off with  {_force(force.peak_lift, units)} at most, across the push")
    if force.lateral:
        there, most = (
            measured(abs(m or 0.0), units.torque.strip()) for m in (force.moment, force.moment_most)
        )
        moment = f", with {there} there; tilted with {most} at most" if force.moment_most else ""
        lines.append(f"pushed aside   with {_force(abs(force.lateral), units)} at most{moment}")
    if force.dissipated:
        lines.append(f"lost in jumps  {force.dissipated:.6g}{units.energy}")
    lines += [line for bent in leg.bending for line in bending_lines(bent, units)]
    if math.isfinite(force.work):
        lines.append(f"work           {force.work:.6g}{units.energy}")
    return lines


def bending_lines(bent: HookBending, units: UnitNames) -> list[str]:
    """Stress and strain of a hook's beam, beside what its material allows."""
    stress = f"{bent.stress / 1e6:.4g} MPa" if units.length else f"{bent.stress:.4g}"
    where = f"{bent.from_root:.4g}{units.length} from the root"
    lines = [f"{bent.joint:<14} bends to {stress}, a strain of {100 * bent.strain:.3g} %, {where}"]
    if bent.force:
        aside = f"{bent.deflection:.4g}{units.length} aside at its tip"
        lines.append(f"{'':<14} by {_force(bent.force, units)} across it, {aside}")
    for allowed, safety, force, how in (
        (bent.strain_once, bent.safety_once, bent.force_once, "once"),
        (bent.strain_repeated, bent.safety_repeated, bent.force_repeated, "again and again"),
    ):
        if allowed is not None and safety is not None:
            verdict = "" if safety >= 1 else ": exceeded"
            most = f" ({force:.4g}{units.force} across it)" if force else ""
            words = f"{100 * allowed:.3g} % are allowed {how}{most}, safety {safety:.3g}{verdict}"
            lines.append(f"{'':<14} {words}")
    return lines


def bending_table(units: str, legs: Sequence[Sequence[HookBending]]) -> list[tuple[str, ...]]:
    """A head, and a row for each beam and leg."""
    names = unit_names(units)
    head = ("beam", "leg", "strain", "allowed once", "safety", "again and again", "safety", "across it")
    rows: list[tuple[str, ...]] = [head]
    for number, leg in enumerate(legs, 1):
        for bent in leg:
            allowed = [
                f"{100 * value:.3g} %" if value is not None else "not said"
                for value in (bent.strain_once, bent.strain_repeated)
            ]
            safe = [
                f"{value:.3g}" if value is not None else ""
                for value in (bent.safety_once, bent.safety_repeated)
            ]
            strain, across = f"{100 * bent.strain:.3g} %", _force(bent.force, names)
            rows.append((bent.joint, str(number), strain, allowed[0], safe[0], allowed[1], safe[1], across))
    return rows


def classic_lines(hooks: tuple[ClassicHook, ...], found: float | None, units: UnitNames) -> list[str]:
    """What calculators say of these hooks, beside the largest push of the first leg."""
    lines = []
    for k, hook in enumerate(hooks):
        head = f"{'by the classic formulas' if k == 0 else '':<23}"
        lines.append(
            f"{head} {hook.joint}: {hook.undercut:.4g}{units.length} of undercut "
            f"{hook.length:.4g}{units.length} from the root: {_force(hook.force, units)} across it, "
            f"a strain of {100 * hook.strain:.3g} %, "
            f"in {_locks(hook.mating, units)}, out {_locks(hook.retention, units)}"
        )
        lines += [f"{'':<23} out of their range: {why}" for why in hook.outside]
    known = [hook.mating for hook in hooks if hook.mating is not None]
    if found is not None and math.isfinite(found) and known and len(known) == len(hooks):
        share = 100 * (found / sum(known) - 1)
        lines.append(f"{'':<23} followed, the way in takes {_force(found, units)}, {share:+.3g} %")
    return lines


def _locks(force: float | None, units: UnitNames) -> str:
    return "never, friction locks" if force is None else f"{_force(force, units)}"


def _force(value: float, units: UnitNames) -> str:
    return "without bound" if math.isinf(value) else f"{value:.6g}{units.force}"


def _where(travel: float | None, units: UnitNames) -> str:
    return "" if travel is None else f"{travel:z10.4f}{units.length}"
