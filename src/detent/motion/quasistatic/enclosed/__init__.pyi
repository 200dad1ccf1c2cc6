# Written by tools/make_doors.py.
from detent.motion.quasistatic.enclosed.pairs import Pushes as Pushes
