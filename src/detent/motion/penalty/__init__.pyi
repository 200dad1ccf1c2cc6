# Written by tools/make_doors.py.
from detent.motion.penalty.method import Penalty as Penalty
from detent.motion.penalty.penalty_run import PenaltyRun as PenaltyRun
