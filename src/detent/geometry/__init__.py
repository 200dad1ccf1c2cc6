"""Floor 2: frames, outlines, solids, features, gaps, envelopes, mass."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "frame": "AXES Frame",
        "pose": "matrix_of quaternion_of",
        "solid": "Point Solid Torus leaves",
    },
)
