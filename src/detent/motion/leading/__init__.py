"""What leads a held part along legs: the plan, its path over time, the equations of a robot or a carrier."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "course": "LedPath course_of",
        "energy": "EnergyAccount",
        "leader": "Leader leader_of",
        "on_course": "course_at sample_course",
        "plan": "PushPlan StraightLeg plan_of",
    },
)
