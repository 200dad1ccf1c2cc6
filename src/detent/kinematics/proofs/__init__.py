"""Certificates: that nothing was stepped over, by enclosures."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "certify": "CLOSES OPEN cover drive_models models_of",
        "taylor": "N",
        "taylor_ops": "run_models",
    },
)
