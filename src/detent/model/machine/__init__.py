"""The machine that a document describes: what is placed where, what is joined to what, what it weighs."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "drawn.joint_gaps": "gaps",
        "inferred": "InferredJoint mechanism_with_joints with_joints",
        "placed": "JointEnd Placed PlacedJoint place",
        "touching": "TouchingPairs",
        "mass": "mass_from_shape part_mass",
        "solids": "part_solid",
        "seen_along": "seen_along_axis",
        "plane_linkage": "PlaneJoint PlaneLinkage PlanePoint plane_linkage_of plane_view",
        "state": "State",
        "system": "WORLD Body System SystemEnd SystemJoint compile_system",
        "timing": "problems",
    },
)
