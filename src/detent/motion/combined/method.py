"""The combined method as a value: nothing heavy is loaded before it predicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.record.run import Run


@dataclass(frozen=True)
class Combined:
    """What a robot, a carrier or an elastic joint leads: rings that give way, and rigid parts that touch."""

    name: ClassVar[str] = "combined"
    answers: ClassVar[str] = (
        "O-rings and rigid parts that a robot, a carrier or an elastic joint mates at once"
    )

    def predict(
        self,
        mechanism: Mechanism,
        *,
        drives: Mapping[str, Drive] | None = None,
        until: float | None = None,
    ) -> Run:
        """The legs of the document's drive, or of the one given."""
        from detent.motion.combined.combined_run import predict

        return predict(mechanism, drives=drives, until=until)
