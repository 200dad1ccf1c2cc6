"""A drive as a film shows it: followed finely, and as the Trajectory that films and players take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from detent.foundation.errors import UnsupportedError
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism

if TYPE_CHECKING:
    from detent.record.trajectory import Trajectory

FINE = 72  # positions of a drive that look smooth
KINDS = ("gif", "html")


def film_of(mechanism: Mechanism, run: Trajectory, kind: str, **size: int) -> bytes:
    """A run as one of `KINDS`: a GIF, or a page that plays it; `size` is the longer side [px]."""
    from detent.draw.film import gif, player

    made = gif.film(mechanism, run)
    return gif.gif(made, **size) if kind == "gif" else player.page(made, **size).encode()


def driven(mechanism: Mechanism, drives: Mapping[str, Drive] | None = None) -> Trajectory:
    """The document's own drives, or those given, followed finely enough for a film."""
    import numpy as np

    from detent.motion.kinematic import move
    from detent.record.trajectory import Trajectory

    asked = mechanism.drives if drives is None else drives
    followed = {
        name: drive for name, drive in asked.items() if drive.joint is not None or drive.path is not None
    }
    if mechanism.dimension != 2 or not followed:
        raise UnsupportedError(
            "a film shows a run, and no drive of this document moves a joint or a marker in the plane",
            "drive a joint, or save a run with to_json() and use `detent draw --along`",
            at="drives",
        )
    fine = {
        name: replace(drive, steps=max(drive.steps, FINE)) if drive.steps else drive
        for name, drive in followed.items()
    }
    motion = move(mechanism, drives=fine)
    single = len(motion.coordinates) == 1
    shown = motion.inputs if single else range(len(motion.inputs))
    return Trajectory(
        times=np.array(shown, dtype=float),
        times_are=motion.drives[0] if single else "position",
        poses={part: np.asarray(rows) for part, rows in motion.poses.items()},
        units=mechanism.units,
    )
