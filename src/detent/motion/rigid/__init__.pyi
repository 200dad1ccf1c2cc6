# Written by tools/make_doors.py.
from detent.motion.rigid.bounds import bound_motion as bound_motion
from detent.motion.rigid.method import Rigid as Rigid
from detent.motion.rigid.rigid_run import RigidRun as RigidRun
from detent.motion.rigid.safe_times import DEEP as DEEP
from detent.motion.rigid.safe_times import safe_time as safe_time
from detent.motion.rigid.search import place_on_step as place_on_step
from detent.motion.rigid.sweeps import stays_clear as stays_clear
from detent.motion.rigid.sweeps import view_pair as view_pair
