"""A Rosenbrock method of order 3 for stiff equations with a Jacobian that need not be exact: ROS34PW2, as
tables.

Rang and Angermann, "New Rosenbrock W-methods of order 3 for partial differential algebraic equations of
index 1", BIT 45 (2005). Four stages, stiffly accurate, embedded order 2. A step of z' = f(z) from z by h,
with a matrix J near f':

    (1 / (h g) - J) u_i = f(z + sum of a_ij u_j) + sum of c_ij u_j / h,    z + sum of m_j u_j

The order does not depend on J; stability does.
"""

from __future__ import annotations

import numpy as np

GAMMA = 4.3586652150845900e-01
_ALPHA = np.array(
    [
        [0.0, 0.0, 0.0, 0.0],
        [8.7173304301691801e-01, 0.0, 0.0, 0.0],
        [8.4457060015369423e-01, -1.1299064236484185e-01, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ]
)
_STAGES = np.array(
    [
        [GAMMA, 0.0, 0.0, 0.0],
        [-8.7173304301691801e-01, GAMMA, 0.0, 0.0],
        [-9.0338057013044082e-01, 5.4180672388095326e-02, GAMMA, 0.0],
        [2.4212380706095346e-01, -1.2232505839045147e00, 5.4526025533510214e-01, GAMMA],
    ]
)
_WEIGHTS = np.array([2.4212380706095346e-01, -1.2232505839045147e00, 1.5452602553351020e00, GAMMA])
_EMBEDDED = np.array([3.7810903145819369e-01, -9.6042292212423178e-02, 0.5, 2.1793326075422950e-01])

_INVERSE = np.linalg.inv(_STAGES)
A = np.ascontiguousarray(_ALPHA @ _INVERSE)
C = np.ascontiguousarray(np.eye(4) / GAMMA - _INVERSE)
M = np.ascontiguousarray(_WEIGHTS @ _INVERSE)
ERROR = np.ascontiguousarray((_WEIGHTS - _EMBEDDED) @ _INVERSE)
