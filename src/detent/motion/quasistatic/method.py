"""The quasi-static method as a value: what can be chosen; nothing heavy is loaded before it predicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detent.foundation.errors import WrongTypeError

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.record.run import Run


@dataclass(frozen=True)
class Quasistatic:
    """Followed without inertia; every event decided exactly, or by the float filter.

    The filter decides by signs that exceed a margin far above rounding; a run in
    which one does not is decided exactly instead, and counted.
    """

    exact: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.exact, bool):
            raise WrongTypeError.at("exact", f"{self.exact!r} is not a choice", "give True or False")

    name: ClassVar[str] = "quasistatic"
    answers: ClassVar[str] = "fasteners of the plane: a part pushed in legs, with sprung pawls hinged to it"

    def predict(
        self,
        mechanism: Mechanism,
        *,
        drives: Mapping[str, Drive] | None = None,
        until: float | None = None,
    ) -> Run:
        """The fastener through the legs of its drive, or of the one given."""
        from detent.motion.quasistatic.fastener_run import predict

        return predict(mechanism, exact=self.exact, drives=drives, until=until)
