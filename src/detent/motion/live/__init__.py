"""A linkage held ready for an editor: dragged, reached, swept."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "grabbing": "grab pull",
        "prepared": "prepare",
        "turning": "turned",
    },
)
