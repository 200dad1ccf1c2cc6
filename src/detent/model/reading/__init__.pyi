# Written by tools/make_doors.py.
from detent.model.reading.angles import odd_angles as odd_angles
from detent.model.reading.build import Builder as Builder
from detent.model.reading.convert import mechanism as mechanism
from detent.model.reading.convert import plain as plain
