"""Runs as films: a drive followed finely, or any run that was made already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import listed
from detent.foundation.progress import doing
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism

if TYPE_CHECKING:
    from detent.draw.scene.scene import Arrow
    from detent.record.run import Run
    from detent.record.trajectory import Trajectory

FINE = 72  # steps of a drive that look smooth
KINDS = ("gif", "html")


def film_of(
    mechanism: Mechanism,
    run: Trajectory,
    kind: str,
    *,
    arrows: Mapping[int, Sequence[Arrow]] | None = None,
    **size: int,
) -> bytes:
    """A run as one of `KINDS`: a GIF, or a page that plays it; `size` is the longer side [px], `arrows` are
    shown at their rows."""
    from detent.draw.film import gif, player

    with doing("drawing the film"):
        film = gif.film(mechanism, run, arrows=arrows)
        return gif.gif(film, **size) if kind == "gif" else player.page(film, **size).encode()


def standing(mechanism: Mechanism, run: Trajectory) -> list[str]:
    """Moving parts that a run says nothing of; a run of another machine is refused."""
    strange = [part for part in run.poses if part not in mechanism.parts]
    if strange:
        words = f"the run moves {listed(strange)}, which this machine does not have"
        raise ModelError.at("--along", words, "give a run of this machine")
    return [name for name, part in mechanism.parts.items() if not part.fixed and name not in run.poses]


def driven(mechanism: Mechanism, drives: Mapping[str, Drive] | None = None) -> Trajectory:
    """The document's own drives, or those given, followed finely enough for a film."""
    from detent.motion.methods import method_of

    followed = followed_drives(mechanism, drives)
    return fine(method_of(mechanism, "move").predict(mechanism, drives=followed))


def fine(run: Run) -> Trajectory:
    """A run as a film shows it."""
    return run.finer(FINE)


def followed_drives(mechanism: Mechanism, drives: Mapping[str, Drive] | None = None) -> dict[str, Drive]:
    """The drives that a film of a linkage can show; others of the document are left out."""
    asked = mechanism.drives if drives is None else drives
    followed = {
        name: drive for name, drive in asked.items() if drive.joint is not None or drive.path is not None
    }
    if mechanism.dimension != 2 or not followed:
        remedy = "drive a joint, or save a run, `predict(…).trajectory.to_json()`, for `detent draw --along`"
        if any(drive.legs for drive in asked.values()):
            remedy = (
                "a push along legs is shown by `detent mate --film`, of a fastener, or `detent run --film`"
            )
        raise UnsupportedError(
            "a film shows a run, and no drive of this document moves a joint or a marker in the plane",
            remedy,
            at="drives",
        )
    return followed
