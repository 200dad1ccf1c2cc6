"""Floor 0: errors, exact numbers, tolerance, units, names, places on disk."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "errors": "DetentError MissingFileError ModelError Problem UnknownNameError UnsupportedError"
        " WrongTypeError",
        "exact": "Number literal number",
        "shown": "Shown",
    },
)
