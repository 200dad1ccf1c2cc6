"""Operations on documents, and the changes that undo them."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "operation": "AddPart Join MoveMarker",
        "repose": "with_poses with_markers",
    },
)
