# Written by tools/make_doors.py.
from detent.motion.rigid.following.following_run import FollowingRun as FollowingRun
from detent.motion.rigid.following.method import Following as Following
