# Written by tools/make_doors.py.
from detent.motion.quasistatic.proved.arrays import times_near as times_near
from detent.motion.quasistatic.proved.follow import certified as certified
from detent.motion.quasistatic.proved.tracking import prove as prove
