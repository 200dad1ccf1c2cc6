# Written by tools/make_doors.py.
from detent.judge.diodes.enclosing import EnclosedPulls as EnclosedPulls
