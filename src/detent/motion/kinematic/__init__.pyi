# Written by tools/make_doors.py.
from detent.motion.kinematic.answer import motion_of as motion_of
from detent.motion.kinematic.linkage_run import LinkageRun as LinkageRun
from detent.motion.kinematic.method import Kinematic as Kinematic
