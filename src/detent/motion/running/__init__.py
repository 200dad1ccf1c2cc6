"""What every method that runs over time needs: steps as polynomials, states and energies along them, minima
of the kinetic energy."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "along": "RunColumns RunSteps coordinate_scales",
        "loads": "ContactLoad LoadRows RunLoads",
        "minima": "energy_minima",
        "starting": "refuse_unsound start_of",
    },
)
