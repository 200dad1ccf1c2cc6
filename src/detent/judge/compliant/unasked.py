"""Questions of a document that matings of parts that give way do not answer."""

from __future__ import annotations

from detent.model.document.mechanism import Mechanism

_ASKED = (
    *("exact", "depth", "apart", "goal", "directions", "ratio", "uncertain", "until"),
    *("fan", "holding_friction", "holds_below", "margin", "margin_steps", "force_digits"),
)


def fastener_questions(mechanism: Mechanism) -> list[str]:
    """What `ask.mate` asks that only fasteners of rigid parts answer, by its key."""
    ask = None if mechanism.ask is None else mechanism.ask.mate
    return [
        f"ask.mate.{key}: asked of fasteners of rigid parts alone"
        for key in _ASKED
        if getattr(ask, key, None) not in (None, False)
    ]
