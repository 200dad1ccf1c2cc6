# Written by tools/make_doors.py.
from detent.motion.quasistatic.enclosed.pairs import StraightPushes as StraightPushes
