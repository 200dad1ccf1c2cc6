"""Machines that touch over time: Gelsey's Fig. 22 (1995) by both models, and pymunk on his escapement.

Steps are accepted ones; times are the best of the repeats, of stepping alone, a machine prepared once. His
steps and units stand beside ours, and the geometry under them: the escapement is his, as published; his
ratchet, rocking arm and double escapement are printed without sizes, and ours are those of examples/.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

import detent
from benchmarks._machine_geometry import geometry_of
from benchmarks._machine_peers import STEP, beats, pymunk_escapement, separated
from benchmarks.harness import Contender, Figures, Table, peer, race
from detent.motion import Penalty, Rigid
from detent.motion.penalty import PenaltyChoice

EXAMPLES = Path(__file__).parents[1] / "examples"
# Machine, simulated time, his steps and units: local (penalty), then global (rigid); whose sizes.
FIG_22 = {
    "escapement": (37.0, "3,942/37", "836/37", "his, Figs. 12 and 13"),
    "rotary_to_rocking": (20.0, "2,119/20", "333/20", "ours, Fig. 14 has none"),
    "ratchet_free": (10.0, "594/10", "65/1.9", "ours, Fig. 18 has none"),
    "ratchet": (100.0, "7,928/100", "1,089/100", "ours, Fig. 18 has none"),
    "double_escapement": (39.0, "5,073/39", "-", "his escapement; second balance ours, Fig. 16"),
}
UNTIL = 37.0
# His: E = 1e5, D M = 1e4 x 100.
STIFFNESS, DAMPING = 1e5, 1e6


def run(repeats: int) -> list[Any]:
    return [*_fig_22(repeats), *_beside_pymunk(repeats)]


def _fig_22(repeats: int) -> list[Figures]:
    head = [
        "Fig. 22, machine and model",
        "time [ms]",
        "steps",
        "time/step [us]",
        "units",
        "x real time",
        "his",
    ]
    table, runs = Figures([*head, "his/ours"]), dict[str, Any]()
    for name, (until, local, whole, _) in FIG_22.items():
        machine = detent.load(EXAMPLES / f"{name}.toml")
        for model, method, published in (
            (f"penalty E = {STIFFNESS:.0e}, D M = {DAMPING:.0e}", Penalty(STIFFNESS, DAMPING), local),
            ("penalty, stiffness chosen", Penalty(), local),
            ("rigid", Rigid(), whole),
        ):
            evidence: Any = detent.predict(machine, method=method, until=until).evidence
            again = evidence.again if method.name == "rigid" else _penalty_again(evidence, until)
            runs[name] = runs.get(name, evidence)
            best = min(_seconds(again) for _ in range(repeats))
            count, ratio = len(evidence.steps) if method.name == "rigid" else evidence.steps, "-"
            if published != "-":
                steps, units = (float(text) for text in published.replace(",", "").split("/"))
                ratio = f"{steps / units / (count / until):.2f}"
            cells = f"{1e3 * best:.2f}", f"{count:,}", f"{1e6 * best / count:.1f}", f"{until:g}"
            table.rows.append([f"{name}, {model}", *cells, f"{until / best:,.0f}", published, ratio])
    return [table, geometry_of(runs, {name: whose for name, (*_, whose) in FIG_22.items()})]


def _penalty_again(evidence: Any, until: float) -> Any:
    choice = PenaltyChoice(evidence.tree, evidence.possible, "outline", evidence.accuracy, until)
    return lambda: choice.once(evidence.stiffness, evidence.damping, 0)


def _seconds(call: Any) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _beside_pymunk(repeats: int) -> list[Any]:
    machine = detent.load(EXAMPLES / "escapement.toml")
    name, there = peer("pymunk")
    evidence: Any = detent.predict(machine, method=Rigid(), until=UNTIL).evidence
    race_of = Table(
        f"rigid, published escapement, {UNTIL:g} units; pymunk at dt = {STEP:g}", "units", busy=True
    )
    other = pymunk_escapement(machine, UNTIL) if there else None
    race_of.rows.append(
        race(
            f"{len(evidence.steps)} steps; pymunk {round(UNTIL / STEP)}",
            [
                Contender("detent", evidence.again, int(UNTIL)),
                Contender(name, other, int(UNTIL), "not installed"),
            ],
            repeats,
        )
    )
    beat = Figures(["pattern of the escapement, mean of patterns 3 to 5", "detent", name])
    for case, drawn in (("as drawn", machine), ("shared corner apart by 0.02", separated(machine))):
        ours: Any = detent.predict(drawn, method=Rigid(), until=UNTIL).evidence
        minima = np.array(ours.energy_minima)
        own = float((minima[2:] - minima[:-2])[4:].mean())
        theirs = "not installed"
        if there:
            rows = pymunk_escapement(drawn, UNTIL, STEP / 5)()
            theirs = f"{beats(rows[:, 0], rows[:, 2])[1:4].mean():.4f}"
        beat.rows.append([case, f"{own:.4f}", theirs])
    return [race_of, beat]
