# Written by tools/make_doors.py.
from detent.kinematics.planning.blocks import PINNED as PINNED
from detent.kinematics.planning.blocks import SLIDING as SLIDING
from detent.kinematics.planning.blocks import WIDTH as WIDTH
from detent.kinematics.planning.limit_rows import with_stops as with_stops
from detent.kinematics.planning.poses import part_poses as part_poses
from detent.kinematics.planning.tables import BLOCK as BLOCK
from detent.kinematics.planning.tables import CUT as CUT
from detent.kinematics.planning.tables import Ints as Ints
from detent.kinematics.planning.tables import Plan as Plan
