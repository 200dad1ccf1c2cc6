# Written by tools/make_doors.py.
from detent.kinematics.plan import make_plan as make_plan
