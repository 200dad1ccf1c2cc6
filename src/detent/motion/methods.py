"""Methods of prediction: what they have in common, which there are, and which one a document asks for.

A method is a frozen value with a name and one verb, `predict`. Methods do not
know each other; this is the one place that knows them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Protocol, overload

from detent.foundation.errors import UnsupportedError, WrongTypeError
from detent.foundation.names import clipped
from detent.model.document.ask import AskMate, AskRun
from detent.model.document.part import is_robot
from detent.model.machine.graph import part_of
from detent.model.machine.pushed.compliant import gives_way, rings_in
from detent.model.machine.timing import gives_torque, speed_of
from detent.motion.combined.method import Combined
from detent.motion.compliant.method import Compliant
from detent.motion.kinematic.method import Kinematic
from detent.motion.penalty.method import Penalty
from detent.motion.quasistatic.method import Quasistatic
from detent.motion.rigid.following.method import Following
from detent.motion.rigid.method import Rigid

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.record.run import Run


class Method(Protocol):
    """How a machine's motion is predicted.

    `predict` takes the document, the drives to follow in place of the document's,
    and a time [s] at which to end, for methods that run over time. A method may take
    more than a document: one that computes at states takes a compiled system as
    well. What it cannot do it refuses
    with an `UnsupportedError`, to which `detent.predict` adds what the other methods can.
    """

    @property
    def name(self) -> str: ...

    @property
    def answers(self) -> str:
        """What it can predict, for a person who asked another method for it."""
        ...

    def predict(
        self,
        mechanism: Mechanism,
        *,
        drives: Mapping[str, Drive] | None = None,
        until: float | None = None,
    ) -> Run: ...


# Each as it is unless something is chosen.
METHODS: tuple[Method, ...] = (
    Kinematic(), Following(), Quasistatic(), Compliant(), Combined(), Rigid(), Penalty(),
)  # fmt: skip
OF_VERB: dict[str | None, tuple[Method, ...]] = {
    "move": METHODS[:2], "mate": METHODS[2:6], "run": METHODS[5:], None: METHODS,
}  # fmt: skip


def chosen(method: object, verb: Literal["move", "mate", "run"] | None = None) -> None:
    """Refuse what is not a method, or not one of that verb, in words that name the value to give."""
    wanted = OF_VERB[verb]
    fits = (
        hasattr(method, "predict")
        if verb is None
        else isinstance(method, tuple(type(each) for each in wanted))
    )
    if fits and not isinstance(method, type):
        return
    known = ", ".join(f"{type(each).__name__}()" for each in wanted)
    shown = f"the class {method.__name__}" if isinstance(method, type) else clipped(repr(method))
    raise WrongTypeError.at("method", f"{shown} is not a method here", f"give a value: {known}")


def refused(refusal: UnsupportedError, by: Method) -> UnsupportedError:
    """The refusal of one method, its remedy with what the others can."""
    others = [f"{each.name} predicts {each.answers}" for each in METHODS if each.name != by.name]
    problem = refusal.problem
    return UnsupportedError(problem.problem, "; ".join([problem.remedy, *others]), problem.at)


@overload
def method_of(mechanism: Mechanism, verb: Literal["move"]) -> Kinematic | Following: ...
@overload
def method_of(mechanism: Mechanism, verb: Literal["mate"]) -> Quasistatic | Compliant | Combined | Rigid: ...
@overload
def method_of(mechanism: Mechanism, verb: Literal["run"]) -> Rigid | Penalty: ...
@overload
def method_of(mechanism: Mechanism, verb: None = None) -> Method: ...
def method_of(mechanism: Mechanism, verb: Literal["move", "mate", "run"] | None = None) -> Method:
    """The method that a document asks for, by `ask` and verb; without a verb, by its drives and questions."""
    wanted = verb or _verb(mechanism)
    if wanted == "run":
        return _to_run(mechanism)
    return _to_move(mechanism) if wanted == "move" else _to_mate(mechanism)


def _verb(mechanism: Mechanism) -> Literal["move", "mate", "run"]:
    """What the drives are for: legs push a part, positions move a joint or a marker; else what is asked."""
    drives = mechanism.drives.values()
    if any(drive.legs for drive in drives):
        return "mate"
    asked = mechanism.ask
    if asked is None:
        return "move"
    if not drives and asked.mate is not None:
        return "mate"
    if asked.run is not None and (not drives or (asked.move is None and runs_over_time(mechanism))):
        return "run"
    return "move"


def runs_over_time(mechanism: Mechanism) -> bool:
    """Whether its drives say when: each has a speed, or pushes; legs are the plan of a mating."""
    drives = mechanism.drives.values()
    return all(not drive.legs and (gives_torque(drive) or speed_of(drive) is not None) for drive in drives)


def _to_move(mechanism: Mechanism) -> Kinematic | Following:
    ask = mechanism.ask.move if mechanism.ask else None
    if ask is None:
        return Kinematic()
    if ask.contact:
        return Following()
    return kinematic_of(mechanism)


def kinematic_of(mechanism: Mechanism) -> Kinematic:
    """The kinematic method with the document's choices, whether or not it asks to follow contact."""
    ask = mechanism.ask.move if mechanism.ask else None
    if ask is None:
        return Kinematic()
    if ask.method not in (None, "kinematic", "newton_svd"):
        raise UnsupportedError(
            f"`move` does not know the method {ask.method}",
            "use kinematic or newton_svd; no other method is there yet",
            at="ask.move.method",
        )
    return Kinematic(
        breaking=ask.breaking or "searching",
        solver="newton_svd" if ask.method == "newton_svd" else "plan",
        assemblies=ask.assemblies,
    )


def _to_mate(mechanism: Mechanism) -> Quasistatic | Compliant | Combined | Rigid:
    """By what gives way where something does, with rigid parts beside it where some are led; rigid where that
    is asked, or a robot leads rigid parts alone; else exact, unless the document says otherwise.
    """
    ask = mechanism.ask.mate if mechanism.ask is not None and mechanism.ask.mate is not None else AskMate()
    soft = gives_way(mechanism)
    if ask.method == "combined" or (ask.method is None and soft and _rigid_beside(mechanism)):
        return Combined()
    leading = [name for name, drive in mechanism.drives.items() if drive.legs and _by_robot(mechanism, drive)]
    if ask.method == "rigid" or (leading and not soft and ask.method is None):
        return rigid_of(mechanism)
    if leading and not soft:
        words = f"nothing that the robot holds gives way, and {ask.method!r} is not for rigid parts"
        raise UnsupportedError(words, 'ask with method = "rigid", or leave it out', f"drives.{leading[0]}")
    known = ("compliant", "combined", "quasistatic") if soft else ("quasistatic",)
    if ask.method not in (None, *known):
        words = f"mating is decided by the {known[0]} method, not by {ask.method!r}"
        raise UnsupportedError(words, f'ask with method = "{known[0]}", or leave it out', "ask.mate.method")
    return Compliant() if soft else Quasistatic(exact=ask.exact is not False)


def _rigid_beside(mechanism: Mechanism) -> bool:
    from detent.motion.combined.pairs import rigid_beside

    return bool(rings_in(mechanism)) and rigid_beside(mechanism)


def _by_robot(mechanism: Mechanism, drive: Drive) -> bool:
    """Whether a drive leads a robot's flange or gripper."""
    part = mechanism.parts.get(drive.part or part_of(drive.marker or ""))
    return part is not None and is_robot(part)


def _to_run(mechanism: Mechanism) -> Rigid | Penalty:
    """Rigid unless the document says otherwise."""
    method = _asked_run(mechanism).method
    if method not in (None, "rigid", "penalty"):
        words = f"a run over time is computed by the rigid or the penalty method, not by {method!r}"
        raise UnsupportedError(words, 'ask with method = "rigid" or "penalty"', "ask.run.method")
    return penalty_of(mechanism) if method == "penalty" else rigid_of(mechanism)


def method_to_run(mechanism: Mechanism, name: str | None, accuracy: float | None = None) -> Rigid | Penalty:
    """As the document asks, but for the name, rigid or penalty, and the accuracy where they are given."""
    method = method_of(mechanism, "run")
    if name is not None and name != method.name:
        method = rigid_of(mechanism) if name == "rigid" else penalty_of(mechanism)
    return method if accuracy is None else replace(method, accuracy=accuracy)


def _asked_run(mechanism: Mechanism) -> AskRun:
    asked = mechanism.ask.run if mechanism.ask is not None else None
    return AskRun() if asked is None else asked


def rigid_of(mechanism: Mechanism) -> Rigid:
    """The rigid method with the document's accuracy."""
    accuracy = _asked_run(mechanism).accuracy
    return Rigid() if accuracy is None else Rigid(accuracy=float(accuracy))


def penalty_of(mechanism: Mechanism) -> Penalty:
    """The penalty method with the document's table, whatever method it asks for."""
    asked = _asked_run(mechanism)
    method = Penalty() if asked.accuracy is None else Penalty(accuracy=float(asked.accuracy))
    if asked.penalty is None:
        return method
    return replace(
        method,
        stiffness=float(asked.penalty.stiffness),
        damping=float(asked.penalty.damping),
        features=asked.penalty.features or "outline",
    )
