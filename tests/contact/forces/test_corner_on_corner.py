"""Two corners on one spot: which of them slides onto the face of the other part decides how the gap opens.

A part that turns at a steady rate turns about one point: where its corners are a moment later is elementary.
"""

import math

import numpy as np
import pytest

import detent
from detent.contact.forces import row_rates_of
from detent.contact.touching import contacts_of

STEP = 1e-4  # [s]


def boxes(dimension, first):
    """One upon the other, flush at x = 0; `first` is the one that is named first."""
    corners = {"lower": ((-3, -2), (0, 0)), "upper": ((-2, 0), (0, 1))}
    parts = {}
    for name in (first, *({"lower", "upper"} - {first})):
        (left, bottom), (right, top) = corners[name]
        if dimension == 2:
            shape = {"outline": [[left, bottom], [right, bottom], [right, top], [left, top]]}
        else:
            shape = {"block": [right - left, top - bottom, 1], "moves": [{"move": [left, bottom, 0]}]}
        parts[name] = {"shape": shape} | ({"fixed": True} if name == "lower" else {})
    return detent.from_dict({"units": "1", "dimension": dimension, "parts": parts})


def a_moment_later(point, velocity):
    vx, vy, spin = velocity
    centre = np.array([-vy, vx]) / spin
    c, s = math.cos(spin * STEP), math.sin(spin * STEP)
    return centre + np.array([[c, -s], [s, c]]) @ (np.array(point) - centre)


def opened(velocity):
    """The gap of the two boxes at x = 0, a moment later: of the corner that is on the face of the other."""
    corner, end = (a_moment_later(p, velocity) for p in ((0, 0), (-2, 0)))
    if corner[0] < 0:  # the upper box's own, over the lower box
        return corner[1]
    along = (corner - end) / np.linalg.norm(corner - end)  # the lower box's, under the bottom of the upper
    return along[0] * end[1] - along[1] * end[0]


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("first", ["lower", "upper"])
@pytest.mark.parametrize("slip", [-2.0, -0.3, 0.3, 2.0])
def test_the_gap_opens_as_that_of_the_corner_that_slides_onto_a_face(slip, first, dimension):
    machine = boxes(dimension, first)
    contacts = contacts_of(machine)
    velocity = [slip, 0, -1.5]  # its left end lifts
    drift, _ = row_rates_of(machine, contacts, velocity if dimension == 2 else [slip, 0, 0, 0, 0, -1.5])
    here = [i for i, site in enumerate(contacts.sites) if site.point[:2] == (0.0, 0.0)]
    assert len(here) == dimension - 1
    sign = 1 if first == "lower" else -1
    for i in here:
        length = np.linalg.norm(contacts.sites[i].normal)
        assert sign * contacts.sites[i].normal[1] > 0
        assert float(drift.normal[i]) / length == pytest.approx(2 * opened(velocity) / STEP**2, rel=1e-3)
