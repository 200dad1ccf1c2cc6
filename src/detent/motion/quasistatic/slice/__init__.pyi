# Written by tools/make_doors.py.
from detent.motion.quasistatic.slice.curves import FeaturePair as FeaturePair
from detent.motion.quasistatic.slice.curves import angles_at as angles_at
from detent.motion.quasistatic.slice.curves import pair as pair
from detent.motion.quasistatic.slice.edges import distinct as distinct
from detent.motion.quasistatic.slice.freespace import FreeSpace as FreeSpace
from detent.motion.quasistatic.slice.freespace import free_space as free_space
from detent.motion.quasistatic.slice.outlines import holding as holding
from detent.motion.quasistatic.slice.table import SlicePoint as SlicePoint
