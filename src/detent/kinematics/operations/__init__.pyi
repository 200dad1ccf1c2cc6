# Written by tools/make_doors.py.
from detent.kinematics.operations.vectorised import LANES as LANES
