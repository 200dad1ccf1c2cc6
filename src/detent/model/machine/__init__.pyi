# Written by tools/make_doors.py.
from detent.model.machine.joint_gaps import gaps as gaps
from detent.model.machine.mass import mass_from_shape as mass_from_shape
from detent.model.machine.placed import JointEnd as JointEnd
from detent.model.machine.placed import Placed as Placed
from detent.model.machine.placed import PlacedJoint as PlacedJoint
from detent.model.machine.placed import place as place
from detent.model.machine.solids import part_solid as part_solid
from detent.model.machine.system import compile_system as compile_system
from detent.model.machine.timing import problems as problems
from detent.model.machine.touching import TouchingPairs as TouchingPairs
