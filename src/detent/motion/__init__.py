"""Floor 6: predicting motion; one package or module a method."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "kinematic": "Kinematic move",
        "live.prepared": "prepare",
        "methods": "Quasistatic Undecided",
        "quasistatic.floats.designs": "PawlDesigns decide push_batch",
        "quasistatic.machine.fasteners": "fastener",
    },
)
