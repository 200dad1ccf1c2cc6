"""A picture as data: what is drawn, in which colours."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "palette": "CONTACT",
        "scene": "Area Arrow Bar DrawnDisc Label DrawnLine Scene Style Symbol Text",
    },
)
