"""Many straight runs at once, enclosed: which ends a whole box of pushes can come to, as a bound."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "pairs": "StraightPushes",
    },
)
