"""Detent predicts what a machine will do from the shape of its parts.

The public verbs live in `detent.app.verbs` and are loaded when first used, so
that `import detent` costs nothing.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"

_VERBS = {
    "load": "detent.app.verbs",
    "save": "detent.app.verbs",
    "explain": "detent.app.verbs",
    "predict": "detent.app.verbs",
    "modes": "detent.app.verbs",
    "Contacts": "detent.contact.contacts",
    "mate": "detent.app.verbs",
    "move": "detent.app.verbs",
    "move_designs": "detent.app.verbs",
    "edit": "detent.app.verbs",
    "Builder": "detent.model.reading.build",
    "Mechanism": "detent.model.document.mechanism",
    "ModelError": "detent.foundation.errors",
    "UnsupportedError": "detent.foundation.errors",
}

__all__ = ["__version__", *_VERBS]


def __getattr__(name: str) -> Any:
    if name not in _VERBS:
        raise AttributeError(f"module 'detent' has no attribute {name!r}")
    import sys
    from importlib import import_module

    # Only where a notebook host is loaded: its users get pictures, nobody else pays for them.
    if "IPython" in sys.modules or "marimo" in sys.modules:
        import_module("detent.draw.notebook").register()
    return getattr(import_module(_VERBS[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
