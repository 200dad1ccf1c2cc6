# Written by tools/make_doors.py.
from detent.motion.penalty.choosing import PenaltyChoice as PenaltyChoice
from detent.motion.penalty.linear import linearise as linearise
from detent.motion.penalty.method import Penalty as Penalty
from detent.motion.penalty.penalty_run import PenaltyRun as PenaltyRun
from detent.motion.penalty.pushes import accelerate as accelerate
from detent.motion.penalty.pushes import rates_at as rates_at
from detent.motion.penalty.tables import Overlapping as Overlapping
from detent.motion.penalty.tables import overlapping as overlapping
