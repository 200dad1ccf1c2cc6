"""Floor 0: errors, exact numbers, tolerance, units, names, places on disk."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "errors": "DetentError MissingFileError ModelError NoRunError Problem UnknownNameError"
        " UnsupportedError WrongTypeError",
        "exact": "LARGEST Number SMALLEST literal number",
        "names": "ascii_name is_name",
        "progress": "doing now reached",
        "shown": "Shown",
        "units": "METRES meant",
    },
)
