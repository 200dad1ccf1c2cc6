"""The machine that a document describes: what is placed where, what is joined to what, what it weighs."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "joint_gaps": "gaps",
        "placed": "JointEnd Placed PlacedJoint place",
        "touching": "TouchingPairs",
        "mass": "mass_from_shape",
        "solids": "part_solid",
        "plane_linkage": "PlaneJoint PlaneLinkage PlanePoint plane_linkage_of plane_view",
        "state": "State",
        "system": "WORLD Body InferredJoint System SystemEnd SystemJoint compile_system with_joints",
        "timing": "problems",
    },
)
