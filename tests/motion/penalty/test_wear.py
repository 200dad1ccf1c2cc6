"""What contacts passed on in a run of the penalty method, against the momentum of the parts they push."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from detent.motion import Penalty

# A block falls 50 mm onto a floor, and a sprung, damped slider strikes it there: two corners on the floor and
# two on the slider, of four freedoms, so that momentum alone does not say which of the four passed it on.
STRUCK = """
format = "detent/1"
units = "mm"
gravity = [0, -10]

[parts.floor]
fixed = true
shape.outline = [[-200, -20], [300, -20], [300, 0], [-200, 0]]

[parts.block]
shape.outline = [[0, 50], [40, 50], [40, 70], [0, 70]]
mass = 0.2
center = [20, 60]
inertia = 3.3e-5

[parts.slider]
shape.outline = [[-100, 0], [-60, 0], [-60, 30], [-100, 30]]
mass = 0.5
center = [-80, 15]
inertia = 1e-4

[joints.slide]
type = "prismatic"
between = ["floor", "slider"]
at = [-80, 15]
along = [1, 0]
spring = { stiffness = 20, rest = 60 }
damping = 0.3

[touching]
friction = 0.3
ignore = ["floor:slider"]
pairs."block:slider" = { friction = 0 }
"""


@pytest.mark.parametrize("until", [0.3, 0.5])
def test_contacts_that_share_a_load_pass_on_what_the_momentum_of_the_parts_lacks(until):
    """The floor carries the block; the slider passes on what spring and damper give and it does not keep."""
    running = detent.run(detent.loads(STRUCK), until=until, every=5e-4, method=Penalty())
    rising = running.velocities["block.y"][-1] / 1000
    at, speed = running.states["slide"] / 1000, running.velocities["slide"] / 1000
    given = np.trapezoid(20 * (0.06 - at) - 0.3 * speed, running.times)
    floor = sum(total.impulse for total in running.contacts if "floor" in total.parts)
    slider = sum(total.impulse for total in running.contacts if "slider" in total.parts)
    assert floor == pytest.approx(0.2 * 10 * until + 0.2 * rising, rel=1e-3)
    assert slider == pytest.approx(given - 0.5 * speed[-1], rel=1e-3)
    for total in running.contacts:
        assert total.impulse <= total.peak_force * until
