"""Questions that move a linkage: sweeps over a drive, the curves of its points, and what they weigh.

All mechanics is `detent.motion`; here a question becomes a call, and a record
becomes plain data. Poses that a page sends are where its parts are now; the
answer starts from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from detent.app.inputs import in_layers, joined, with_view
from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism
from detent.model.editing.posing import with_poses
from detent.model.machine.timing import at_first_position, in_few_steps, moving_drives
from detent.model.reading import convert
from detent.record.base import builtins

if TYPE_CHECKING:
    from detent.record.motion import Motion
    from detent.record.trajectory import Trajectory

Fields = dict[str, Any]
Plain = dict[str, Any]

_REACHED, _MOST_PARTS = 36, 200  # steps along which it is seen how far a motion reaches, of so many parts
_FEW = 4  # steps of a drive that is only followed to see how far it comes


def at_page_poses(question: Fields, mechanism: Mechanism) -> Mechanism:
    """The mechanism where the page shows it."""
    poses = question.get("poses")
    if poses is None:
        return mechanism
    if not isinstance(poses, Mapping):
        raise ModelError.at("poses", "expected a table of parts", "give {part: [x, y, angle]}")
    return with_poses(mechanism, poses)


def moved(question: Fields, mechanism: Mechanism) -> Motion:
    """The linkage through the positions of its drives, or of one of them; in space as `picture` shows it."""
    from detent.motion.prediction import move

    drives = _drives(question, mechanism)
    if mechanism.dimension == 3:  # it is not pulled, so that it is where it was drawn
        seen, view = in_layers(mechanism)
        return with_view(move(seen, drives=drives), view)
    return move(joined(at_page_poses(question, mechanism)), drives=drives)


def out_of_reach(mechanism: Mechanism) -> str:
    """Why not even the first position of the drives can be reached, as `move` says it; empty where it can."""
    from detent.draw.words.move import range_words
    from detent.motion.methods import method_of
    from detent.motion.prediction import move

    drives = moving_drives(mechanism.drives)
    if mechanism.dimension != 2 or not any(drive.joint or drive.path for drive in drives.values()):
        return ""
    first = {name: at_first_position(drive) for name, drive in drives.items()}
    if len(method_of(mechanism, "move").predict(mechanism, drives=first).trajectory.times):
        return ""
    motion = move(mechanism, drives=first)
    return "; ".join([*motion.notes, *(f"range: {words}" for words in range_words(motion))])


def course(question: Fields, mechanism: Mechanism) -> Plain:
    """Whether the drives come to their last position: where and why not, in words, as `move` says it.

    What stops a linkage is found between positions, so that few of evenly spaced ones say as much as many.
    """
    from detent.draw.words.move import short_of_its_end

    drives = moving_drives(mechanism.drives)
    few = {name: in_few_steps(drive, _FEW) for name, drive in drives.items()}
    even = all(thinned is not drive for thinned, drive in zip(few.values(), drives.values(), strict=True))
    motion = moved({}, replace(mechanism, drives={**mechanism.drives, **few}) if even else mechanism)
    return {"stops_short": short_of_its_end(motion), "reach": _reach(motion, mechanism.dimension == 2)}


def _reach(motion: Motion, finer: bool) -> Plain:
    """Poses along the drives, for the page to have all of the motion in view; none of very many parts."""
    if not len(motion.inputs) or len(motion.poses) > _MOST_PARTS:
        return {}
    poses = motion.run.finer(_REACHED).poses if finer and motion.has_run else motion.poses
    reached: Plain = builtins(dict(poses))
    return reached


def play(question: Fields, mechanism: Mechanism) -> Plain:
    """A sweep of poses."""
    record: Plain = builtins(moved(question, mechanism))
    kept = ("inputs", "coordinates", "coordinate_units", "times", "poses", "limits", "limit_points")
    return {key: record[key] for key in (*kept, "certified", "stop", "stopped_at", "notes")}


def analyse(question: Fields, mechanism: Mechanism) -> Plain:
    """The whole record of `detent move`, and its words by their labels."""
    from detent.draw.words.layout import labelled
    from detent.draw.words.move import words

    motion = moved(question, mechanism)
    record: Plain = builtins(motion)
    text = words(motion, mechanism)
    return {**record, "words": labelled(text, title=text.partition("\n")[0])}


def curves(question: Fields, mechanism: Mechanism) -> Plain:
    """Where points of parts go over the drive."""
    motion = moved(question, mechanism)
    return {"inputs": builtins(motion.inputs), "curves": [_curve(motion, p) for p in _points(question)]}


def filmed(question: Fields, mechanism: Mechanism) -> Trajectory:
    """The drive as films and players take it."""
    from detent.app.films import driven

    drives = _drives(question, mechanism)
    if mechanism.dimension == 3:
        return driven(in_layers(mechanism)[0], drives)
    return driven(at_page_poses(question, mechanism), drives)


def _curve(motion: Motion, point: tuple[str, float, float]) -> list[list[float]]:
    import numpy as np

    part, x, y = point
    if part not in motion.poses:
        raise ModelError.at("points", f"there is no moving part {part!r}", did_you_mean(part, motion.poses))
    poses = np.asarray(motion.poses[part])
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    drawn: list[list[float]] = np.stack(
        [poses[:, 0] + cos * x - sin * y, poses[:, 1] + sin * x + cos * y], axis=1
    ).tolist()
    return drawn


def _points(question: Fields) -> list[tuple[str, float, float]]:
    try:
        return [(str(p["part"]), float(x), float(y)) for p in question["points"] for x, y in [p["point"]]]
    except (KeyError, TypeError, ValueError):
        raise ModelError.at("points", "expected points", "give [{part, point: [x, y]}, …]") from None


def _drives(question: Fields, mechanism: Mechanism) -> dict[str, Drive] | None:
    """By name one of the document's; as a table one of the page's own."""
    wanted = question.get("drive")
    if wanted is None:
        return None
    if isinstance(wanted, str):
        if wanted not in mechanism.drives:
            remedy = did_you_mean(wanted, mechanism.drives)
            raise ModelError.at("drive", f"there is no drive {wanted[:40]!r}", remedy)
        return {wanted: mechanism.drives[wanted]}
    drive = convert.table(wanted, Drive, "drive")
    return {drive.joint or "drive": drive}
