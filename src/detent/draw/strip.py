"""A picture strip: the machine at the start, at each event, and at the end, side by side."""

from __future__ import annotations

import io
import math

import numpy as np

from detent.draw import png
from detent.draw.film import film
from detent.model.mechanism import Mechanism
from detent.record.trajectory import Trajectory

ACROSS = 3  # pictures in a row
MOST = 16


def strip(mechanism: Mechanism, trajectory: Trajectory, *, size: float = 640) -> bytes:
    """PNG of at most sixteen pictures, a row after the other."""
    from PIL import Image

    times = np.asarray(trajectory.times, dtype=float)
    instants = [times[0], *(event.time for event in trajectory.events), times[-1]]
    rows = list(dict.fromkeys(int(np.argmin(np.abs(times - t))) for t in instants))[:MOST]
    made = film(mechanism, trajectory)
    shots = [Image.open(io.BytesIO(png.write(made.scene(row), size=size))).convert("RGB") for row in rows]
    wide, high = max(s.width for s in shots), max(s.height for s in shots)
    sheet = Image.new("RGB", (wide * min(ACROSS, len(shots)), high * math.ceil(len(shots) / ACROSS)), "white")
    for k, shot in enumerate(shots):
        sheet.paste(shot, ((k % ACROSS) * wide, (k // ACROSS) * high))
    stream = io.BytesIO()
    sheet.save(stream, format="PNG")
    return stream.getvalue()
