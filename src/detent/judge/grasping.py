"""Is a grasp stable? All contacts stick under the load, and no neighbouring mode explains it too.

Forces that balance do not make a grasp: where the same load is also consistent
with a motion next to rest, the contacts may take that instead (Mason 2001; Huang,
Cheng & Mason, section 7). The verdict names the modes that break it.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from detent.contact.checks import refuse_other_kind
from detent.contact.forces.balancing import Balance, balance
from detent.contact.forces.consistent import ConsistentMotion, consistent_modes
from detent.contact.modes.mode import Mode, ModeSet
from detent.contact.scaling import unit_inertia
from detent.foundation.errors import UnsupportedError
from detent.numeric.threads import on_one_thread
from detent.record.scope import Scope
from detent.record.verdict import Evidence, Verdict

GraspAnswer = Literal["stable", "not stable", "no equilibrium"]


def sticking_mode(modes: ModeSet) -> Mode:
    """The mode in which every contact touches and sticks."""
    still = (modes.signs == 0).all(axis=1)
    if not still.any():
        raise UnsupportedError("rest is not among these modes", "ask all modes of the contacts, unfiltered")
    return modes[int(np.flatnonzero(still)[0])]


@on_one_thread
def grasp(modes: ModeSet, load: Any, *, mass: Any = None, friction: Any = None) -> Verdict:
    """Does the grasp hold a generalised force `load`? Without `mass` it is that of `unit_inertia`."""
    refuse_other_kind(modes, ModeSet, "modes")
    d = modes.contacts.degrees
    inertia = unit_inertia(modes.contacts.sites, d) if mass is None else mass
    _refuse_parts(modes)
    rest = sticking_mode(modes)
    held = balance(rest, load, friction=friction)
    motions = consistent_modes(modes.star(rest), inertia, np.zeros(d), load, friction=friction)
    breaking = [motion for motion in motions if motion.cell != rest.cell]
    answer: GraspAnswer = "no equilibrium" if not held.possible else "not stable" if breaking else "stable"
    beside = modes.contacts.beside
    assumed = (*_assumptions(mass), *beside.assumed, *beside.whole_load)
    return Verdict(
        question="does the grasp hold this load?",
        answer=answer,
        confidence="computed",
        evidence=(
            _held(held),
            *(_breaks(motion) for motion in breaking),
            *((_LOOSE,) if held.possible and breaking else ()),
        ),
        assumptions=assumed,
        scope=Scope(
            certainty="computed",
            covers=f"rest under this load, balanced {held.exactness}, beside all motions that begin from "
            f"rest{modes.as_written}",
            left_out=("preload", "motions that a disturbance would begin", *beside.left_out),
            assumed=assumed,
        ),
    )


_LOOSE = Evidence(
    statement="nothing squeezes it: the contacts can hold the load, but without preload it may move so"
)


def _refuse_parts(modes: ModeSet) -> None:
    """Modes left out, or not distinguished, could be the ones that break the grasp."""
    if modes.kind != "all" or not modes.whole:
        raise UnsupportedError("a grasp is judged among all modes of its contacts", "give them unfiltered")


def _held(held: Balance) -> Evidence:
    if not held.possible:
        return Evidence(statement="no forces inside the friction cones balance the load at rest")
    if not all(held.determined):
        return Evidence(
            statement="sticking contacts balance the load, with normal forces that statics leaves open"
        )
    total = float(sum(held.normal))
    unit = "normal force of all contacts together, in the unit of the load"
    return Evidence(statement="sticking contacts balance the load", value=total, unit=unit)


def _breaks(motion: ConsistentMotion) -> Evidence:
    return Evidence(statement=f"mode {motion.text} is consistent with the same load")


def _assumptions(mass: Any) -> tuple[str, ...]:
    assumptions = ["the contacts are rigid, with Coulomb friction, and start at rest"]
    if mass is None:
        about = "about the middle of each part's contacts, their reach its radius of gyration"
        assumptions.append(f"unit inertia {about}, because none was given")
    return tuple(assumptions)
