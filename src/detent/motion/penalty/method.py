"""The penalty method as a value; what it does is imported when it predicts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from detent.foundation.arguments import given
from detent.foundation.errors import ModelError, UnknownNameError
from detent.foundation.names import with_article

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.record.run import Run

Features = Literal["outline", "primitives"]
_FEATURES = get_args(Features)


@dataclass(frozen=True)
class Penalty:
    """Parts that overlap push each other apart: by overlap x (stiffness + damping x its rate), never pulling.

    Without a stiffness it follows from masses, springs and size, so that parts overlap by less than a
    thousandth of the size; without a damping, from the speeds at which parts meet, so that next to nothing
    rebounds. The run says which. `features` are those of each part's outline, or of its
    single primitives, as Gelsey has them.
    """

    stiffness: float | None = None  # [N/m]
    damping: float | None = None  # [N s/m²]: the seed's product D M
    features: Features = "outline"
    accuracy: float | None = (
        None  # of a step, relative to a radian or the size and to the greatest speed; 2e-5
    )

    def __post_init__(self) -> None:
        for name, least in (
            ("stiffness", "above zero"),
            ("damping", "of zero or more"),
            ("accuracy", "above zero"),
        ):
            value, remedy = getattr(self, name), f"give a number {least}, or leave it out"
            if value is None:
                continue
            value = given(f"penalty.{name}", value, remedy)
            if not (math.isfinite(value) and value >= 0 and (value > 0 or name == "damping")):
                raise ModelError.at(f"penalty.{name}", f"{value:g} is not {with_article(name)}", remedy)
            object.__setattr__(self, name, value)
        if self.features not in _FEATURES:
            problem = f"there is no {self.features!r}"
            raise UnknownNameError.at("penalty.features", problem, f"give one of {', '.join(_FEATURES)}")

    name: ClassVar[str] = "penalty"
    answers: ClassVar[str] = "machines whose parts touch, over time, as stiff bodies"

    def predict(
        self,
        mechanism: Mechanism,
        *,
        drives: Mapping[str, Drive] | None = None,
        until: float | None = None,
    ) -> Run:
        from detent.motion.penalty.choosing import predict

        return predict(
            mechanism,
            stiffness=self.stiffness,
            damping=self.damping,
            features=self.features,
            accuracy=self.accuracy,
            drives=drives,
            until=until,
        )
