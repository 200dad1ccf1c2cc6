"""Compliant mating: a part pushed along legs against what gives way, without inertia."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "connections": "connections_of",
        "compliant_run": "CompliantRun",
        "followed": "Connection ContactChange FollowedLeg",
        "hooks.finer": "HookRow finer",
        "method": "Compliant",
    },
)
