"""The compliant method as a value: nothing heavy is loaded before it predicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.record.run import Run


@dataclass(frozen=True)
class Compliant:
    """A part pushed along legs against parts that give way: rings, hooks on elastic supports; no inertia."""

    name: ClassVar[str] = "compliant"
    answers: ClassVar[str] = "a part pushed in legs against O-rings and against hooks on elastic joints"

    def predict(
        self,
        mechanism: Mechanism,
        *,
        drives: Mapping[str, Drive] | None = None,
        until: float | None = None,
    ) -> Run:
        """The pushed part through the legs of its drive, or of the one given."""
        from detent.motion.compliant.compliant_run import predict

        return predict(mechanism, drives=drives, until=until)
