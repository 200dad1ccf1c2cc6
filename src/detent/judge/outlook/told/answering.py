"""The answer as it grows, and as a record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from detent.foundation.units import unit_names
from detent.judge.outlook.patterns.finding import Found
from detent.judge.outlook.patterns.simulating import Simulator
from detent.model.machine.mass import thickness_of_moving
from detent.record.outlook import Drift, Outlook, Refused
from detent.record.scope import Scope
from detent.record.verdict import Evidence

if TYPE_CHECKING:
    from detent.model.document.mechanism import Mechanism
    from detent.record.outlook import OutlookVerdict

_TENSIONS = "a pattern that repeats at two tensions repeats at those between"


@dataclass
class Told:
    """The answer as it grows."""

    found: Found
    verdict: OutlookVerdict = "undecided"
    reason: str = ""
    evidence: list[Evidence] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    before: int = 0  # patterns from the start up to the base

    def say(self, statement: str, value: float | None = None, unit: str = "") -> None:
        self.evidence.append(Evidence(statement=statement, value=value, unit=unit))


def answer_of(told: Told, simulator: Simulator, mechanism: Mechanism, fields: dict[str, object]) -> Outlook:
    found, run = told.found, simulator.prepared
    account = simulator.account
    time = unit_names(mechanism.units).time.strip()
    simulations: dict[str, list[float]] = {}
    for why, _, lasted, _ in account.entries:
        simulations.setdefault(why, []).append(lasted)
    for why, times in simulations.items():
        told.say(f"simulated, {why}", sum(times), time)
    refused = [Refused(minima=each.minima, time=each.time, why=each.why) for each in found.fallen]
    for each in found.checked:
        told.say(each)
    covers = f"simulations of {account.time:.6g} {time}".rstrip() + f" in {account.steps} steps"
    if found.hypothesis is not None:
        covers += "; what lies between them is taken to be like them"
    drift = fields.get("drift")
    by_tension = isinstance(drift, Drift) and any(name.startswith("tension ") for name in drift.columns)
    tensions = (_TENSIONS,) if by_tension else ()
    scope = Scope(
        certainty="undecided" if told.verdict == "undecided" else "sampled",
        covers=covers,
        left_out=(*run.scope.left_out, *told.left_out),
        assumed=(*run.scope.assumed, *tensions, *thickness_of_moving(mechanism)),
    )
    return Outlook(
        verdict=told.verdict,
        refused=tuple(refused),
        evidence=tuple(told.evidence),
        reason=told.reason,
        scope=scope,
        units=mechanism.units,
        state_units=run.along.coordinate_units,
        title=mechanism.title,
        **fields,  # type: ignore[arg-type]
    )
