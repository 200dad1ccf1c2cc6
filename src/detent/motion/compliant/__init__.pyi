# Written by tools/make_doors.py.
from detent.motion.compliant.compliant_run import CompliantRun as CompliantRun
from detent.motion.compliant.connections import connections_of as connections_of
from detent.motion.compliant.followed import Connection as Connection
from detent.motion.compliant.followed import ContactChange as ContactChange
from detent.motion.compliant.followed import FollowedLeg as FollowedLeg
from detent.motion.compliant.hooks.finer import HookRow as HookRow
from detent.motion.compliant.hooks.finer import finer as finer
from detent.motion.compliant.method import Compliant as Compliant
