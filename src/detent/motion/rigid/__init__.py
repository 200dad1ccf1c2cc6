"""Machines over time, as rigid bodies that touch without overlap: events, impacts, complementarity."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "bounds": "bound_motion",
        "method": "Rigid",
        "rigid_run": "RigidRun",
        "safe_times": "DEEP safe_time",
        "search": "place_on_step",
        "sweeps": "stays_clear view_pair",
    },
)
