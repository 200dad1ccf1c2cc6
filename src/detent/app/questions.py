"""Which question a document itself asks, of those that can be answered today."""

from __future__ import annotations

from detent.foundation.errors import UnsupportedError
from detent.model.document.mechanism import Mechanism


def verb_for(mechanism: Mechanism) -> str:
    """The verb of the document's own question; `explain` where nothing answers that yet, or it has none."""
    ask = mechanism.ask
    asked = [
        verb
        for verb in ("move", "mate", "run", "modes", "outlook")
        if ask is not None and getattr(ask, verb) is not None
    ]
    if not asked or (asked[0] == "mate" and not _can_mate(mechanism)):
        return "explain"
    return asked[0]


def _can_mate(mechanism: Mechanism) -> bool:
    from detent.model.machine.pushed.compliant import gives_way
    from detent.motion.quasistatic.machine.fasteners import fastener

    if gives_way(mechanism):
        return True
    try:
        fastener(mechanism)
    except UnsupportedError:
        return False
    return True
