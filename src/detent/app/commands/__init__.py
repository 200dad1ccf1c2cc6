"""One module a verb: `configure` adds its flags, `run` returns an `Answer`."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "open": "place",
    },
)
