"""A round peg goes into its hole: contact forces by Whitney's closed forms, and on a robot's arm."""

import math

import detent

soft = detent.mate("round_peg_carrier")
leg = soft.legs[0]
print(soft.words)
assert leg.contact_order == ("1", "2", "23")  # rims, side on rim, then rim on wall too
assert abs(leg.second_contact.tip_depth_mm - 50) < 1

# Rims are tubes of 4 and 6 mm about circles of 15.95 and 26 mm: they meet where these are 10 mm apart.
across = 26 - 15.95 - math.hypot(2.1, 1.3)
assert abs(leg.first_contact.tip_depth_mm - (10 - math.sqrt(100 - across**2))) < 0.05

for name in ("round_peg_puma", "round_peg_puma_other"):
    robot = detent.mate(name).legs[0]
    two = robot.two_point
    print(f"{name}: {two.lambda2_max:.1f} and {two.lambda3_max:.1f} N, {-two.F_z_min:.1f} N along")
    assert robot.contact_order == ("1", "2", "23")
    assert abs(robot.second_contact.tip_depth_mm - 50) < 5
    assert abs(two.F_z_min) < 0.3 * two.lambda2_max
