# Written by tools/make_doors.py.
from detent.model.machine.joint_gaps import drawn_poses as drawn_poses
from detent.model.machine.mass import mass_from_shape as mass_from_shape
from detent.model.machine.solids import part_solid as part_solid
from detent.model.machine.system import compile_system as compile_system
from detent.model.machine.timing import problems as problems
