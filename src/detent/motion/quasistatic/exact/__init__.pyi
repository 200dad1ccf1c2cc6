# Written by tools/make_doors.py.
from detent.motion.quasistatic.exact.legs import LegRun as LegRun
from detent.motion.quasistatic.exact.legs import PlanRun as PlanRun
from detent.motion.quasistatic.exact.legs import run_plan as run_plan
from detent.motion.quasistatic.exact.pawl import SlidingStretch as SlidingStretch
