"""Does the grasp hold? Balance of forces is not enough where a neighbouring mode explains the load too.

The edge below bears the plate's weight whatever the fingers do: stable. Without the
edge the same fingers balance the weight by friction alone, but nothing makes them
press: falling is consistent as well, and the verdict says so.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import detent
from detent.contact import contacts_of
from detent.judge import grasp

machine = detent.load(Path(__file__).with_name("planar_grasp.toml"))
contacts = contacts_of(machine)
weight = np.array([0.0, -9.81, 0.0])  # through the centre of mass, at x = 0
inertia = np.array([[1.0, 0.0, -0.5], [0.0, 1.0, 0.0], [-0.5, 0.0, 0.42 + 0.25]])  # about the origin

whole = grasp(detent.modes(contacts), weight, mass=inertia)
print("with the edge:", whole.answer)
assert whole.answer == "stable"

fingers = grasp(detent.modes(contacts.without(2)), weight, mass=inertia)
print("fingers alone:", fingers.answer)
assert fingers.answer == "not stable"
print(fingers.evidence[1].statement)
