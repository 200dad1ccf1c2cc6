"""From which friction on a fastener is held: a threshold by hand, predicted on both sides."""

from __future__ import annotations

import pytest

import detent


def _asked(example: str) -> detent.Mechanism:
    plain = detent.load(example).with_("ask.mate.directions", None)
    return plain.with_("ask.mate.holding_friction", True)


@pytest.mark.parametrize("example", ["diode_d", "diode_e"])
def test_a_hook_is_held_from_the_friction_that_its_first_contact_out_needs(example: str) -> None:
    """After 32.75 the bump's corner is at r = (-5, -47.75) from the hinge, on the edge with normal (3, 12).

    There |r x n| / |r . n| = 83.25 / 588, whatever the friction of the document; the edge leans more later.
    """
    mating = detent.mate(_asked(example))
    assert mating.diode is not None
    found = mating.diode.holding_friction
    assert found
    assert found.holds_from == pytest.approx(83.25 / 588, rel=1e-14)
    assert found.sides
    below, above = found.sides
    assert (below.comes_to, above.comes_to) == ("apart", "stick")
    assert above.coefficient - below.coefficient < 1e-9
    own = {"diode_d": 0.4, "diode_e": 0.05}[example]
    assert found.margin_out == pytest.approx(own - 83.25 / 588, rel=1e-12)
    assert found.travel == pytest.approx(85 - 32.75, rel=1e-12)  # the insertion ends after 85
    assert found.goes_in_below is not None
    assert found.margin_in is not None
    assert own + found.margin_in == pytest.approx(found.goes_in_below, rel=1e-12)
    assert found.margin_in > 0  # it goes in as it is
    assert "friction holds pawl from a coefficient of 0.1415816327 on" in mating.words


def test_what_jams_needs_no_friction_and_goes_in_up_to_a_threshold_of_its_own() -> None:
    mating = detent.mate(_asked("diode_b"))
    assert mating.diode is not None
    found = mating.diode.holding_friction
    assert found
    assert found.holds_from == 0
    assert found.goes_in_below is not None
    for factor, answer in ((1 - 1e-9, "yes"), (1 + 1e-9, "no")):
        other = detent.load("diode_b").with_("ask.mate.directions", None)
        inserted = detent.mate(other.with_("touching.friction", found.goes_in_below * factor)).insertion
        assert inserted is not None
        assert inserted.answer == answer


@pytest.mark.parametrize(("factor", "holds"), [(1 - 1e-9, True), (1 + 1e-9, False)])
def test_a_force_diode_holds_below_the_force_that_takes_it_out(factor: float, holds: bool) -> None:
    plain = detent.load("diode_e").with_("ask.mate.directions", None)
    first = detent.mate(plain).diode
    assert first is not None
    assert first.reverse.force
    bound = float(first.reverse.force) * factor
    diode = detent.mate(plain.with_("ask.mate.holds_below", bound)).diode
    assert diode is not None
    assert diode.holds_below
    assert diode.holds_below.holds is holds
    assert diode.holds_below.weakest == first.reverse.force
