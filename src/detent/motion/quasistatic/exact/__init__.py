"""Following a pawl by algebra."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "legs": "LegRun PlanRun StraightPush run_leg run_plan",
        "pawl": "PawlRun SlidingStretch",
    },
)
