"""What a library part has where a document does not say: each value with its source. SI throughout.

Meitinger & Pfeiffer (1998) print working points, but neither stiffnesses, gains, payload nor tool. Those
here are chosen: they make examples that can be compared, and are no measurements of a robot.
"""

from __future__ import annotations

from dataclasses import dataclass

CHOSEN = "chosen for Detent, not measured"
SEED = "Meitinger & Pfeiffer"


@dataclass(frozen=True)
class Default:
    """A value with its unit and where it is from."""

    value: tuple[float, ...]
    unit: str
    source: str

    def __str__(self) -> str:
        return f"{', '.join(f'{x:g}' for x in self.value)} {self.unit}".rstrip() + f" ({self.source})"


PUMA560: dict[str, Default] = {
    "working_point_deg": Default((4.6, -157.2, 27.5, 0.0, -50.3, 4.6), "deg", f"{SEED}, section 6.2"),
    "gear_stiffness": Default((3.0e4, 4.5e4, 3.6e4), "N m/rad", CHOSEN),
    "gear_damping_ratio": Default((0.03,), "", CHOSEN),
    "position_gain": Default((1.5e5, 2.25e5, 1.8e5, 2e3, 2e3, 2e3), "N m/rad", CHOSEN),
    "gain_damping_ratio": Default((0.7,), "", CHOSEN),
    "gripper": Default((0.22,), "m along the tool", CHOSEN),
    "tool_axis": Default((0.0, 0.0, -1.0), "", "down"),
    "across": Default((0.0, 1.0, 0.0), "", f"the base's y, as in {SEED}, section 6.2"),
}
URDF: dict[str, Default] = {
    key: PUMA560[key] for key in ("gear_damping_ratio", "gain_damping_ratio", "gripper")
}
CARRIER: dict[str, Default] = {
    "damping_ratio": Default((0.6,), "of each direction by itself", CHOSEN),
    "gripper": Default((0.0,), "m along z", "at its own frame"),
}
# [kg], [m] along the tool, [kg m²] about the flange's axes.
PAYLOAD_MASS, PAYLOAD_AT, PAYLOAD_PRINCIPAL = 2.5, (0.0, 0.0, 0.2), (0.01, 0.01, 0.006)
PAYLOAD_WORDS = f"2.5 kg, 0.2 m along the tool, moments 0.01, 0.01, 0.006 kg m² ({CHOSEN})"
