"""Floor 4: rows of joints and contacts, inertia, springs: what every force method shares."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "beam": "equivalent_hinge pseudo_rigid_hinge",
        "closing_rows": "loop_rows",
        "constraints": "JointRows JointTable constraint_rows_at joint_table",
        "inertia": "bias by_freedom knows_masses mass_matrix shift_of state_of weight",
        "exact_joint_rows": "Bodies ConstraintRow constraint_rows held_rows",
        "mass": "bias_at kinetic_energy mass_matrix_at velocity_vector weight_at",
        "newton_euler": "MovingParts joint_points reactions",
        "row": "GROUND pair_row tangent_frame wrench_row",
        "springs": "CoordinateRow LinearSpring SpringForces coordinate_at spring_forces spring_of",
        "tree": "LoopTables Tree loop_tables tree_of",
        "tree_kernels": "PlaneMachine PlaneState energies mass_and_force place_tree plane_state",
    },
)
