"""Force diodes: total where no way that was tried takes less than the bound; proved forces in the answer."""

from __future__ import annotations

import json
import math

import pytest

import detent
from detent.foundation import UnsupportedError


@pytest.mark.parametrize(
    ("directions", "least", "total"),
    [
        ({"values": [math.radians(90), math.radians(105)]}, 0.0, False),
        ({"values": [math.radians(40), math.radians(88)]}, 0.0140, True),
        (None, None, None),
    ],
)
def test_it_is_total_where_no_way_tried_takes_less(directions, least, total) -> None:
    diode = detent.mate(detent.load("diode_e").with_("ask.mate.directions", directions)).diode
    assert diode.kind == "force"
    assert diode.total is total
    if least is not None:
        forces = [float(escape.force) for escape in diode.directions if escape.apart]
        assert min(forces) == pytest.approx(least, abs=1e-4)
        assert (min(forces) >= 2 * diode.force.insertion) is total


def test_the_bound_that_is_asked_for_counts() -> None:
    """Straight back it takes 3.43 times the force in, all of those ways more."""
    asked = detent.load("diode_e").with_("ask.mate.directions", {"from_deg": 84, "to_deg": 90, "steps": 3})
    assert detent.mate(asked.with_("ask.mate.ratio", 3)).diode.total is True
    assert detent.mate(asked.with_("ask.mate.ratio", 4)).diode.kind == "none"


def test_forces_between_proved_numbers_are_in_json() -> None:
    asked = detent.load("diode_e").with_("ask.mate.directions", None).with_("ask.mate.force_digits", 25)
    mating = detent.mate(asked)
    told = json.loads(mating.to_json())["legs"][0]["force"]["bounds"]["pawl"]
    exactly = mating.run.evidence.largest_force(1, "pawl", "resisting", digits=40)
    for which in ("resisting", "contact_force"):
        assert told[which]["least"] < told[which]["most"] < told[which]["least"] + 1e-17
        assert len(told[which]["digits"]) == 27
    assert told["resisting"]["least"] < exactly.least <= exactly.most < told["resisting"]["most"]
    assert told["resisting"]["digits"][:22] == exactly.digits(40)[:22]
    assert told["resisting"]["digits"] in mating.words
    plain = detent.mate(asked.with_("ask.mate.force_digits", None))
    assert "lie between two proved numbers (`force_digits`)" in mating.scope.covers
    assert "proved numbers" not in plain.scope.covers


def test_a_stick_has_no_bound_and_too_many_digits_are_refused() -> None:
    holds = detent.load("snap_t_holds").with_("ask.mate.force_digits", 12)
    told = json.loads(detent.mate(holds).to_json())["legs"][1]["force"]["bounds"]["left"]["resisting"]
    assert told["most"] == {"unbounded": True}
    assert told["digits"] == "without bound"
    with pytest.raises(UnsupportedError, match="at most 1000"):
        detent.mate(holds.with_("ask.mate.force_digits", 1001))
    with pytest.raises(UnsupportedError, match="ask an exact run"):
        detent.mate(holds, method=detent.Quasistatic(exact=False))


def test_the_weakest_direction_of_a_fan_is_that_of_the_least_force_tried() -> None:
    """From 84° to 90° the force falls all the way: of all pieces the last has the weakest."""
    asked = detent.load("diode_e").with_("ask.mate.directions", None)
    between = {"from_deg": 84, "to_deg": 90, "most_steps": 20_000}
    fan = detent.mate(asked.with_("ask.mate.fan", between)).diode.fan
    assert {piece.outcome for piece in fan.pieces} == {"apart"}
    assert len(fan.pieces) > 1
    ways = {"values": [piece.least_at for piece in fan.pieces]}
    pulls = detent.mate(asked.with_("ask.mate.directions", ways)).diode.directions
    forces = [float(pull.force) for pull in pulls]
    assert forces == sorted(forces, reverse=True)
    assert fan.weakest == pytest.approx(ways["values"][-1])
    assert float(fan.weakest_force) == pytest.approx(forces[-1], rel=1e-9)
