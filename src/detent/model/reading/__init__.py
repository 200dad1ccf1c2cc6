"""From plain data to tables, with every problem named."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "angles": "odd_angles",
        "build": "Builder",
        "convert": "mechanism plain",
    },
)
