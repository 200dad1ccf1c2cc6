# Written by tools/make_doors.py.
from detent.motion.rigid.method import Rigid as Rigid
from detent.motion.rigid.rigid_run import RigidRun as RigidRun
