"""Pictures over time: films, players, strips."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "gif": "film",
        "strip": "captions",
    },
)
