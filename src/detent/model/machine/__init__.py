"""The machine that a document describes: where everything stands, who is joined to whom, what it weighs."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "joint_gaps": "gaps",
        "placed": "JointEnd Placed PlacedJoint place",
        "touching": "TouchingPairs",
        "mass": "mass_from_shape",
        "solids": "part_solid",
        "system": "compile_system",
        "timing": "problems",
    },
)
