"""The kinematic method: linkages of the plane along their drives (MechEdit, Brunkhart 1994)."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "answer": "motion_of",
        "linkage_run": "LinkageRun",
        "method": "Kinematic",
    },
)
