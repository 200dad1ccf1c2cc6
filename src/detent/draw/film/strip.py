"""A picture strip: the machine at the start, at each event, and at the end, with what happens below each.

A snap has two pictures: where it lets go, and where it lands.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from detent.draw.film.gif import film
from detent.draw.paper import png
from detent.draw.paper import text as words
from detent.draw.paper.page import LINE, SMALL, TITLE, fit
from detent.draw.scene.scene import Arrow, Scene, Text
from detent.model.document.mechanism import Mechanism
from detent.record.trajectory import Trajectory

ACROSS = 3  # pictures in a row
MOST = 30


def strip(
    mechanism: Mechanism,
    trajectory: Trajectory,
    *,
    told: Mapping[int, list[str]] | None = None,
    arrows: Mapping[int, Sequence[Arrow]] | None = None,
    size: float = 480,
) -> bytes:
    """PNG of at most thirty pictures, in rows: at the events, or at the rows that are `told`, with their
    words and arrows."""
    captions_by_row = captions(trajectory) if told is None else told
    frames = film(mechanism, trajectory, arrows=arrows)
    shots = [
        (replace(frames.scene(row), title="", note=""), caption)
        for row, caption in list(captions_by_row.items())[:MOST]
    ]
    title = mechanism.title or ("the machine at its events" if told is None else "the machine at its moments")
    if len(captions_by_row) > MOST:
        title += f" (the first {MOST} of {len(captions_by_row)} pictures)"
    return sheet(shots, title, size=size, one_key=True)


def sheet(
    shots: Sequence[tuple[Scene, list[str]]], title: str, *, size: float = 480, one_key: bool = False
) -> bytes:
    """PNG of pictures with words below each, in rows, under a title. With one key, pictures of one scale
    share scale bar and colours of parts, which stand once at the foot."""
    from PIL import Image

    images = []
    foot = None
    for scene, caption in shots:
        picture = _image(scene, size)
        if one_key:
            frame = fit(scene, size)
            below_machine = round(frame.bottom * picture.height / frame.high)
            foot = picture.crop((0, below_machine, picture.width, picture.height))
            picture = picture.crop((0, 0, picture.width, below_machine))
        below = _image(_lines(caption, picture.width, SMALL + 2), picture.width)
        images.append((picture, below))
    wide = max(picture.width for picture, _ in images)
    high = max(picture.height for picture, _ in images)
    each = high + max(below.height for _, below in images)
    across = min(ACROSS, len(images))
    head = _image(_lines([title], wide * across, TITLE), wide * across)
    end = head.height + each * math.ceil(len(images) / ACROSS)
    paper = Image.new("RGB", (wide * across, end + (0 if foot is None else foot.height)), "white")
    paper.paste(head, (0, 0))
    if foot is not None:
        paper.paste(foot, (0, end))
    for k, (picture, below) in enumerate(images):
        x, y = (k % ACROSS) * wide, head.height + (k // ACROSS) * each
        paper.paste(picture, (x, y))
        paper.paste(below, (x, y + high))
    stream = io.BytesIO()
    paper.save(stream, format="PNG")
    return stream.getvalue()


def captions(trajectory: Trajectory) -> dict[int, list[str]]:
    """The rows shown, in order, each with its lines of words."""
    times = np.asarray(trajectory.times, dtype=float)
    unit = f" {trajectory.unit_of_times}".rstrip()
    lines_by_row: dict[int, list[str]] = {0: [f"{times[0]:.4g}{unit}: start"]}
    for event in trajectory.events:
        nearest = np.abs(times - event.time)
        rows = np.flatnonzero(nearest == nearest.min())
        when = f"{event.time:.6g}{unit}"
        if event.kind == "snap":
            lines_by_row.setdefault(int(rows[0]), []).append(f"{when}: snap, {event.joint} lets go")
            lines_by_row.setdefault(int(rows[-1]), []).append(f"{when}: landed")
        else:
            who = event.joint or ", ".join(event.subjects)
            lines_by_row.setdefault(int(rows[0 if event.joint is None else -1]), []).append(
                f"{when}: {event.kind}, {who}"
            )
    cause = "" if trajectory.stop is None else trajectory.stop.cause
    if not any(event.kind == cause for event in trajectory.events):
        lines_by_row.setdefault(len(times) - 1, []).append(
            f"{times[-1]:.6g}{unit}: end, {cause}".removesuffix(", ")
        )
    return dict(sorted(lines_by_row.items()))


def _lines(lines: list[str], wide: float, size: float) -> Scene:
    placed = [line for text in lines for line in words.wrap(text, size, wide - 20)]
    step = LINE * size
    items = tuple(Text((12.0, 6 + size + k * step), line, size) for k, line in enumerate(placed))
    return Scene(items, title=" ", paper=(wide, 12 + size + step * len(placed)), scale_bar=False)


def _image(scene: Scene, size: float) -> Any:
    from PIL import Image

    return Image.open(io.BytesIO(png.write(scene, size=size))).convert("RGB")
