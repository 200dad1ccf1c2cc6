"""What will this machine do? One verb for every method, and the one that moves a linkage."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from detent.foundation.arguments import given
from detent.foundation.errors import ModelError, UnsupportedError
from detent.motion.methods import Method, chosen, method_of, refused, runs_over_time
from detent.motion.rigid.following.method import Following

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.motion.kinematic.method import Kinematic
    from detent.record.motion import Motion
    from detent.record.run import Run

# [s]: steps of a run are told apart to 1e-13 of its time.
LONGEST = 1e7


def predict(
    mechanism: Mechanism,
    *,
    method: Method | None = None,
    drives: Mapping[str, Drive] | None = None,
    until: float | None = None,
) -> Run:
    """The run of a machine: its trajectory, and the method's own evidence.

    By the method given, else by the one that the document asks for, else by the one that fits
    its drives. `drives` replace the document's; `until` ends a method that runs over time [s], and
    asks for one where no drive gives positions without a time.
    """
    driven = mechanism if drives is None else _driven_by(mechanism, drives)
    until = None if until is None else given("until", until, "give seconds, above zero")
    over_time = until is not None and runs_over_time(driven)
    by = method if method is not None else method_of(driven, "run" if over_time else None)
    chosen(by)
    if until is not None and not (math.isfinite(until) and until > 0):
        raise ModelError.at("until", f"{until:g} is not a time to run for", "give seconds, above zero")
    if until is not None and until > LONGEST:
        problem = f"{until:g} s is longer than a run can tell its steps apart"
        raise ModelError.at("until", problem, f"give at most {LONGEST:g} s")
    try:
        return by.predict(mechanism, drives=None if drives is None else driven.drives, until=until)
    except UnsupportedError as refusal:
        raise refused(refusal, by) from None


def _driven_by(mechanism: Mechanism, drives: Mapping[str, Drive]) -> Mechanism:
    """The machine with other drives, checked as a document is: what a file may not say is refused here."""
    from detent.model.document.drive import Drive
    from detent.model.reading import convert

    if not isinstance(drives, Mapping) or not all(isinstance(drive, Drive) for drive in drives.values()):
        raise ModelError.at("drives", "is not a table of drives", "give a dict of `detent.model.Drive`")
    return convert.checked(replace(mechanism, drives=dict(drives)))


def move(
    mechanism: Mechanism,
    *,
    method: Kinematic | Following | None = None,
    drives: Mapping[str, Drive] | None = None,
    loads: Mapping[str, tuple[float, float]] | None = None,
) -> Motion:
    """How a linkage moves through the positions of its drives; the answer holds its run.

    `loads` are forces [N] on markers, in place of the document's.
    """
    by = method if method is not None else method_of(mechanism, "move")
    chosen(by, "move")
    if isinstance(by, Following):
        from detent.motion.rigid.following.answer import motion_of as followed

        asked = mechanism.ask.move if mechanism.ask else None
        if loads or (loads is None and asked is not None and asked.loads):
            raise UnsupportedError(
                "forces on markers are not balanced while contact is followed",
                "leave them out, or drive a joint with a `torque`",
                "ask.move.loads",
            )
        return followed(by.predict(mechanism, drives=drives))
    from detent.motion.kinematic.answer import motion_of

    return motion_of(by.predict(mechanism, drives=drives), loads=loads)
