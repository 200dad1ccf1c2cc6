"""The answer of `detent mate` for a round peg: in or stuck, which surfaces touched and when, forces."""

from __future__ import annotations

from detent.foundation.names import listed
from detent.foundation.units import unit_names
from detent.record.led.rounds import RoundLeg, RoundMating


def words(mating: RoundMating, title: str) -> str:
    """The report for a person."""
    units = unit_names(mating.units)
    leads = {"arm": "robot", "carrier": "carrier", "elastic joint": "elastic joint"}[mating.leads]
    lines = [
        title,
        f"  goes in    {mating.insertion.answer}: {mating.insertion.why}",
        f"  round      {mating.peg} in {mating.hole}, {mating.clearance:.4g}{units.length} between diameters",
        f"  led by     {leads} {mating.robot}, linear about the drawing; holds {listed(list(mating.held))}",
    ]
    for number, leg in enumerate(mating.legs, 1):
        lines.append(f"leg {number}, from {leg.start:.4g} s; forces are means over 20 ms")
        lines += [f"  {line}" for line in _leg(leg)]
    if mating.largest_torques:
        told = [f"{name} {torque:.4g}" for name, torque in mating.largest_torques.items()]
        lines.append(f"torques      {listed(told)} N m at most")
    solved = listed([f"{count} {how}" for how, count in mating.solved.items()])
    lines.append(f"steps        {mating.steps} of {mating.step:g} s at most; contact problems: {solved}")
    scope = mating.scope
    lines += [scope.words, *(f"  left out: {each}" for each in scope.left_out)]
    return "\n".join([*lines, *(f"  assumed: {each}" for each in scope.assumed)])


def _leg(leg: RoundLeg) -> list[str]:
    order = ", then ".join(" and ".join(f"({pair})" for pair in pairs) for pairs in leg.contact_order)
    lines = [f"contacts     {order or 'none that push'}"]
    touched = sorted({pair for pairs in leg.contact_order for pair in pairs})
    lines += [f"             ({pair}) {leg.pairs[pair]}" for pair in touched]
    if (first := leg.first_contact) is not None:
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
    if (second := leg.second_contact) is not None:
        lines.append(
            f"second       at {second.t:.4g} s, tip {second.tip_depth_mm:.4g} mm deep, the peg leans "
            f"{second.tilt_abs_mrad:.3g} mrad"
        )
    if (two := leg.two_point) is not None:
        lines.append(
            f"two points   {two.lambda2_max:.4g} N on the rim, {two.lambda3_max:.4g} N on the wall, "
            f"{-two.F_z_min:.4g} N along at most"
        )
    lines.append(
        f"chamfer peak {leg.force.peak_chamfer:.4g} N along the way; extreme {leg.force.extreme:.4g} N"
    )
    if leg.impulses:
        largest = max(leg.impulses, key=lambda blow: abs(blow.along) + blow.across)
        lines.append(
            f"impacts      {len(leg.impulses)}; the largest {largest.along:.3g} N s along, "
            f"{largest.across:.3g} N s across, at {largest.time:.4g} s"
        )
    lines.append(f"overlap      {leg.penetration_um:.2g} um at most, at ends of steps")
    told = f" ({leg.end.detail})" if leg.end.detail else ""
    lines.append(f"ends         {leg.end.cause}, tip {leg.end.depth_mm:.5g} mm deep{told}")
    return lines
