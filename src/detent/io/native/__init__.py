"""Detent's own documents: TOML and JSON."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "document": "dumps load loads loads_json loads_toml save",
    },
)
