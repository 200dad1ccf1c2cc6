"""From a document to contact rows: `[rows]`, or `[[contacts]]`, or parts that touch; with its joints.

Numbers stay as written, so that exact modes are exact for the document.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from detent.contact.beside import Beside
from detent.contact.checks import tangents_fit
from detent.contact.contacts import Contacts, spread
from detent.contact.site import Site, site
from detent.contact.touching.beside import beside, exerting, weighs
from detent.contact.touching.touching import Found, touching_parts
from detent.foundation.errors import ModelError
from detent.geometry.frame import exact3
from detent.geometry.solid import leaves
from detent.mechanics.exact_joint_rows import Bodies, held_rows
from detent.model.document.mechanism import Mechanism
from detent.model.document.touch import Rows
from detent.model.machine.solids import part_solid
from detent.model.machine.touching import TouchingPairs


def contacts_of(mechanism: Mechanism, *, planes: int | None = None) -> Contacts:
    """The contacts of a document; `planes` divide sliding where the contact gives no tangents.

    Left out, they are as many as the document asks for.
    """
    if planes is None and mechanism.ask is not None and mechanism.ask.modes is not None:
        planes = mechanism.ask.modes.planes
    if mechanism.rows is not None:
        return _from_rows(mechanism, mechanism.rows, planes)
    bodies = Bodies.of(mechanism)
    rows: list[list[Any]] = []
    tangents: list[list[list[Any]]] = []
    sites: list[Site] = []
    plane = mechanism.dimension
    drawn = [] if mechanism.contacts else touching_parts(mechanism)
    for i, (between, point, normal, tangents_given) in enumerate(_given(mechanism, drawn)):
        pair = bodies.pair(*between)
        across = (
            tangents_given
            if tangents_given is not None
            else tuple(tuple(t) for t in spread(normal[:plane], planes, plane))
        )
        rows.append(bodies.row(point, normal, pair))
        tangents.append([bodies.row(point, exact3(t), pair) for t in across])
        sites.append(site(":".join(between), pair, point[:plane], normal[:plane], across))
        if not any(rows[-1]):
            raise ModelError.at(
                f"contacts.{i}.between", "neither part can move", "name a part that is not fixed"
            )
    contacts = Contacts.from_rows(
        rows,
        tangents,
        held=held_rows(bodies),
        friction=_coefficients(mechanism, sites),
        freedoms=bodies.freedoms,
    )
    return replace(
        contacts,
        sites=tuple(sites),
        bodies=bodies.names,
        approximated=_approximated(bodies),
        beside=beside(mechanism, drawn),
        units=mechanism.units,
    )


def _approximated(bodies: Bodies) -> tuple[str, ...]:
    """The rationals that stand for rotations, of what rows were made from: shapes that touch, and joints."""
    mechanism = bodies.mechanism
    drawn = not mechanism.contacts
    words: dict[str, None] = {}
    for name, pose in bodies.poses.items():
        shape = part_solid(mechanism, name) if drawn else None
        of_pose = pose.approximated if drawn or mechanism.joints else ()
        within = (
            [rotation for leaf in leaves(shape) for rotation in leaf.frame.approximated]
            if shape is not None
            else []
        )
        words.update(dict.fromkeys(f"{name}: {rotation}" for rotation in (*of_pose, *within)))
    return tuple(words)


def _given(mechanism: Mechanism, drawn: list[Found]) -> Iterator[tuple[tuple[str, ...], Any, Any, Any]]:
    """(parts, point, normal, tangents or None): as given, else from the shapes that touch as drawn."""
    if mechanism.contacts:
        for i, contact in enumerate(mechanism.contacts):
            tangents_fit(contact.tangents or (), contact.normal, i)
            yield contact.between, exact3(contact.point), exact3(contact.normal), contact.tangents
    for first, second, point, normal in drawn:
        yield (first, second), exact3(point), exact3(normal), None


def _from_rows(mechanism: Mechanism, rows: Rows, planes: int | None) -> Contacts:
    if rows.tangent is None and planes:
        raise ModelError.at(
            "rows.tangent", "is missing, and rows alone say nothing of tangents", "give them, or planes = 0"
        )
    try:
        friction = mechanism.touching.friction if mechanism.touching is not None else None
        contacts = Contacts.from_rows(rows.normal, rows.tangent, held=rows.held or (), friction=friction)
    except ModelError as error:
        raise ModelError(*(replace(each, at=f"rows.{each.at}") for each in error.problems)) from None
    pushing = (*(("gravity",) if weighs(mechanism) else ()), *exerting(mechanism))
    return replace(contacts, beside=Beside(exerting=pushing))


def _coefficients(mechanism: Mechanism, sites: list[Site]) -> list[float | None]:
    """The contact's own coefficient, else its pair's, else the document's."""
    coefficients = [contact.friction for contact in mechanism.contacts] or [None] * len(sites)
    return [
        _pair_friction(mechanism, where.name) if mu is None else float(mu)
        for mu, where in zip(coefficients, sites, strict=True)
    ]


def _pair_friction(mechanism: Mechanism, pair: str) -> float | None:
    first, _, second = pair.partition(":")
    friction = TouchingPairs(mechanism).friction(first, second)
    return None if friction is None else float(friction)
