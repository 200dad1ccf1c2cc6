"""What holds a fastener: pulls out of it, a whole fan of them, boundaries between holding and not."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "enclosing": "EnclosedPulls",
    },
)
