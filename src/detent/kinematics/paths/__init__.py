"""Along a drive path: branches, limits, stops, and what is read off along it."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "assembly_modes": "assemblies",
        "designs": "DesignSweep move_batch sweep_designs",
        "drive_path": "drive_path_of",
        "closed": "closed_walk",
        "extremes": "Extreme extremes_between grid",
        "path_event": "PathEvent PathEventKind",
        "path_limits": "vectors_at",
        "segments": "walk_in_segments",
    },
)
