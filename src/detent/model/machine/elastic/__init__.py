"""Elastic supports: from a beam, a plate or a matrix to the stiffness between two parts."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "beam": "beam_compliance",
        "directions": "DIRECTIONS",
        "plate": "PlateBending plate_bending",
        "support": "ElasticMatrices ElasticSupport elastic_matrices elastic_support",
    },
)
