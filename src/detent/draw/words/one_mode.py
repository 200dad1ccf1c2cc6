"""One contact mode in words and JSON: its velocities, its neighbours, a goal, a load."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import structs

from detent.contact.forces.balancing import RANGE_SIDES, balance
from detent.contact.forces.friction import ROUND, slip_rows
from detent.contact.modes.enumerate import ONLY_THESE
from detent.contact.modes.mode import Mode
from detent.contact.modes.velocity_cone import VelocityCone, cone
from detent.draw.chart import modes as modes_picture
from detent.draw.paper.picture import write
from detent.draw.paper.report import Section
from detent.draw.words.answer import Answer
from detent.draw.words.modes import SHOWN, force_in_words, left_out, many, places, vector, words_of
from detent.foundation.units import unit_names
from detent.model.document.mechanism import Mechanism
from detent.record.amount import force as plain
from detent.record.scope import Scope


def one(mechanism: Mechanism, mode: Mode, goal: Any, load: Any, friction: float | None, title: str) -> Answer:
    velocity_cone = cone(mode)
    near = mode.modes.neighbours(mode)
    units, scope = unit_names(mechanism.units), mode.modes.answer().scope
    rates = f"{units.speed} and rad/s" if units.speed else ""
    data: dict[str, Any] = {
        "mode": mode.text,
        "dimension": mode.dimension,
        "states": [mode.state(i) for i in range(len(mode.modes.contacts))],
        "velocity": velocity_cone.witness.tolist(),
        "rays": velocity_cone.rays.tolist(),
        "lineality": velocity_cone.lineality.tolist(),
        "zero": velocity_cone.zero.tolist(),
        "positive": velocity_cone.positive.tolist(),
        "neighbours": near.texts,
    }
    rays = many(len(velocity_cone.rays), "ray")
    lines = [
        f"{title}: mode {mode.text}, {words_of(mode)}",
        f"dimension {mode.dimension}; {rays}, lineality {len(velocity_cone.lineality)}",
        f"velocity  {vector(velocity_cone.witness)}{rates}",
        f"{many(len(near), 'neighbour')}: {', '.join(near.texts[:6])}{' …' if len(near) > 6 else ''}",
    ]
    if goal is not None:
        nearest = velocity_cone.project(goal)
        apart = float(np.linalg.norm(nearest - np.asarray(goal)))
        inside = velocity_cone.holds(nearest)
        data["nearest"] = {
            "velocity": nearest.tolist(),
            "distance": apart,
            "metric": _NUMBERS,
            "of_the_mode": inside,
        }
        lines.append(
            f"nearest   {vector(nearest)}{rates}, {apart:.6g} away, {_NUMBERS}{'' if inside else _EDGE}"
        )
    if load is not None:
        balanced = balance(mode, load, friction=friction)
        data["balance"] = {
            "possible": balanced.possible,
            "normal": list(balanced.normal),
            "normal_range": [[low, plain(high)] for low, high in balanced.normal_range],
            "determined": list(balanced.determined),
        }
        lines.append(
            "its forces balance the load" if balanced.possible else "no force of it balances the load"
        )
        scope = _of_balance(mode, scope, balanced.exactness)
        lines += [
            f"  normal force {i}, {mode.modes.contacts.sites[i].name}: "
            + force_in_words(
                balanced.normal[i], balanced.normal_range[i], balanced.determined[i], units.force
            )
            for i in np.flatnonzero(mode.touching)[:SHOWN].tolist()
            if balanced.possible
        ]
    return Answer(
        data={**data, "scope": scope},
        text="\n".join([*lines, *places(mode.modes), scope.words, *left_out(scope)]),
        plot=lambda kind: write(modes_picture.picture(mechanism, mode), kind),
        sections=lambda: _sections_of_one(mechanism, mode, velocity_cone),
        title=title,
        question=f"What can mode {mode.text} do?",
        notes=[f"assumed: {each}" for each in scope.assumed if each != ONLY_THESE],
    )


# How near a goal is: rotations beside lengths, so that another unit has another nearest velocity.
_NUMBERS = "lengths and rotations alike, as numbers"

# The velocities of a mode are an open cone: on its boundary other contacts touch, or stick.
_EDGE = "; on the mode's boundary: its own velocities come as near to this one as wanted, none is it"


# A sector of sliding directions in space has the chord of its friction, weaker than the arc.
_CHORDS = "contacts that slide rub with the chord of their sector: up to Coulomb's friction, not all of it"


# Bounds hold over a pyramid about each round cone.
_WIDE = f"normal forces are bounded over cones of {RANGE_SIDES} sides about the round ones: may be too wide"


# Rows say nothing of the angles between their tangents.
_AT_RIGHT_ANGLES = (
    "two tangents that are given as rows count as unit directions at right angles, more as evenly spread"
)


def _of_balance(mode: Mode, scope: Scope, exactness: str) -> Scope:
    """The scope with what a balance adds to it."""
    covers = f"{scope.covers}; whether forces balance the load {exactness}"
    contacts = mode.modes.contacts
    touching = np.flatnonzero(mode.touching).tolist()
    in_space = [i for i in touching if len(slip_rows(contacts, i)[0]) == ROUND]
    divided = any(mode.state(i) == "sliding" for i in in_space)
    round_cones = any(mode.state(i) == "sticking" for i in in_space)
    bare = any(not len(contacts.sites[i].tangents) for i in in_space)
    left_out = tuple(each for each in scope.left_out if each not in ("masses", "forces"))
    assumed = (
        *scope.assumed,
        *([_CHORDS] if divided else []),
        *([_WIDE] if round_cones else []),
        *([_AT_RIGHT_ANGLES] if bare else []),
        *contacts.beside.whole_load,
    )
    return structs.replace(scope, certainty="computed", covers=covers, left_out=left_out, assumed=assumed)


def _sections_of_one(mechanism: Mechanism, mode: Mode, velocity_cone: VelocityCone) -> list[Section]:
    sites = mode.modes.contacts.sites
    states = [(str(i), site.name, mode.state(i)) for i, site in enumerate(sites)]
    rays = [(vector(ray),) for ray in velocity_cone.rays[:SHOWN]]
    sections = [Section("Contacts", rows=states, head=("number", "between", "state"))]
    if all(site.point for site in sites):
        sections.insert(
            0, Section("Picture", svg=write(modes_picture.picture(mechanism, mode), "svg").decode())
        )
    if rays:
        sections.append(Section("Extreme velocities", rows=rays, head=("ray",)))
    return sections
