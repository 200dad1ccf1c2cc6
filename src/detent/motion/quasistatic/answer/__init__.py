"""From a run to events, forces and trajectories."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "force": "loaded_stretches some_would_stick",
        "loads": "PawlLoads",
        "report": "leg_story",
        "sampled": "TURNING trajectory",
    },
)
