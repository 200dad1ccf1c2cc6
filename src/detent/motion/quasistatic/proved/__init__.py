"""Following a pawl by proved steps in doubles: what they decide, algebra need not find again."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__, {"arrays": "times_near", "follow": "certified", "tracking": "prove"}
)
