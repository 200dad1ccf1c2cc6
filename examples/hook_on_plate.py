"""A hook on a wall that bends: how stiff is its support, how much of that the mesh's, what does a push take?

On its foot every entry of the stiffness has a limit. At a point only the deflection under a force has one;
the rotation under a moment grows with every refinement. Six functions give what Meitinger & Pfeiffer print.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from msgspec.structs import replace

import detent

machine = detent.load(Path(__file__).with_name("hook_on_plate.toml"))
wall = detent.explain(machine).elastic["wall"]
print(f"on its foot: {wall['stiffness'][0][0] / 1000:.1f} N/mm against deflection, tilt held")
print(f"             {1e3 * wall['compliance'][0][0]:.4f} mm by 1 N; {wall['scope'].covers}")
assert wall["convergence"]["settled"]


def stood(**keys: object) -> dict[str, object]:
    """The same wall, written otherwise."""
    joint = machine.joints["wall"]
    other = replace(joint, plate=replace(joint.plate, footprint=None, **keys))
    return detent.explain(replace(machine, joints={"wall": other})).elastic["wall"]


point = stood()["convergence"]
print(f"at a point:  {1e3 * point['deflection'][-1]:.4f} mm by 1 N, which settles; rad by 1 N m about x:")
print("            ", ", ".join(f"{turn:.4f}" for turn, _ in point["rotation"]), "and so on")
assert abs(point["deflection"][-1] / point["deflection"][-2] - 1) < 1e-3
assert all(later > 1.05 * before for (before, _), (later, _) in pairwise(point["rotation"]))

seed = stood(twist="half", knots=((18.2,), (20.8, 47.9)))
print(f"as printed:  {seed['stiffness'][0][0] / 1000:.1f} N/mm (168.5), by {seed['functions']} functions")
assert abs(seed["stiffness"][0][0] / 168500 - 1) < 0.02

leg = detent.mate(machine).legs[0]
print(f"in with {leg.force.peak_push:.1f} N; it draws the block on with {-leg.force.pull_in:.1f} N")
for contacts in leg.contact_sequence:
    print("  ", " and ".join(contacts) or "free")
assert abs(leg.force.peak_push - 77.27) < 0.02
assert [len(contacts) for contacts in leg.contact_sequence] == [0, 1, 2, 1, 1, 0]
