# Written by tools/make_doors.py.
from detent.motion.live.grabbing import grab as grab
from detent.motion.live.grabbing import pull as pull
from detent.motion.live.prepared import prepare as prepare
from detent.motion.live.turning import turned as turned
