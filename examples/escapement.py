"""Run Gelsey's clock escapement from its shapes alone, and find its beat.

No joint is written down: pins are found from the shapes. Parts are rigid. The balance
wheel swings once to and fro in 7.386 (seconds, if units were SI); meanwhile the escape wheel goes on by one
of its ten teeth, and what its spring gives off goes into impacts for the most part.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import detent

machine = detent.load(Path(__file__).with_name("escapement.toml"))
running = detent.run(machine, until=24)

# Near rest twice per beat: where the balance wheel turns back.
rests = np.array(running.energy_minima)
beats = rests[2:] - rests[:-2]
print(f"beats: {np.round(beats, 3)}")
assert np.abs(beats - 7.386).max() < 0.02

teeth = np.interp([rests[1], rests[3]], running.times, running.states["ewheel"]) / math.radians(36)
print(f"the escape wheel went on by {teeth[0] - teeth[1]:.4f} teeth in a beat")
assert abs(teeth[0] - teeth[1] - 1) < 1e-3

energy = {name: float(column[-1]) for name, column in running.energy.items()}
given = float(running.energy["stored"][0]) - energy["stored"]
print(f"given off {given:.1f}: {energy['impact']:.1f} in impacts, {energy['dissipated']:.1f} in dampers")
assert abs(given - energy["impact"] - energy["dissipated"]) < 1e-3 * given
