"""The penalty method as a value; what it does is imported when it predicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.record.run import Run


@dataclass(frozen=True)
class Penalty:
    """Parts that overlap push each other apart: by overlap x (stiffness + damping x its rate), never pulling.

    Without a stiffness it follows from masses, springs and size, so that parts overlap by less than a
    thousandth of the size; the run says which. `features` are those of each part's outline, or of its
    single primitives, as Gelsey has them.
    """

    stiffness: float | None = None  # [N/m]
    damping: float | None = None  # [N s/m²]: the seed's product D M
    features: Literal["outline", "primitives"] = "outline"
    accuracy: float | None = (
        None  # of a step, relative to a radian or the size and to the greatest speed; 2e-5
    )

    name: ClassVar[str] = "penalty"
    answers: ClassVar[str] = "machines whose parts touch, over time, as stiff bodies"

    def predict(
        self,
        mechanism: Mechanism,
        *,
        drives: Mapping[str, Drive] | None = None,
        until: float | None = None,
    ) -> Run:
        from detent.motion.penalty.penalty_run import predict

        return predict(
            mechanism,
            stiffness=self.stiffness,
            damping=self.damping,
            features=self.features,
            accuracy=self.accuracy,
            drives=drives,
            until=until,
        )
