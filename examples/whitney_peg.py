"""Whitney's peg in hole: force against depth, two contacts, wedging, by closed forms and exact geometry.

python examples/whitney_peg.py
"""

import detent

mating = detent.mate("whitney_peg")
(leg,) = mating.legs
print(mating.words)

# Published forms with the lever r / tan a on the chamfer: 1.86627 N, two contacts from 13.4678 mm.
assert abs(leg.force.peak_chamfer + 1.8662702083684286) < 1e-9  # the contact holds the peg off
assert abs(leg.second_contact.depth - 13.467791177637562) < 1e-9
assert not leg.second_contact.wedging

# The stubby one meets both walls at l/d = 0.119 < mu = 0.35.
stubby = detent.mate("wedging_peg")
print(stubby.insertion.answer, stubby.insertion.why)
assert stubby.insertion.answer == "undecided"
assert stubby.legs[0].second_contact.wedging

# A gripper that tilts ten times as stiffly takes the peg over the chamfer on which the other one jams.
jammed = detent.load("jamming_peg")
stiff = jammed.with_("joints.gripper.stiffness", [10000, 1e5, 20])
assert [detent.mate(machine).insertion.answer for machine in (jammed, stiff)] == ["no", "yes"]
