# Written by tools/make_doors.py.
from detent.motion.quasistatic.decide import DecidedRuns as DecidedRuns
