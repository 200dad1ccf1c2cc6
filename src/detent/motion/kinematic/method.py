"""The kinematic method as a value: what can be chosen; nothing heavy is loaded before it predicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from detent.foundation.errors import UnknownNameError, WrongTypeError
from detent.model.document.ask import Breaking

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.record.run import Run


Solver = Literal["plan", "newton_svd"]
_BREAKING, _SOLVERS = get_args(Breaking), get_args(Solver)


@dataclass(frozen=True)
class Kinematic:
    """Positions from joints alone; `solver` newton_svd is the seed's plain one, for comparison.

    `breaking` is what happens at a limit: `limiting` keeps the last position that
    closes, `searching` goes to the limit itself and stops, `stretching` goes on with
    markers as near as they come and shows the gap. `assemblies` lists every way the
    links go together.
    """

    breaking: Breaking = "searching"
    solver: Solver = "plan"
    assemblies: bool = False

    def __post_init__(self) -> None:
        for field, value, known in (
            ("breaking", self.breaking, _BREAKING),
            ("solver", self.solver, _SOLVERS),
        ):
            if value not in known:
                raise UnknownNameError.at(field, f"there is no {value!r}", f"give one of {', '.join(known)}")
        if not isinstance(self.assemblies, bool):
            raise WrongTypeError.at(
                "assemblies", f"{self.assemblies!r} is not a choice", "give True or False"
            )

    name: ClassVar[str] = "kinematic"
    answers: ClassVar[str] = "linkages of the plane, along drives of joints and markers"

    def predict(
        self,
        mechanism: Mechanism,
        *,
        drives: Mapping[str, Drive] | None = None,
        until: float | None = None,
    ) -> Run:
        """The linkage through the positions of its drives, or of those given."""
        from detent.motion.kinematic.linkage_run import predict

        return predict(
            mechanism,
            breaking=self.breaking,
            solver=self.solver,
            assemblies=self.assemblies,
            drives=drives,
            until=until,
        )
