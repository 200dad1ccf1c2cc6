"""A part alone with everything that acts on it, and the forces of contacts on a whole machine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from detent.draw.machine import flat
from detent.draw.machine.stage import Poses, stage_of
from detent.draw.scene import palette
from detent.draw.scene.palette import CONTACT, DRIVE, HUES, QUIET, mix
from detent.draw.scene.scene import Arrow, Item, Label, Point, Scene, Symbol, extent
from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean
from detent.foundation.units import unit_names

if TYPE_CHECKING:
    from detent.model.document.mechanism import Mechanism
    from detent.record.instant import ContactAt, ForceOn, Instant

COLOURS = {"contact": CONTACT, "joint": mix(HUES[0], "#000000", 0.2), "weight": QUIET}
# Of the part's size: the longest arrow, and the shortest that is still one.
LONGEST, SHORTEST = 0.5, 0.09
# Of the machine's size: the longest arrow of a contact in a film.
IN_FILM = 0.16
# Of the greatest: a force below it is not drawn.
NOTHING = 1e-6


def free_body_scene(mechanism: Mechanism, poses: Poses, instant: Instant, part: str) -> Scene:
    """One part at an instant: arrows of contacts, joints and weight, as long as they are strong."""
    if part not in mechanism.parts:
        problem = f"there is no part {part!r}"
        raise ModelError.at("--part", problem, did_you_mean(part, mechanism.parts))
    stage = stage_of(mechanism, poses)
    colours = palette.of_parts({name: each.fixed for name, each in mechanism.parts.items()})
    painted = [slab for slab in flat.slabs(stage) if slab.part == part]
    items: list[Item] = flat.draw(painted, colours, solid_fill=mechanism.dimension == 3)
    items += [item for item in flat.bars(stage, colours) if getattr(item, "owner", "") == part]
    forces = [force for force in instant.forces if force.part == part]
    if not items:
        items = [Symbol("marker", force.at, colour=colours[part].line, owner=part) for force in forces]
    x0, y0, x1, y1 = extent(Scene(tuple(items)))
    size = max(math.hypot(x1 - x0, y1 - y0), 1e-300)
    names = unit_names(mechanism.units)
    known = [(x, y) for x, y in (force.force for force in forces) if x is not None and y is not None]
    strongest = max((length for x, y in known if math.isfinite(length := math.hypot(x, y))), default=0.0)
    moments = [abs(force.moment) for force in forces if force.moment is not None]
    torques = [moment for moment in moments if math.isfinite(moment)]
    labels = []
    for force in forces:
        drawn, label = _force(force, size, strongest, max(torques, default=0.0), names.force, names.torque)
        items += drawn
        labels += label
    torque = instant.torques.get(part)
    net = "" if torque is None else f"; net torque {_turning(torque, names.torque)}"
    title = f"{part} at {instant.time:.6g}{names.time}{net}"
    return Scene(tuple(items), tuple(labels), title=title, units=mechanism.units)


def _force(
    force: ForceOn, size: float, strongest: float, hardest: float, unit: str, turning: str
) -> tuple[list[Item], list[Label]]:
    """Its arrow, its turn, and words at their ends."""
    colour, who = (
        COLOURS[force.kind],
        force.by if force.kind == "weight" else f"{force.by} ({force.from_part})",
    )
    if force.kind == "contact":
        who = force.from_part
    items: list[Item] = []
    labels: list[Label] = []
    x, y = force.force
    strength = math.nan if x is None or y is None else math.hypot(x, y)
    if not math.isfinite(strength):
        said = "open" if math.isnan(strength) else "without bound"
        return [Symbol("contact", force.at, colour=colour)], [
            Label(f"{who}: {said}", (force.at,), colour, 12.0)
        ]
    assert x is not None
    assert y is not None
    if strength > NOTHING * strongest:
        vector = arrow_of((x, y), strength / strongest, LONGEST * size, SHORTEST * size)
        # What pushes arrives at its point, what a joint or weight does leaves from it.
        arrives = force.kind == "contact"
        items.append(Arrow(force.at, vector, arrives=arrives, colour=colour, width=2.4))
        sign = -1.0 if arrives else 1.0
        end = (force.at[0] + sign * vector[0], force.at[1] + sign * vector[1])
        labels.append(Label(f"{who}: {strength:.4g}{unit}", (end,), colour, 12.0, weight=2))
        items.append(Symbol("contact", force.at, colour=colour))
    if force.moment is not None and abs(force.moment) > NOTHING * hardest:
        items.append(Symbol("turn", force.at, math.copysign(1.0, force.moment), colour=DRIVE))
        labels.append(
            Label(f"{force.by}: {_turning(force.moment, turning)}", (force.at,), DRIVE, 12.0, weight=2)
        )
    return items, labels


def _turning(torque: float, unit: str) -> str:
    """A torque with its sense, which is short for counter-clockwise or clockwise."""
    amount = "without bound" if math.isinf(torque) else f"{abs(torque):.4g}{unit}"
    return amount + ("" if torque == 0 else " ccw" if torque > 0 else " cw")


def arrow_of(force: Point, share: float, longest: float, shortest: float) -> Point:
    """A force as a vector of the picture, as long as its share of the strongest."""
    strength = math.hypot(*force)
    length = max(share * longest, shortest)
    return (length * force[0] / strength, length * force[1] / strength)


def contact_arrows(contacts: Sequence[ContactAt], strongest: float, size: float) -> list[Arrow]:
    """Forces of contacts on their second parts, and back on their first ones."""
    arrows = []
    for contact in contacts:
        if contact.force <= NOTHING * strongest or math.isinf(contact.force):
            continue
        x, y = contact.normal
        force = contact.force * x + contact.friction * y, contact.force * y - contact.friction * x
        share = math.hypot(*force) / strongest
        vector = arrow_of(force, share, IN_FILM * size, IN_FILM * size / 6)
        for sign in (1.0, -1.0):
            pushed = (sign * vector[0], sign * vector[1])
            arrows.append(Arrow(contact.point, pushed, colour=CONTACT, width=2.0, owner=""))
    return arrows


def size_of(scene: Scene) -> float:
    """The diagonal of what a scene shows."""
    x0, y0, x1, y1 = extent(scene)
    return math.hypot(x1 - x0, y1 - y0)
