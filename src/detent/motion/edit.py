"""Editing is animation: an operation applied in the solved state, with the operation that takes it back.

    done = edit(mechanism, Join("crank.B", "coupler.B"))
    done.mechanism, done.inverse   # edit(done.mechanism, done.inverse) restores the file to the byte

A linkage of the plane is closed before and after (Brunkhart 1994, chapter 5):
what is removed leaves the rest where it was, a joint that is added
is pulled together first. What cannot be closed is an answer, `done` false with
what stays apart, and the document is untouched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from detent.foundation.errors import UnsupportedError, WrongTypeError
from detent.foundation.names import clipped
from detent.foundation.shown import Shown
from detent.kinematics.equations.assemble import pulled_together
from detent.kinematics.equations.newton import LARGEST, close
from detent.kinematics.equations.rows import Floats, drawn_poses, residual, rows_of
from detent.kinematics.equations.start import close_started, why_open
from detent.model.document.mechanism import Mechanism
from detent.model.editing.change import Change, between, changed
from detent.model.editing.edit import edited
from detent.model.editing.operation import Operation, PlaceParts, Remove, RemoveDrive, Rename
from detent.model.editing.posing import with_poses
from detent.model.machine.graph import part_of, parts_of
from detent.model.machine.plane_linkage import PlaneLinkage, plane_linkage_of
from detent.model.machine.starts import start_by_joint
from detent.model.reading import convert
from detent.motion.live.grabbing import poses_out


@dataclass(frozen=True, repr=False)
class Edited(Shown):
    """The document after an operation and its inverse; not `done`: the document as it was, and why."""

    mechanism: Mechanism
    inverse: Change
    done: bool = True
    moved: tuple[str, ...] = ()  # parts that solving moved
    why: str = ""
    apart: float = 0.0  # [units] what cannot be closed
    gone: tuple[str, ...] = ()  # paths that the operation took away besides what it names

    def _line(self) -> str:
        return f"{'done' if self.done else f'not done: {self.why}'}, {self.mechanism!r}"


def edit(mechanism: Mechanism, operation: Operation | Change) -> Edited:
    """One operation; ModelError where it makes no sense in this document."""
    _refuse_other(operation)
    if isinstance(operation, Change):
        return Edited(_sound(changed(mechanism, operation)), operation.inverse)
    after = _edited(mechanism, operation)
    return replace(after, gone=_gone(mechanism, after.mechanism, operation))


def _edited(mechanism: Mechanism, operation: Operation) -> Edited:
    after = _sound(edited(mechanism, operation))
    if isinstance(operation, Rename) or _same_linkage(mechanism, after):
        return Edited(after, between(after, mechanism))
    before = _settled(mechanism, new=())
    if before is not mechanism and isinstance(before, Mechanism):
        after = _sound(edited(before, operation))
    settled = _settled(after, new=tuple(name for name in after.joints if name not in mechanism.joints))
    if isinstance(settled, Mechanism):
        return Edited(settled, between(settled, mechanism), moved=_moved(mechanism, settled))
    if isinstance(before, Mechanism):
        return Edited(mechanism, Change(), done=False, why=settled.why, apart=settled.apart)
    # It did not close before either: an edit may be a step towards mending it.
    return Edited(after, between(after, mechanism), why=settled.why, apart=settled.apart)


def _gone(before: Mechanism, after: Mechanism, operation: Operation) -> tuple[str, ...]:
    """What is said of coordinates that the operation leaves none, as of a pin that becomes a slide."""
    if isinstance(operation, Rename | Remove | RemoveDrive):  # other names, or what was asked for
        return ()
    settings = [
        f"joints.{name}.{key}"
        for name, joint in before.joints.items()
        for key in ("spring", "limits", "damping", "friction")
        if name in after.joints
        and getattr(joint, key) is not None
        and getattr(after.joints[name], key) is None
    ]
    return (
        *settings,
        *(f"drives.{name}" for name in before.drives if name not in after.drives),
        *(f"start.{name}" for name in before.start if name not in after.start),
    )


def _refuse_other(operation: object) -> None:
    if not isinstance(operation, Operation | Change):
        problem, remedy = (
            f"{clipped(repr(operation))} is not an operation",
            "give one, as `detent.SetNumber(…)`",
        )
        raise WrongTypeError.at("operation", problem, remedy)


def _sound(document: Mechanism) -> Mechanism:
    """The document itself, once it has been read as a file is read."""
    convert.checked(document)
    return document


def _same_linkage(before: Mechanism, after: Mechanism) -> bool:
    """Whether the joints hold the same marks of the same parts: then nothing can have opened."""
    old, new = _system(before), _system(after)
    if old is None or new is None:
        return old is new
    same = old.parts == new.parts[: len(old.parts)] and old.drawn == new.drawn[: len(old.parts)]
    return same and old.pairs == new.pairs and old.fixed == new.fixed[: len(old.fixed)]


def _moved(before: Mechanism, after: Mechanism) -> tuple[str, ...]:
    """Parts that are elsewhere by more than rounding; one whose numbers are in other units stays."""
    old, new = _system(before), _system(after)

    def stays(name: str) -> bool:
        if old is None or new is None:
            return False
        one, other = (system.drawn[system.parts.index(name)] for system in (old, new))
        near = new.tolerance
        return abs(one[0] - other[0]) <= near.length and abs(one[1] - other[1]) <= near.angle

    return tuple(
        name
        for name, part in after.parts.items()
        if name in before.parts and part.pose != before.parts[name].pose and not stays(name)
    )


@dataclass(frozen=True)
class _Open:
    why: str
    apart: float  # [units]


def _settled(mechanism: Mechanism, *, new: tuple[str, ...]) -> Mechanism | _Open:
    """Joints closed from the drawing, new ones pulled together first; the same where it is drawn so."""
    system = _system(mechanism)
    if system is None:
        return mechanism
    poses = drawn_poses(system)
    if close_started(system, poses, start_by_joint(mechanism), max_steps=0).closed:
        return mechanism
    for name in new:
        if name in system.index and _open(system, poses, name):
            joined = pulled_together(system, poses, system.index[name])
            if not joined.closed:
                return _kept_apart(mechanism, system, name, joined.apart)
            poses = joined.poses
    closure = close_started(system, poses, start_by_joint(mechanism))
    if not closure.closed:  # starting values that cannot be kept are dropped
        closure = close(rows_of(system), poses)
    if not closure.closed:
        error, apart = why_open(system, poses, closure)
        return _Open(f"{error.problems[0].at}: {error.problems[0].problem}", apart)
    return _with_solved_poses(mechanism, system, closure.poses)


def _with_solved_poses(mechanism: Mechanism, system: PlaneLinkage, poses: Floats) -> Mechanism:
    new_poses, old_poses = poses_out(system, poses), poses_out(system, drawn_poses(system))
    moved = {
        name: (x, y, angle) for name, (x, y, angle) in new_poses.items() if new_poses[name] != old_poses[name]
    }
    if close_started(system, poses, start_by_joint(mechanism), max_steps=0).closed:
        return with_poses(mechanism, moved)
    return edited(mechanism, PlaceParts(moved))


def _open(system: PlaneLinkage, poses: Floats, name: str) -> bool:
    rows = rows_of(system, pairs=[system.pairs[system.index[name]]])
    return bool(np.any(np.abs(residual(rows, poses)) > system.tolerance.length))


def _kept_apart(mechanism: Mechanism, system: PlaneLinkage, name: str, apart: float) -> _Open:
    first, second = mechanism.joints[name].between
    held = [
        key
        for key in mechanism.joints
        if key != name and set(parts_of(mechanism.joints[key])) & {part_of(first), part_of(second)}
    ]
    by = f": {', '.join(held)} hold them" if held else ""
    words = f"{first} and {second} come no nearer than {system.told(apart)}{by}"
    return _Open(words, apart / system.metres_per_unit)


def _system(mechanism: Mechanism) -> PlaneLinkage | None:
    """The linkage to be solved; None without joints, or where it is too large to be closed at once."""
    if mechanism.dimension != 2 or not mechanism.joints:
        return None
    try:
        system = plane_linkage_of(mechanism)
    except UnsupportedError:
        return None
    return system if system.pairs and 3 * len(system.moving) <= LARGEST else None
