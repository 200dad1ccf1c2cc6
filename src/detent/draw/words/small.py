"""Words of what answers are made of: trajectories, events, stops, batches, contacts, single modes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from detent.foundation.names import few
from detent.foundation.units import measured
from detent.record.scope import UNTOLD

if TYPE_CHECKING:
    from detent.contact.contacts import Contacts
    from detent.contact.forces.balancing import Balance
    from detent.contact.forces.consistent import ConsistentMotion
    from detent.contact.forces.friction import ForceCone
    from detent.contact.modes.mode import Mode
    from detent.contact.modes.velocity_cone import VelocityCone
    from detent.kinematics.paths.designs import DesignSweep
    from detent.motion.edit import Edited
    from detent.motion.quasistatic.floats.ends import Ends
    from detent.record.batch import Batch
    from detent.record.event import Event, Stop
    from detent.record.modes import ModesAnswer
    from detent.record.run import Run
    from detent.record.trajectory import Trajectory

SAME_CONTACTS = ("stick", "reversal", "limit")  # events that leave the contacts as they were
SHOWN = 20  # lines of a list; the record has them all


def trajectory(along: Trajectory) -> str:
    """What was followed over what, its events, why it stopped."""
    unit = along.unit_of_times
    lines = [f"{along.method or 'trajectory'}: {len(along.times)} rows of {along.times_are}"]
    if len(along.times):
        lines[0] += f", {measured(along.times[0], unit)} to {measured(along.times[-1], unit)}"
    if along.coordinates:
        lines.append(f"  joints     {few(list(along.coordinates), SHOWN)}")
    if along.poses:
        lines.append(f"  parts      {few(list(along.poses), SHOWN)}")
    lines += [f"  event      {event(each, unit)}" for each in along.events[:SHOWN]]
    if len(along.events) > SHOWN:
        lines.append(f"  … and {len(along.events) - SHOWN} more events")
    if along.stop is not None:
        lines.append(f"  stop       {stop(along.stop, unit)}")
    if along.certified:
        lines.append(f"  certainty  {along.certified}")
    return "\n".join([*lines, *(f"  note       {note}" for note in along.notes)])


def run(predicted: Run) -> str:
    """The words of its trajectory."""
    return trajectory(predicted.trajectory)


def event(happened: Event, unit: str = "") -> str:
    """One line: what, when (in the trajectory's unit, where it is known), where, which contacts."""
    where = f" of {happened.joint}" if happened.joint else ""
    of_joint = happened.coordinate_unit
    at = "" if happened.coordinate is None else f" at {measured(happened.coordinate, of_joint)}"
    if happened.coordinate_after is not None:
        at += f" to {measured(happened.coordinate_after, of_joint)}"
    twice = not unit and of_joint and happened.time == happened.coordinate  # times that are this coordinate
    when = "" if twice else f" at {measured(happened.time, unit)}"
    pieces = [f"{happened.kind}{when}{where}{at}"]
    if happened.kind in SAME_CONTACTS:
        pieces += [" and ".join(happened.before)] if happened.before else []
    elif happened.before or happened.after:
        before, after = (" and ".join(each) or "nothing" for each in (happened.before, happened.after))
        pieces.append(f"{before} -> {after}")
    pieces += [each for each in (happened.reason, happened.detail) if each]
    return ": ".join(pieces)


def stop(stopped: Stop, unit: str = "") -> str:
    """One line: why, when (in the trajectory's unit, where it is known), and where the joints stand."""
    units = stopped.coordinate_units
    where = ", ".join(f"{j} {measured(value, units.get(j, ''))}" for j, value in stopped.coordinates.items())
    tail = f" ({where})" if where else ""
    twice = not unit and any(
        units.get(j) and value == stopped.time for j, value in stopped.coordinates.items()
    )
    when = "" if twice else f" at {measured(stopped.time, unit)}"
    return f"{stopped.cause}{when}{tail}" + (f": {stopped.detail}" if stopped.detail else "")


def batch(designs: Batch) -> str:
    """How many designs have a whole answer, and why the others have none."""
    whole = len(designs.fine)
    lines = [
        f"{len(designs)} designs, {whole} with a whole answer; columns {few(list(designs.columns), SHOWN)}"
    ]
    reasons: dict[str, int] = {}
    for reason in designs.reasons:
        if reason:
            reasons[reason] = reasons.get(reason, 0) + 1
    lines += [
        f"  {count:>6}  {reason}" for reason, count in sorted(reasons.items(), key=lambda e: -e[1])[:SHOWN]
    ]
    if len(reasons) > SHOWN:
        lines.append(f"  … and {len(reasons) - SHOWN} more reasons")
    if designs.scope != UNTOLD:
        lines.append(f"  certainty  {designs.scope.words}")
        lines.append(f"  left out   {', '.join(designs.scope.left_out)}")
    lines += [f"  note       {note}" for note in designs.notes]
    return "\n".join(lines)


def design_sweep(designs: DesignSweep) -> str:
    """The words of its batch."""
    return batch(designs.batch)


def ends(pushed: Ends) -> str:
    """How many designs ended how, how many of them exact arithmetic decided; then the words of its batch."""
    counts = Counter(pushed.causes)
    ended = ", ".join(f"{count} {cause}" for cause, count in counts.most_common())
    exact = f"{len(pushed.exact)}, where the float filter was in doubt"
    return f"{batch(pushed.batch)}\n  ended      {ended}\n  exact      {exact}"


def contacts(held: Contacts) -> str:
    """Which contact is which, in the order of signs."""
    from detent.draw.words.modes import vector

    lines = [f"{len(held)} contacts on {held.degrees} degrees of freedom"]
    for i, (site, friction) in enumerate(zip(held.sites, held.friction, strict=True)):
        at = f" at {vector(site.point)}, normal {vector(site.unit_normal)}" if site.point else ""
        rough = "" if friction is None else f", friction {float(friction):.4g}"
        lines.append(f"  {i:>2}  {site.name}{at}{rough}")
        if i + 1 == SHOWN < len(held):
            return "\n".join([*lines, f"  … and {len(held) - SHOWN} more"])
    return "\n".join(lines)


def mode(one: Mode) -> str:
    """`mode 00|+-, dimension 1: 0 and 1 slide`."""
    from detent.draw.words.modes import words_of

    return f"mode {one.text}, dimension {one.dimension}: {words_of(one)}"


def consistent_motion(one: ConsistentMotion) -> str:
    """The mode with its acceleration and normal forces."""
    from detent.draw.words.modes import states, vector

    signs = states(one.state(i) for i in range(len(one.modes.contacts)))
    return (
        f"mode {one.text}: {signs}\n"
        f"  acceleration {vector(one.acceleration)}, normal forces {vector(one.normal)}"
    )


def velocity_cone(cone: VelocityCone) -> str:
    """How large, and what spans it."""
    from detent.draw.words.modes import many, vector

    lines = [
        f"velocities of a mode: dimension {cone.free.shape[1]}, {many(len(cone.lineality), 'line')} "
        f"and {many(len(cone.rays), 'ray')}"
    ]
    for name, vectors in (("line", cone.lineality), ("ray", cone.rays)):
        lines += [f"  {name:<5}{vector(each)}" for each in vectors[:SHOWN]]
        if len(vectors) > SHOWN:
            lines.append(f"  … and {len(vectors) - SHOWN} more {name}s")
    return "\n".join(lines)


def force_cone(cone: ForceCone) -> str:
    """What a unit of normal force does, by contact."""
    from detent.draw.words.modes import many, vector

    lines = [
        f"contact forces of a mode: {many(len(cone.generators), 'generator')}, "
        f"{many(len(cone.held), 'row')} of joints"
    ]
    pairs = list(zip(cone.owner, cone.generators, strict=True))
    lines += [f"  contact {owner}  {vector(generator)}" for owner, generator in pairs[:SHOWN]]
    return "\n".join([*lines, f"  … and {len(pairs) - SHOWN} more"] if len(pairs) > SHOWN else lines)


def balance(held: Balance) -> str:
    """Whether the load is balanced, and by which normal forces; a range where statics leaves one."""
    from detent.draw.words.modes import force_in_words

    if not held.possible:
        exactness = f"asked {held.exactness}"
        return (
            f"no contact force of this mode balances the load: {held.residual:.4g} is left over; {exactness}"
        )
    forces = zip(held.normal, held.normal_range, held.determined, strict=True)
    lines = [f"  contact {i}  normal force {force_in_words(*each)}" for i, each in enumerate(forces)]
    more = [f"  … and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return "\n".join(
        [f"contact forces of this mode balance the load {held.exactness}", *lines[:SHOWN], *more]
    )


def modes_answer(answer: ModesAnswer) -> str:
    """How many modes, and the first of them."""
    from detent.draw.words.modes import counts

    lines = [f"Contact modes: {counts(answer)}", *(f"  {each}" for each in answer.modes[:SHOWN])]
    more = len(answer.modes) - SHOWN
    return "\n".join([*lines, f"  … and {more} more"] if more > 0 else lines)


def edited(after: Edited) -> str:
    """Whether it was done, what moved, and why not."""
    if not after.done:
        return f"not done: {after.why}; the document is as it was"
    moved = f"; solving moved {few(list(after.moved), SHOWN)}" if after.moved else ""
    gone = f"; gone with it: {few(list(after.gone), SHOWN)}" if after.gone else ""
    return f"done{moved or '; nothing else moved'}{gone}" + (f"; {after.why}" if after.why else "")
