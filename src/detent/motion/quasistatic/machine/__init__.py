"""The fastener that a document describes."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "fasteners": "Fastener fastener",
        "polygons": "leaves_of",
    },
)
