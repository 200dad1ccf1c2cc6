"""Real roots, exactly and in balls."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "algebraic": "Real between compare real real_roots",
        "bernstein": "may_vanish",
        "enclose": "FALLS NONE RISES UNSURE first_touch first_zero",
        "enclosed": "enclosed_root",
        "quartic": "DOUBT HALVINGS NO_ROOT first_fall",
    },
)
