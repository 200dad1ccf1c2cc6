"""Floor 6: predicting motion; one package or module a method."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "combined.method": "Combined",
        "compliant.method": "Compliant",
        "kinematic.method": "Kinematic",
        "live.prepared": "prepare",
        "methods": "METHODS Method method_of",
        "penalty.method": "Penalty",
        "prediction": "move predict",
        "quasistatic.floats.designs": "PawlDesigns decide push_batch",
        "quasistatic.machine.fasteners": "fastener",
        "quasistatic.doubt": "Undecided",
        "quasistatic.method": "Quasistatic",
        "rigid.following.method": "Following",
        "rigid.method": "Rigid",
    },
)
