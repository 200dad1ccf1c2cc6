"""Parts that a drive pushes along legs, and what is assumed of the guide that this takes.

Legs give the whole motion of a part, its angle too. What holds it on its line is not drawn: the drive takes
the force across the push and the moment, and what the part slides along takes neither, so that no friction
is known there. Every method that follows legs says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from detent.foundation.names import listed
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import part_of
from detent.model.machine.touching import TouchingPairs


def guided_parts(mechanism: Mechanism) -> tuple[str, ...]:
    """The parts that drives push along legs."""
    drives = (drive for drive in mechanism.drives.values() if drive.legs and drive.joint is None)
    return tuple(dict.fromkeys(drive.part or part_of(drive.marker or "") for drive in drives))


def guide_words(parts: Iterable[str]) -> tuple[str, ...]:
    """What is assumed of the drives of these parts."""
    names = listed(list(parts))
    return (
        (
            f"the drive guides {names}: it takes sideways force and moment without friction "
            f"and fixed parts that {names} slides along take none",
        )
        if names
        else ()
    )


def friction_on_the_way(mechanism: Mechanism, touching: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """What is left out where a guided part touches a fixed one on its way: their friction, by pair."""
    guided, friction = guided_parts(mechanism), TouchingPairs(mechanism).friction
    pairs = {
        (a, b): float(friction(a, b) or 0)
        for pair in touching
        for a, b in permutations(pair, 2)
        if a in guided and mechanism.parts[b].fixed
    }
    return tuple(
        f"friction of {a}:{b} ({mu:.4g}): the drive takes what would press {a} onto {b}"
        for (a, b), mu in pairs.items()
        if mu
    )
