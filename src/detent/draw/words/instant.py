"""One instant of a run in words: what is locked, what drives what, and what then tells its state."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from detent.draw.words.layout import force_words, table_lines
from detent.foundation.names import listed
from detent.foundation.units import unit_names
from detent.record.instant import Instant

MOST_FORCES = 8  # of contacts, in words


def sentence(instant: Instant) -> str:
    """What holds and drives the machine, in one sentence."""
    said = []
    locked = [
        f"{each.part} by {listed(each.by)}" if each.by else each.part
        for each in instant.parts
        if each.standing == "locked"
    ]
    if locked:
        said.append(f"locked: {listed(locked)}")
    for each in instant.parts:
        if each.standing == "driven" and each.by:
            said.append(f"{listed(each.by)} {'drives' if len(each.by) == 1 else 'drive'} {each.part}")
        if each.standing == "guided":
            said.append(f"{each.part} {'stands still on' if each.still else 'moves along'} {listed(each.by)}")
    free = [each for each in instant.parts if each.standing == "free"]
    for group in _together([each.part for each in free if not each.still], instant.tree):
        said.append(f"{listed(group)} {'moves' if len(group) == 1 else 'move together'}, untouched")
    for group in _together([each.part for each in free if each.still], instant.tree):
        said.append(f"{listed(group)} {'stands' if len(group) == 1 else 'stand'} still, untouched")
    return "; ".join(said)


def _together(parts: Sequence[str], tree: Mapping[str, str]) -> list[list[str]]:
    """Parts in groups that joints tie together."""
    groups: list[list[str]] = []
    for part in parts:
        tied = [group for group in groups if any(tree.get(part) == o or tree.get(o) == part for o in group)]
        groups = [group for group in groups if group not in tied]
        groups.append([*(other for group in tied for other in group), part])
    return groups


def lines(instant: Instant, units: str) -> list[str]:
    """The instant in words, under the run's."""
    names = unit_names(units)
    variables = [
        name.partition(" of ")[2] for name in instant.state_variables if not name.startswith("speed")
    ]
    count = f"{len(instant.state_variables)} of {len(instant.all_state_variables)}"
    what = f": position and speed of {listed(variables)}" if variables else ": everything is locked or driven"
    told = [
        f"  at         {instant.time:.6g}{names.time}: {sentence(instant)}",
        f"  follows    {'; '.join(instant.chains)}",
        f"  states     {count}{what}",
    ]
    if instant.contacts:
        rows = [
            (
                each.contact,
                force_words(each.force, names.force),
                force_words(each.friction, names.force) if each.friction else "",
                f"({each.point[0]:.4g}, {each.point[1]:.4g}){names.length}",
            )
            for each in instant.contacts[:MOST_FORCES]
        ]
        told += table_lines(("pushing contact", "force", "friction", "at"), rows)
    turned = [
        (part, f"{torque:.4g}{names.torque}", _joint_forces(instant, part, names.force))
        for part, torque in instant.torques.items()
    ]
    return told + table_lines(("part", "net torque", "its joints put on it"), turned)


def _joint_forces(instant: Instant, part: str, unit: str) -> str:
    said = []
    for each in instant.forces:
        if each.part != part or each.kind != "joint":
            continue
        x, y = each.force
        if x is None or y is None:
            amount = "open"
        elif math.isinf(x) or math.isinf(y):
            amount = "without bound"
        else:
            amount = f"({x:.4g}, {y:.4g}){unit}"
        said.append(f"{each.by} {amount}")
    return ", ".join(said)
