# Written by tools/make_doors.py.
from detent.motion.quasistatic.decide import DecidedRuns as DecidedRuns
from detent.motion.quasistatic.doubt import Undecided as Undecided
from detent.motion.quasistatic.fastener_run import FastenerRun as FastenerRun
from detent.motion.quasistatic.method import Quasistatic as Quasistatic
