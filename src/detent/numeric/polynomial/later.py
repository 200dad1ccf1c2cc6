"""A number that is known well enough to tell from others, and exactly when that is asked."""

from __future__ import annotations

from typing import Any, Protocol


class Later(Protocol):
    """What a `Real` asks whose polynomials are not found yet."""

    def ball(self, bits: int) -> Any:
        """An enclosure with about so many bits."""
        ...

    def exact(self) -> Any:
        """The number itself, a `Real`."""
        ...
