"""A snap hook on a tapered beam: how far must it bend to let the counterpart pass, and what does that take?

The counterpart's lower face runs 1 mm above the beam's axis, the hook's peak
stands at 3.5 mm: the beam's tip must go down by 2.5 mm.
"""

from __future__ import annotations

from pathlib import Path

import shapely

import detent
from detent.draw import Symbol, machine_scene, stage_of
from detent.draw.machine import flat

machine = detent.load(Path(__file__).with_name("snap_hook.toml"))
parts = {slab.part: slab.region for slab in flat.slabs(stage_of(machine))}
peak, face = shapely.bounds(parts["hook"])[3], shapely.bounds(parts["counterpart"])[1]
print(f"the beam must bend by {peak - face:g} {machine.units}")
assert abs(peak - face - 2.5) < 1e-12

beam = detent.explain(machine).elastic["beam"]
(deflects, turns), _ = beam["compliance"]
force, turn = beam["tip_stiffness"] * 2.5e-3, abs(turns / deflects) * 2.5e-3
print(f"that takes {force:.1f} N at its tip, which turns by {turn:.3f} rad")
assert abs(beam["stiffness"][0][1] - 638.8) < 0.1

walls = [item for item in machine_scene(machine).items if isinstance(item, Symbol) and item.kind == "wall"]
assert [round(wall.at[0], 9) for wall in walls] == [-40.0]

mating = detent.mate(machine)
leg = mating.legs[0]
print(mating.words)
assert abs(leg.force.peak_push - 27.890) < 0.005
assert abs(leg.force.pull_in + 30.436) < 0.005
for event in leg.events:
    print(f"{event.kind:8} at {event.travel:7.4f} {machine.units}: {' and '.join(event.after) or 'free'}")
assert [event.kind for event in leg.events] == ["contact", "snap", "snap", "snap", "release"]
