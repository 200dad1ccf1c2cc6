"""Quasi-static motion of fasteners, decided exactly (Donald & Pai 1992)."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "decide": "DecidedRuns",
        "fastener_run": "FastenerRun",
        "doubt": "Undecided",
        "method": "Quasistatic",
    },
)
