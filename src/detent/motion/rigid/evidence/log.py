"""What the loop of the rigid method has written, taken out of its blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.motion.rigid import layout
from detent.motion.rigid.layout import view

if TYPE_CHECKING:
    from detent.motion.rigid.layout import Blocks
    from detent.record.event import EventKind


def taken(blocks: Blocks) -> tuple[Any, ...]:
    """What the log holds now."""
    steps, events = view(blocks, layout.FILLED)[0, :2]
    points = view(blocks, layout.STEP_POINTS)
    return (
        view(blocks, layout.STEPS)[:steps].copy(),
        points[: 6 * steps].reshape(steps, 6, points.shape[1]).copy(),
        view(blocks, layout.STEP_TOUCHING)[:steps].copy(),
        view(blocks, layout.STEP_SLIDING)[:steps].copy(),
        view(blocks, layout.EVENTS)[:events].copy(),
    )


def at_start(blocks: Blocks) -> tuple[Any, ...]:
    """The log of a run that ends where it begins: one step of no length, as it stands and moves there."""
    motion, until = view(blocks, layout.MOTION), float(view(blocks, layout.CONTROL)[0, layout.UNTIL])
    ahead = until * np.linspace(0.0, 1.0, 6)[:, None] * motion[layout.MOVING]
    *_, touching, sliding, happened = taken(blocks)
    count = int(view(blocks, layout.CLOCK)[0, layout.COUNT])
    acts = np.full((1, touching.shape[1]), -1)
    acts[0, :count] = view(blocks, layout.TOUCHING)[0, :count]
    slides = np.zeros((1, sliding.shape[1]))
    return np.array([[0.0, until, 0.0]]), (motion[layout.AT] + ahead)[None], acts, slides, happened


def closing(blocks: Blocks, rubbing: int) -> tuple[int, ...]:
    """What touches now, but for joints that rub; those first that would close fastest without forces."""
    count = int(view(blocks, layout.CLOCK)[0, layout.COUNT])
    touching, right = view(blocks, layout.TOUCHING)[0], view(blocks, layout.COLUMNS)[layout.RIGHT]
    return tuple(n for n in touching[np.argsort(right[:count])].tolist() if n < rubbing)


def slides(steps: Any, touching: Any, sliding: Any) -> Iterator[tuple[float, EventKind, int]]:
    """When, how and which contact that goes on touching begins to slide, stops, or slides back."""
    if not sliding.any():
        return
    rubs = (sliding != 0).any(axis=1)
    for step in np.flatnonzero(rubs[1:] | rubs[:-1]) + 1:
        before, after = (
            dict(zip(touching[k].tolist(), sliding[k].tolist(), strict=True)) for k in (step - 1, step)
        )
        for candidate in after.keys() & before.keys() - {-1}:
            one, other = before[candidate], after[candidate]
            if one != other:
                kind: EventKind = "slide" if one == 0 else "stick" if other == 0 else "reversal"
                yield float(steps[step, 0]), kind, candidate
