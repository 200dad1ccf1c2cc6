"""Slides found from shapes, over time: the ends of a slot stop the bar, its sides only guide it."""

from __future__ import annotations

import math
from typing import Any

import pytest

import detent
from detent.foundation import ModelError, UnsupportedError
from detent.infer import infer, resolved
from detent.model import Mechanism
from tests.infer.shapes import less, machine


def box(x: float, y: float) -> dict[str, Any]:
    return {"outline": [[-x, -y], [x, -y], [x, y], [-x, y]]}


def slotted(**more: Any) -> Mechanism:
    """A bar of 20 in a slot of 60, pushed along by a spring that is relaxed far outside."""
    data = machine(2, frame=less(box(40, 20), box(30, 2)), bar=box(10, 2)).to_dict()
    data["parts"]["bar"]["inertia"] = 3
    spring = {"stiffness": 12, "rest": 100}
    data["joints"] = {"slide": {"type": "infer", "between": ["frame", "bar"], "spring": spring, "damping": 1}}
    return detent.from_dict({**data, **more})


def test_the_number_of_a_part_on_a_slide_is_its_mass_and_its_ends_are_contacts():
    """Until it hits the end it is a damped oscillator of 3 kg: a closed form tells when and how fast."""
    running = detent.run(slotted(), until=5)
    first = running.events[0]
    assert (first.kind, first.subjects) == ("impact", ("frame", "bar"))
    omega, decay = math.sqrt(12 / 3 - (1 / 6) ** 2), 1 / 6
    t = first.time
    reached = 100 * (1 - math.exp(-decay * t) * (math.cos(omega * t) + decay / omega * math.sin(omega * t)))
    assert reached == pytest.approx(20, abs=1e-4)
    speed = 0.1 * 4 / omega * math.exp(-decay * t) * math.sin(omega * t)
    assert first.impulse == pytest.approx(3 * speed, rel=1e-4)
    assert running.states["slide"][-1] == pytest.approx(20, abs=1e-6)
    assert len(running.events) <= 2  # its sides lie on the slot's all the time, and never count


def test_limits_are_told_and_kept_where_shapes_do_not_touch():
    """`move` has limits from the ends of the slot; a run without contacts between the two would need them."""
    joint = infer(slotted()).joints[0]
    assert (joint.low, joint.high) == (-20, 20)
    assert resolved(slotted()).joints["slide"].limits is not None
    assert resolved(slotted(), shapes_stop=True).joints["slide"].limits is None
    apart = slotted(touching={"ignore": ["frame:bar"]})
    assert resolved(apart, shapes_stop=True).joints["slide"].limits is not None


def test_inertia_alone_on_a_moving_part_is_refused_by_name():
    data = slotted().to_dict()
    data["parts"]["arm"] = {"markers": {"A": [0, 0]}, "inertia": 1}
    data["joints"]["arm"] = {"type": "revolute", "between": ["bar", "arm"], "at": [0, 0]}
    with pytest.raises(ModelError, match=r"parts\.arm\.mass"):
        detent.run(detent.from_dict(data), until=1)


def test_weight_wants_a_mass():
    data = slotted(gravity=[0, -9]).to_dict()
    del data["parts"]["bar"]["inertia"]
    with pytest.raises((ModelError, UnsupportedError), match=r"parts\.bar\.mass"):
        detent.run(detent.from_dict(data), until=1)
