# Written by tools/make_doors.py.
from detent.kinematics.equations.start import closed_pose as closed_pose
from detent.kinematics.execution.derivatives import PartRates as PartRates
from detent.kinematics.execution.derivatives import part_rates as part_rates
from detent.kinematics.execution.sweeping import Frames as Frames
from detent.kinematics.execution.sweeping import sweep as sweep
from detent.kinematics.paths.designs import move_batch as move_batch
from detent.kinematics.paths.drive_path import DrivePath as DrivePath
from detent.kinematics.paths.drive_path import drive_path_of as drive_path_of
from detent.kinematics.plan import make_plan as make_plan
from detent.kinematics.planning.poses import marker_tracks as marker_tracks
from detent.kinematics.planning.poses import part_poses as part_poses
from detent.kinematics.planning.tables import Plan as Plan
