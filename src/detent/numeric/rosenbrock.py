"""A Rosenbrock method of order 4 for stiff equations: RODAS, as tables.

Hairer and Wanner, "Solving Ordinary Differential Equations II" (1996), section VI.4. Six stages, stiffly
accurate, embedded order 3. A step of z' = f(z) from z by h, with the Jacobian J = f':

    (1 / (h g) - J) u_i = f(z + sum of a_ij u_j) + sum of c_ij u_j / h,    z + sum of m_j u_j

The last u is the error of the embedded formula. The order needs J to be exact.
"""

from __future__ import annotations

import numpy as np

GAMMA = 0.25
_LAST = [1.221224509226641, 6.019134481288629, 12.53708332932087, -0.687886036105895]
A = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1.544, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.9466785280815826, 0.2557011698983284, 0.0, 0.0, 0.0, 0.0],
        [3.314825187068521, 2.896124015972201, 0.9986419139977817, 0.0, 0.0, 0.0],
        [*_LAST, 0.0, 0.0],
        [*_LAST, 1.0, 0.0],
    ]
)
C = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [-5.6688, 0.0, 0.0, 0.0, 0.0, 0.0],
        [-2.430093356833875, -0.2063599157091915, 0.0, 0.0, 0.0, 0.0],
        [-0.1073529058151375, -9.594562251023355, -20.47028614809616, 0.0, 0.0, 0.0],
        [7.496443313967647, -10.24680431464352, -33.99990352819905, 11.7089089320616, 0.0, 0.0],
        [
            8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
            -6.058818238834054, 0.0,
        ],
    ]
)  # fmt: skip
M = np.array([*_LAST, 1.0, 1.0])
ERROR = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
