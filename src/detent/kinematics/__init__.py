"""Floor 4: where the links of a plane mechanism stand, and how they move (MechEdit, Brunkhart 1994)."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "plan": "make_plan",
    },
)
