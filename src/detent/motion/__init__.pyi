# Written by tools/make_doors.py.
from detent.motion.compliant.method import Compliant as Compliant
from detent.motion.kinematic.method import Kinematic as Kinematic
from detent.motion.live.prepared import prepare as prepare
from detent.motion.methods import METHODS as METHODS
from detent.motion.methods import Method as Method
from detent.motion.methods import method_of as method_of
from detent.motion.penalty.method import Penalty as Penalty
from detent.motion.prediction import move as move
from detent.motion.prediction import predict as predict
from detent.motion.quasistatic.doubt import Undecided as Undecided
from detent.motion.quasistatic.floats.designs import PawlDesigns as PawlDesigns
from detent.motion.quasistatic.floats.designs import decide as decide
from detent.motion.quasistatic.floats.designs import push_batch as push_batch
from detent.motion.quasistatic.machine.fasteners import fastener as fastener
from detent.motion.quasistatic.method import Quasistatic as Quasistatic
from detent.motion.rigid.following.method import Following as Following
from detent.motion.rigid.method import Rigid as Rigid
