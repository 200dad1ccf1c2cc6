"""The rigid method as a value; what it does is imported when it predicts."""

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
class Rigid:
    """Parts that touch neither overlap nor pull: forces and impacts keep them apart.

    The global model of Gelsey (1995).
    """

    accuracy: float = 1e-6  # of a step, relative to a radian or the size and to the greatest speed

    def __post_init__(self) -> None:
        remedy = "give a small number, as 1e-6"
        accuracy = given("accuracy", self.accuracy, remedy)
        if not 0 < accuracy < 1:
            raise ModelError.at("accuracy", f"{accuracy:g} is not an accuracy", remedy)
        object.__setattr__(self, "accuracy", accuracy)

    name: ClassVar[str] = "rigid"
    answers: ClassVar[str] = (
        "machines whose parts touch, over time, as rigid bodies; in space what a robot or a carrier mates"
    )

    def predict(
        self,
        mechanism: Mechanism,
        *,
        drives: Mapping[str, Drive] | None = None,
        until: float | None = None,
    ) -> Run:
        if mates_led_parts(mechanism, drives):
            from detent.motion.rigid.mating.mating_run import predict as mated

            return mated(mechanism, drives=drives, until=until)
        from detent.motion.rigid.rigid_run import predict

        return predict(mechanism, accuracy=self.accuracy, drives=drives, until=until)


def mates_led_parts(mechanism: Mechanism, drives: Mapping[str, Drive] | None = None) -> str | None:
    """The drive that pushes along legs what may hold something that yields; without one, a push is guided."""
    from detent.model.document.part import is_robot

    elastic = any(joint.type == "elastic" for joint in mechanism.joints.values())
    if not (elastic or any(is_robot(part) for part in mechanism.parts.values())):
        return None
    driven = mechanism.drives if drives is None else drives
    return next((name for name, drive in driven.items() if drive.legs), None)
