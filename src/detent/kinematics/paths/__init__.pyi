# Written by tools/make_doors.py.
from detent.kinematics.paths.assembly_modes import assemblies as assemblies
from detent.kinematics.paths.closed import closed_walk as closed_walk
from detent.kinematics.paths.designs import DesignSweep as DesignSweep
from detent.kinematics.paths.designs import move_batch as move_batch
from detent.kinematics.paths.designs import sweep_designs as sweep_designs
from detent.kinematics.paths.drive_path import drive_path_of as drive_path_of
from detent.kinematics.paths.extremes import Extreme as Extreme
from detent.kinematics.paths.extremes import extremes_between as extremes_between
from detent.kinematics.paths.extremes import grid as grid
from detent.kinematics.paths.path_event import PathEvent as PathEvent
from detent.kinematics.paths.path_event import PathEventKind as PathEventKind
from detent.kinematics.paths.path_limits import vectors_at as vectors_at
from detent.kinematics.paths.segments import walk_in_segments as walk_in_segments
