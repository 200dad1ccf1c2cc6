# Written by tools/make_doors.py.
from detent.motion.combined.combined_run import CombinedRun as CombinedRun
from detent.motion.combined.combined_run import combination as combination
from detent.motion.combined.combined_run import combine as combine
from detent.motion.combined.method import Combined as Combined
from detent.motion.combined.pairs import followed_pairs as followed_pairs
from detent.motion.combined.pairs import rigid_beside as rigid_beside
