"""What a leg of a rigid mating says of a round peg alone: which surfaces touched, where, with what forces.

Times in seconds, forces in newtons, impulses in newton seconds; depths of the tip's centre below the hole's
face, in millimetres where a name says so. Angles are about the hole's axis from its part's x. Forces are
means, impulses included. `F_z` is the contact force on the peg along the way in, below zero as it holds the
peg off; `lambda1`, … are the normal forces of the pairs.
"""

from __future__ import annotations

from detent.record.base import Value

Two = tuple[float, float]


class RoundTouch(Value, frozen=True, omit_defaults=True):
    """Where a pair of surfaces comes to push; `lambda_max_N` is its largest force over the leg."""

    pair: int
    t: float
    tip_depth_mm: float
    angle_deg: float
    lambda_max_N: float | None = None  # noqa: N815


class OnePointRange(Value, frozen=True):
    """From 20 mm deep to the second contact: least and largest means; the tilt at the end."""

    lambda2_N: Two  # noqa: N815
    F_z_N: Two
    tilt_end_mrad: Two


class SecondTouch(Value, frozen=True, omit_defaults=True):
    """Where the peg comes to touch the wall inside, too."""

    t: float
    tip_depth_mm: float
    tilt_mrad: Two
    tilt_abs_mrad: float
    angle3_deg: float
    angle2_deg: float | None = None


class TwoPointRange(Value, frozen=True, omit_defaults=True):
    """From the second contact on: largest contact forces, the extreme along the way, where they end."""

    lambda2_max: float
    lambda3_max: float
    F_z_min: float
    angle2_end_deg: float | None = None
    angle3_end_deg: float | None = None


class RoundBlow(Value, frozen=True):
    """An impact: its impulse on the peg along the way in and across it [N s], and the pairs that met."""

    time: float
    along: float
    across: float
    pairs: tuple[str, ...]


class RoundTrace(Value, frozen=True):
    """Where a pair touched while it pushed: angles about each part's axis [deg], below the hole's face and
    above the peg's tip [mm].
    """

    pair: str
    times: tuple[float, ...]
    on_hole: tuple[Two, ...]
    on_peg: tuple[Two, ...]
