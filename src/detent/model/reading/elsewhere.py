"""What to write instead of a key that a table does not have: the nearest that it has, or where it belongs."""

from __future__ import annotations

from collections.abc import Collection

from detent.foundation.names import did_you_mean
from detent.model.document.mechanism import Mechanism
from detent.model.document.touch import GivenContact, Touching

# How contacts are divided is asked of all of them, not said of one.
_ASKED = ("planes", "cone", "kind", "exact")
_FLAGS = {"planes": "--planes", "cone": "--nonlinear", "kind": "--kind", "exact": "--exact"}


def instead_of(key: str, table: type, fields: Collection[str]) -> str:
    """The remedy for an unknown key of a table."""
    if table in (GivenContact, Touching, Mechanism) and key in _ASKED:
        return f"it belongs under [ask.modes], for all contacts (or {_FLAGS[key]})"
    return did_you_mean(key, fields)
