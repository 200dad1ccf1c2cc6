"""Known machines and parts as data: factories that return a Mechanism, with stated defaults."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "drawing": "meet pinned polar",
        "looks": "brought solid_of LIBRARY_SOLIDS",
        "mechedit": "PERFORMANCE_TABLE stress",
        "puma560": "link_frames",
    },
)
