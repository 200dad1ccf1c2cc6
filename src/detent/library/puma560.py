"""The PUMA 560 as published: its geometry, its masses, its motors.

Standard Denavit-Hartenberg parameters and inertial data of Armstrong, Khatib and Burdick (1986), with the
motors' inertias and gear ratios as Corke and Armstrong-Helouvry (1994) collect them; the base frame lies
on the floor. Angles are the controller's (VAL), which count joints 2, 3 and 5 in the opposite direction.
The flange's frame is at the wrist's centre with z along the tool.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.library.robots.serial_arm import Floats, LinkBody, SerialArm

SHOULDER = 0.67183  # [m] of the second axis above the floor
UPPER_ARM = 0.4318
ELBOW_OFFSET, SIDE, FOREARM = 0.0203, 0.15005, 0.4318
# Twist [rad], length and offset [m] of each link.
LINKS = (
    (np.pi / 2, 0.0, SHOULDER),
    (0.0, UPPER_ARM, 0.0),
    (-np.pi / 2, ELBOW_OFFSET, SIDE),
    (np.pi / 2, 0.0, FOREARM),
    (-np.pi / 2, 0.0, 0.0),
    (0.0, 0.0, 0.0),
)
SENSE = np.array((1.0, -1.0, -1.0, 1.0, -1.0, 1.0))  # of the controller's angles
RECTANGULAR_PEG = (4.6, -157.2, 27.5, 0.0, -50.3, 4.6)  # [deg] Meitinger & Pfeiffer, section 6.2
ROUND_PEG = (-8.4, -152.8, 17.9, 0.0, -44.9, -8.4)  # [deg] the same, section 6.1
# [deg] of the controller's angles: how far the joints go.
RANGES = ((-160, 160), (-225, 45), (-45, 225), (-110, 170), (-100, 100), (-266, 266))

# Mass [kg], centre [m], moments about it [kg m²] of each link. Of the first only the turning counts.
_INERTIAL = (
    (0.0, (0.0, 0.0, 0.0), (0.0, 0.35, 0.0)),
    (17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539)),
    (4.8, (-0.0203, -0.0141, 0.070), (0.066, 0.086, 0.0125)),
    (0.82, (0.0, 0.019, 0.0), (1.8e-3, 1.3e-3, 1.8e-3)),
    (0.34, (0.0, 0.0, 0.0), (0.3e-3, 0.4e-3, 0.3e-3)),
    (0.09, (0.0, 0.0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)
_MOTOR_INERTIA = np.array((200e-6, 200e-6, 200e-6, 33e-6, 33e-6, 33e-6))  # [kg m²] of each shaft
_GEAR_RATIO = np.array((-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686))
REFLECTED = _GEAR_RATIO**2 * _MOTOR_INERTIA  # [kg m²] of the motors, per radian of their joints

ARM = SerialArm(
    LINKS, tuple(LinkBody(k, mass, at, np.diag(of)) for k, (mass, at, of) in enumerate(_INERTIAL, 1))
)


def link_frames(angles: Any) -> list[Floats]:
    """Frames 0 (base) to 6 (flange) in the base, 4 x 4 [m], for the controller's angles [rad]."""
    return ARM.frames(SENSE * np.asarray(angles, float))
