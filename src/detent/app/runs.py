"""A run of a document: of touching parts, or of what is led along legs, stepped as its mating is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from detent.app import inputs
from detent.judge.running import run
from detent.judge.stepped_run import stepped_run
from detent.motion.methods import chosen

if TYPE_CHECKING:
    from detent.judge.stepped_run import SteppedMating
    from detent.model.document.mechanism import Mechanism
    from detent.record.running import Running


def ran(document: Mechanism, asked: Mapping[str, Any]) -> Running | SteppedMating:
    """What `judge.running.run` is asked, answered by what follows the document over time."""
    if asked["method"] is not None:
        chosen(asked["method"], "run")
    led = inputs.led_by_legs(document, asked["drives"])
    if led is not None:
        return stepped_run(led, **asked)
    machine, view = inputs.in_layers(document, shapes_stop=True)
    return inputs.with_view(run(machine, **asked), view)
