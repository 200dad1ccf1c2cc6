"""The tables of a document: what a machine is, as written."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "drive": "Drive",
        "joint": "Joint Limits",
        "joint_types": "JOINT_TYPES JointType",
        "mechanism": "Mechanism",
        "part": "LIBRARY Marker Part Pose",
    },
)
