"""Random driven machines: when contacts part and strike, how hard, their forces, beside an integration."""

from __future__ import annotations

import pytest

from tests.conftest import campaign
from tests.prove.driven_machines import differs

# Of a turn, and of the greatest: what the default accuracy, 1e-6 of a step, leaves. Steps that tell a release
# by the gap alone are off by 1e-3 to 1e-2 of a turn, and add touches.
ALLOWED = {"release": 3e-6, "impact": 1e-5, "impulse": 1e-4, "force": 1e-4}


@pytest.mark.parametrize("seed", range(campaign(15, 500)))
def test_contacts_part_where_their_force_is_zero(seed):
    what, off = differs(seed)
    assert not what, what
    assert {key: value for key, value in off.items() if value > ALLOWED[key]} == {}
