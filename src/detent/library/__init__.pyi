# Written by tools/make_doors.py.
from detent.library.drawing import meet as meet
from detent.library.drawing import pinned as pinned
from detent.library.drawing import polar as polar
from detent.library.looks import LIBRARY_SOLIDS as LIBRARY_SOLIDS
from detent.library.looks import brought as brought
from detent.library.looks import solid_of as solid_of
from detent.library.mechedit import PERFORMANCE_TABLE as PERFORMANCE_TABLE
from detent.library.mechedit import stress as stress
from detent.library.puma560 import link_frames as link_frames
