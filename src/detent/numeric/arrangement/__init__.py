"""Arrangements of hyperplanes: cells, signs, counts."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "check": "EULER_CELLS assert_sound unfaithful",
        "complex": "ComplexBuilder EQUAL FloatWitnesses IN_LINE TooManyCellsError",
        "faces": "Referee faces_inside walk_floats",
        "flats_exact": "walk_integers",
        "integers": "Integers exact_null_space integer_matrix pivot_columns",
        "store": "NO_NODE",
    },
)
