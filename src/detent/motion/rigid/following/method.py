"""Following contact as a value; what it does is imported when it predicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detent.foundation.arguments import given
from detent.foundation.errors import ModelError

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.record.run import Run


@dataclass(frozen=True)
class Following:
    """Drives move slowly, without inertia; what they push, follows, and what blocks them, stops them.

    `stride` is the longest piece between two positions that are computed: of a radian, and of the size.
    """

    stride: float = 0.035

    def __post_init__(self) -> None:
        remedy = "give a small number, as 0.035"
        stride = given("stride", self.stride, remedy)
        if not 0 < stride <= 0.5:
            raise ModelError.at("stride", f"{stride:g} is not a stride", remedy)
        object.__setattr__(self, "stride", stride)

    name: ClassVar[str] = "following"
    answers: ClassVar[str] = "machines whose parts touch, along slow drives, without inertia"

    def predict(
        self,
        mechanism: Mechanism,
        *,
        drives: Mapping[str, Drive] | None = None,
        until: float | None = None,
    ) -> Run:
        from detent.motion.rigid.following.following_run import predict

        return predict(mechanism, stride=self.stride, drives=drives, until=until)
