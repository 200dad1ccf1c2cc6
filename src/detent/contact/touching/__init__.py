"""Contacts found from a document: given, or from shapes that touch."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "document": "contacts_of",
        "near": "near_misses pair_gaps",
        "off_shapes": "given_off_shapes",
        "piece_contacts": "Meeting without_buried",
        "pieces": "pieces_of",
        "touching": "touching_parts",
    },
)
