"""The penalty method: parts that overlap push each other apart (Gelsey 1995, section 4.2)."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "method": "Penalty",
        "choosing": "PenaltyChoice",
        "penalty_run": "PenaltyRun",
        "linear": "linearise",
        "pushes": "accelerate rates_at",
        "tables": "Overlapping overlapping",
    },
)
