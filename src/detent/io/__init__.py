"""Floor 7: the native file, its schema and migrations; one module per foreign format."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "formats": "load save",
    },
)
