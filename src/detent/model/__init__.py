"""Floor 3: the model as frozen data, and what can be said of it without moving it."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "document.drive": "Drive",
        "document.joint": "Beam Joint Plate Spring",
        "document.mechanism": "Mechanism",
        "document.part": "Marker Material Part Pose",
        "document.shipped_materials": "SHIPPED",
        "editing.operation": "AddDrive AddJoint AddMarker AddPart Ground Join MoveMarker Paste PlaceParts"
        " Remove RemoveDrive RemoveJoint RemoveMarker RemovePart Rename SetNumber SetUnits ToggleJoint",
        "machine.solids": "part_solid",
        "machine.inferred": "InferredJoint mechanism_with_joints with_joints",
        "machine.placed": "Placed place",
        "machine.plane_linkage": "PlaneLinkage plane_linkage_of plane_view",
        "machine.state": "State",
        "machine.system": "System compile_system",
        "machine.touching": "TouchingPairs",
        "reading.build": "Builder",
        "reading.convert": "mechanism plain",
    },
)
