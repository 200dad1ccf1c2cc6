"""What each operation of a plan computes."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "vectorised": "LANES",
    },
)
