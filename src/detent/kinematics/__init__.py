"""Floor 4: where the links of a plane mechanism are, and how they move (MechEdit, Brunkhart 1994)."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "equations.start": "closed_pose",
        "execution.derivatives": "PartRates part_rates",
        "execution.sweeping": "Frames sweep",
        "paths.designs": "move_batch",
        "paths.drive_path": "DrivePath drive_path_of",
        "plan": "make_plan",
        "planning.poses": "marker_tracks part_poses",
        "planning.tables": "Plan",
    },
)
