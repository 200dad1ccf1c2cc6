# Written by tools/make_doors.py.
from detent.motion.quasistatic.exact.legs import LegRun as LegRun
from detent.motion.quasistatic.exact.legs import PlanRun as PlanRun
from detent.motion.quasistatic.exact.legs import StraightPush as StraightPush
from detent.motion.quasistatic.exact.legs import run_leg as run_leg
from detent.motion.quasistatic.exact.legs import run_plan as run_plan
from detent.motion.quasistatic.exact.pawl import PawlRun as PawlRun
from detent.motion.quasistatic.exact.pawl import SlidingStretch as SlidingStretch
