"""The penalty method against scipy's LSODA on the same compiled force function: the published escapement,
37 time units."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

import detent
from benchmarks.harness import Contender, Table, race
from detent.motion.penalty import PenaltyChoice, overlapping, rates_at

DOCUMENT = Path(__file__).parents[1] / "tests" / "motion" / "penalty" / "escapement.toml"
UNTIL = 37.0


def run(repeats: int) -> list[Table]:
    evidence = detent.predict(
        detent.load(DOCUMENT), method=detent.motion.Penalty(1e5, 1e6), until=UNTIL
    ).evidence
    choice = PenaltyChoice(evidence.tree, evidence.possible, "outline", evidence.accuracy, UNTIL)
    over = overlapping(
        evidence.tree.machine,
        evidence.possible,
        evidence.over.law,
        primitives=False,
        size=evidence.tree.system.size,
    )
    function, rates = rates_at.compiled, np.zeros(6)

    def force(_t: float, z: np.ndarray) -> np.ndarray:
        function(over, z, rates)
        return rates

    def lsoda() -> object:
        return solve_ivp(force, (0.0, UNTIL), np.zeros(6), method="LSODA", rtol=1e-5, max_step=0.02)

    table = Table(f"penalty, published escapement, {UNTIL:g} units, warm", "units")
    solution = lsoda()
    table.rows.append(
        race(
            f"{evidence.steps} steps; LSODA {len(solution.t) - 1}",  # type: ignore[attr-defined]
            [
                Contender("detent", lambda: choice.once(1e5, 1e6, 0), int(UNTIL)),
                Contender("scipy LSODA", lsoda, int(UNTIL)),
            ],
            repeats,
        )
    )
    return [table]
