"""Operations on documents, and the changes that undo them."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "edit": "edited",
        "operation": "AddDrive AddJoint AddMarker AddPart Ground Join MoveMarker Operation Paste PlaceParts"
        " Remove RemoveDrive RemoveJoint RemoveMarker RemovePart Rename SetNumber SetUnits ToggleJoint",
        "posing": "with_markers with_poses",
    },
)
