"""Floor 1: roots, linear complementarity, arrangements, compiled kernels. Arrays in, arrays out."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "angles": "continued whole_turns",
        "cone_problem": "pivot_cones room_for solve_cone_problem",
        "contact_problem": "solve_contact_problem",
        "dense": "factor factor_general solve_dense solve_factored solve_general",
        "kernels": "KERNELS Kernel WORTH_COMPILING kernel source_digest",
        "krawczyk": "UNIT above from_one_above gamma image lies_in product_above",
        "lemke": "solve_complementarity",
        "linear_program": "INFINITE Program maximise",
        "memory": "call_by_address table packed_tables",
        "rosenbrock": "A C ERROR GAMMA M",
        "roots": "bisect bounded_minima bracketed_root first_rise golden_minimum secant_step sign_changes",
        "runge_kutta": "point_on_step",
        "threads": "blas_threads on_one_thread one_thread",
        "union_find": "Groups",
    },
)
