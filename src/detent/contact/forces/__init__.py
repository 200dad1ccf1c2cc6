"""Friction, and which modes forces and inertia allow."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "at_velocity": "RowRates following present",
        "consistent": "consistent_modes equations_of_motion",
        "coulomb": "reach solve",
        "balancing": "balance",
        "friction": "force_cone",
        "row_rates": "row_rates_of",
    },
)
