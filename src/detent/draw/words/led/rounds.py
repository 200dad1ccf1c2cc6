"""A leg of a round peg in words: which surfaces touched and when, forces with one and with two points."""

from __future__ import annotations

from msgspec import UNSET

from detent.record.led.rigid import RigidLeg
from detent.record.led.rounds import RoundTouch, SecondTouch


def leg_words(leg: RigidLeg) -> list[str]:
    """Its contacts and their forces."""
    order = ", then ".join(" and ".join(f"({pair})" for pair in pairs) for pairs in leg.contact_order)
    lines = [f"contacts     {order or 'none that push'}"]
    touched = sorted({pair for pairs in leg.contact_order for pair in pairs})
    assert leg.pairs is not UNSET
    lines += [f"             ({pair}) {leg.pairs[pair]}" for pair in touched]
    if isinstance(first := leg.first_contact, RoundTouch):
        force = "" if first.lambda_max_N is None else f", {first.lambda_max_N:.4g} N at most"
        lines.append(
            f"first        ({first.pair}) at {first.t:.4g} s, tip {first.tip_depth_mm:.4g} mm deep, "
            f"{first.angle_deg:.1f} deg round the hole{force}"
        )
    if (to_side := leg.transfer_to_side) is not None:
        lines.append(f"to the side  at {to_side.t:.4g} s, tip {to_side.tip_depth_mm:.4g} mm deep")
    if (one := leg.one_point) is not None:
        least, most = one.lambda2_N
        lines.append(
            f"one point    {least:.4g} to {most:.4g} N on the side, {-one.F_z_N[0]:.4g} N along at most"
        )
    if isinstance(second := leg.second_contact, SecondTouch):
        lines.append(
            f"second       at {second.t:.4g} s, tip {second.tip_depth_mm:.4g} mm deep, the peg leans "
            f"{second.tilt_abs_mrad:.3g} mrad"
        )
    if (two := leg.two_point) is not None:
        lines.append(
            f"two points   {two.lambda2_max:.4g} N on the rim, {two.lambda3_max:.4g} N on the wall, "
            f"{-two.F_z_min:.4g} N along at most"
        )
    return lines
