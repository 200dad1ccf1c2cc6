"""Floor 4: rows of joints and contacts, inertia, springs: what every force method shares."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "inertia": "bias knows_masses mass_matrix weight",
        "joints": "Bodies held_rows",
        "row": "GROUND wrench_row",
    },
)
