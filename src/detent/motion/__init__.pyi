# Written by tools/make_doors.py.
from detent.motion.kinematic import Kinematic as Kinematic
from detent.motion.kinematic import move as move
from detent.motion.live.prepared import prepare as prepare
from detent.motion.methods import Quasistatic as Quasistatic
from detent.motion.methods import Undecided as Undecided
from detent.motion.quasistatic.floats.designs import PawlDesigns as PawlDesigns
from detent.motion.quasistatic.floats.designs import decide as decide
from detent.motion.quasistatic.floats.designs import push_batch as push_batch
from detent.motion.quasistatic.machine.fasteners import fastener as fastener
