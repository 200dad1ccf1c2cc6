"""Questions of a hand on the linkage: the plan of a grab, a pull without a plan, closing after an edit.

All mechanics is `detent.motion.live.grabbing`; here plain data becomes a call and back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from detent.app.server.message import text_of
from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean
from detent.model.document.mechanism import Mechanism

if TYPE_CHECKING:
    from detent.motion.live.grabbing import Grab

Fields = dict[str, Any]
Plain = dict[str, Any]


def grab(question: Fields, mechanism: Mechanism) -> Plain:
    """How the point can go, and the tables that move it; `plan` null where only `drag` can."""
    from detent.motion.live import grabbing as room

    grabbed = _grabbed(question, mechanism)
    plan = None if grabbed.plan is None else {**grabbed.plan.to_json(), "size": grabbed.system.size}
    poses = room.poses_out(grabbed.system, grabbed.poses)
    return {"kind": grabbed.kind, "joint": grabbed.joint, "why": grabbed.why, "plan": plan, "poses": poses}


def stretch(question: Fields, mechanism: Mechanism) -> Plain:
    """Between which values of the driven coordinate that plan's linkage goes on; proofs take their time."""
    return {"stretch": _grabbed(question, mechanism).stretch}


def _grabbed(question: Fields, mechanism: Mechanism) -> Grab:
    from detent.motion.live import grabbing as room

    return room.grab(
        mechanism,
        _poses(question),
        text_of(question, "part"),
        _point(question, "point"),
        cuts=question.get("cuts") is not False,
    )


def drag(question: Fields, mechanism: Mechanism) -> Plain:
    """Poses with the point nearer to the target; `going` where another question brings it nearer still."""
    from detent.motion.live import grabbing as room

    pulled = room.pull(
        mechanism,
        _poses(question) or {},
        text_of(question, "part"),
        _point(question, "point"),
        _point(question, "target"),
    )
    return {"poses": pulled.poses, "reached": pulled.reached, "going": pulled.going}


def solve(question: Fields, mechanism: Mechanism) -> Plain:
    """An edit that must be solved, by its name."""
    name = text_of(question, "operation")
    if name not in SOLVED:
        raise ModelError.at("operation", f"there is no operation {name[:40]!r}", did_you_mean(name, SOLVED))
    answer: Plain = SOLVED[name](question, mechanism)
    return answer


def _close(question: Fields, mechanism: Mechanism) -> Plain:
    """Every joint closed by least motion from where the parts are."""
    from detent.motion.live import grabbing as room

    system, poses = room.closed_at(mechanism, _poses(question))
    return {"poses": room.poses_out(system, poses)}


def _join(question: Fields, mechanism: Mechanism) -> Plain:
    """Two markers pulled together and joined; where they cannot be: by how much, the document as it was."""
    from detent.model.editing.operation import Join
    from detent.model.editing.posing import with_poses
    from detent.model.reading import convert
    from detent.motion.edit import edit

    placed = with_poses(mechanism, poses) if (poses := _poses(question)) else mechanism
    edited = edit(placed, Join(text_of(question, "first"), text_of(question, "second")))
    document = convert.plain(edited.mechanism)
    return {"done": edited.done, "why": edited.why, "apart": edited.apart, "document": document}


def _turn(question: Fields, mechanism: Mechanism) -> Plain:
    """A part at a direction, and the joints closed."""
    from detent.motion.live import grabbing as room
    from detent.motion.live.turning import turned

    angle = question.get("turn")
    if not isinstance(angle, (int, float)) or isinstance(angle, bool):
        raise ModelError.at("turn", "expected an angle", "give it in radians")
    system, poses = turned(mechanism, _poses(question), text_of(question, "part"), float(angle))
    return {"poses": room.poses_out(system, poses)}


SOLVED = {"close": _close, "join": _join, "turn": _turn}


def _poses(question: Fields) -> Mapping[str, Sequence[float]] | None:
    value = question.get("poses")
    if value is None:
        return None
    whole = isinstance(value, dict) and all(_numbers(pose, 3) for pose in value.values())
    if not whole:
        raise ModelError.at("poses", "expected a table of parts", "give {part: [x, y, angle]}")
    poses: Mapping[str, Sequence[float]] = value
    return poses


def _point(question: Fields, name: str) -> Sequence[float]:
    value = question.get(name)
    if not _numbers(value, 2):
        raise ModelError.at(name, "expected a point", "give [x, y]")
    point: Sequence[float] = value  # type: ignore[assignment]
    return point


def _numbers(value: object, count: int) -> bool:
    if not isinstance(value, list) or len(value) != count:
        return False
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in value)
