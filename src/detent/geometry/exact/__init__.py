"""Polygons and convex solids in rationals."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "convex": "common convex_parts without",
        "polygon": "ExactLeaf doubled",
        "polytope": "Polytope",
        "union": "joined joined_by",
    },
)
