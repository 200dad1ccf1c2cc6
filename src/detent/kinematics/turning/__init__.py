"""How far each part has rotated along a drive path, full rotations counted."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "relations": "AngleRelations angle_relations",
        "pieces": "half_turn_places",
        "count": "TurnCount",
    },
)
