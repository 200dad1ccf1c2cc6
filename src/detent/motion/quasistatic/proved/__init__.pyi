# Written by tools/make_doors.py.
from detent.motion.quasistatic.proved.follow import certified as certified
