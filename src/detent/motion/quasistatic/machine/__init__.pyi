# Written by tools/make_doors.py.
from detent.motion.quasistatic.machine.fasteners import Fastener as Fastener
from detent.motion.quasistatic.machine.fasteners import fastener as fastener
from detent.motion.quasistatic.machine.polygons import leaves_of as leaves_of
