"""Enumerating, counting and describing contact modes."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "batch": "modes_batch modes_of_many",
        "count_one": "CountingRows count count_exactly",
        "counting": "count_contacting_separating count_modes counts",
        "enumerate": "Budget",
        "grouping": "Group separated_groups groups groups_exactly",
        "in_line": "signs_in_line",
        "incremental": "with_contact",
        "mode": "ModeSet modes",
        "nonlinear": "round_modes",
        "polar": "face_lattice polar_modes zonotope_modes",
        "removal": "without_contact",
        "sliding": "sliding_modes stream",
        "space": "exact_space float_space row_space",
        "streaming": "stream_texts",
        "velocity_cone": "cone",
    },
)
