"""The public verbs: thin functions over the rooms that do the work."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

from detent.app import inputs
from detent.io import formats
from detent.model.document.mechanism import Mechanism
from detent.record.explanation import Explanation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from detent.contact.contacts import Contacts
    from detent.contact.modes.mode import ModeSet
    from detent.kinematics.paths.designs import DesignSweep
    from detent.model.document.drive import Drive
    from detent.model.editing.change import Change
    from detent.model.editing.operation import Operation
    from detent.motion.edit import Edited
    from detent.motion.kinematic.method import Kinematic
    from detent.motion.methods import Method
    from detent.motion.quasistatic.method import Quasistatic
    from detent.record.mating import Mating
    from detent.record.motion import Motion
    from detent.record.run import Run


def load(path: str | os.PathLike[str]) -> Mechanism:
    """The Mechanism in a file, or in a shipped example; a ModelError says what is wrong, and where."""
    return formats.load(inputs.find(os.fspath(path)))


def save(mechanism: Mechanism, path: str | os.PathLike[str]) -> None:
    """Write the format that the name ends in (.json, .toml, .dxf, .stl); atomically."""
    formats.save(mechanism, path)


def explain(mechanism: Mechanism) -> Explanation:
    """What is this machine? Parts, joints, mobility, in words and numbers."""
    from detent.draw.words.explain import in_words

    return in_words(mechanism)


def modes(
    of: Mechanism | Contacts,
    *,
    kind: Literal["all", "contacting_separating"] | None = None,
    touching: str | None = None,
    planes: int | None = None,
    exact: bool = False,
    limits: Any = None,
) -> ModeSet:
    """Which contact modes are possible? Of a document, or of `detent.Contacts`.

    `touching` asks for the sticking and sliding modes of one contacting/separating
    mode, such as "00+0"; `planes` divide sliding where a contact of a document names no tangents.
    What is left out is as the document asks, else all modes.
    """
    from detent.contact.modes.mode import modes as all_modes
    from detent.contact.modes.sliding import sliding_modes
    from detent.foundation.errors import ModelError

    contacts = _contacts(of, planes)
    asked = of.ask.modes if isinstance(of, Mechanism) and of.ask is not None else None
    exact = exact or (asked is not None and asked.exact)
    if touching is not None:
        if kind not in (None, "all"):
            raise ModelError.at(
                "kind", f"{kind} leaves out what `touching` asks for", "leave one of them out"
            )
        return sliding_modes(contacts, touching, exact=exact, limits=limits)
    wanted = kind or (asked.kind if asked is not None else None) or "all"
    return all_modes(contacts, kind=wanted, exact=exact, limits=limits)


def _contacts(of: Any, planes: int | None) -> Contacts:
    from detent.contact.contacts import Contacts
    from detent.contact.touching.document import contacts_of
    from detent.foundation.errors import ModelError

    if isinstance(of, Mechanism):
        return contacts_of(of, planes=planes)
    if not isinstance(of, Contacts):
        problem = f"a {type(of).__name__} has no contacts"
        raise ModelError.at("modes", problem, "give a Mechanism (`detent.load`) or `detent.Contacts`")
    if planes is not None:
        problem = "these contacts have their dividing planes already"
        raise ModelError.at("planes", problem, "give `planes` to `Contacts.from_points`")
    return of


def predict(
    mechanism: Mechanism,
    *,
    method: Method | None = None,
    drives: Mapping[str, Drive] | None = None,
    until: float | None = None,
) -> Run:
    """What will this machine do? A run: its trajectory, and the method's own evidence.

    By the method given, else the one that the document asks for, else the one that fits its drives.
    """
    from detent.motion.prediction import predict as predicted

    return predicted(mechanism, method=method, drives=drives, until=until)


def mate(mechanism: Mechanism, *, method: Quasistatic | None = None) -> Mating:
    """Does it go together, with what force, and does it come apart?

    Decided exactly, or with `Quasistatic(exact=False)` by the float filter.
    """
    from detent.judge.mating import mate as mated

    return mated(mechanism, method=method)


def move(mechanism: Mechanism, *, method: Kinematic | None = None) -> Motion:
    """How does this linkage move along its drives? Positions, speeds, limits, and what stopped it."""
    from detent.motion.prediction import move as moved

    return moved(mechanism, method=method)


def move_designs(designs: Iterable[Mechanism]) -> DesignSweep:
    """Move many designs of one linkage through the same positions of their drives, in lanes."""
    from detent.kinematics.paths.designs import sweep_designs

    return sweep_designs(designs)


def edit(mechanism: Mechanism, operation: Operation | Change) -> Edited:
    """The document after a `detent.model.editing.operation`, solved, with the change that undoes it."""
    from detent.motion import edit as editing

    return editing.edit(mechanism, operation)
