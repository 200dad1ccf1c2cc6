"""Plan time: from a linkage to tables that an executor runs."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "blocks": "PINNED SLIDING WIDTH",
        "limit_rows": "with_stops",
        "poses": "part_poses",
        "tables": "BLOCK CUT Ints Plan",
    },
)
