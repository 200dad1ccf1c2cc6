"""The slice of configuration space: curves of contact, free space."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "curves": "FeaturePair angles_at pair",
        "edges": "distinct",
        "freespace": "FreeSpace free_space",
        "outlines": "holding",
        "table": "SlicePoint",
    },
)
