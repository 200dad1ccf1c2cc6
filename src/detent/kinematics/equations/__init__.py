"""The closure equations of a plane linkage, and Newton on them."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "inputs": "Input joint_input marker_inputs",
        "newton": "RANK close column_scale shortest",
        "rows": "Floats coordinate drawn_poses residual_and_jacobian rows_of",
        "start": "closed_pose",
    },
)
