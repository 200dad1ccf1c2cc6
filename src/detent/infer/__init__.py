"""Floor 6: joints, gears and interactions found from the shapes of parts, each with its reason."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "asked": "resolved",
        "found": "Dropped Inference InferredPair OpenQuestion StateVariable",
        "inference": "infer",
        "symmetry": "Symmetry symmetries",
    },
)
