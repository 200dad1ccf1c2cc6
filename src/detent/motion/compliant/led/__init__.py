"""A robot or a carrier leads the held part: coupling A of Meitinger & Pfeiffer, (11)."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "compiled": "compiled_laws",
        "coupling": "Coupled",
        "energy": "energy_of",
        "following": "followed",
        "full": "CoupledFully",
        "led_run": "CoupledRun couple led_connections scales_of steps_of",
        "stepping": "BY_TIME STAGE total_force",
        "steps": "LedSteps",
    },
)
