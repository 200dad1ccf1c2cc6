# Written by tools/make_doors.py.
from detent.kinematics.equations.inputs import Input as Input
from detent.kinematics.equations.inputs import joint_input as joint_input
from detent.kinematics.equations.inputs import marker_inputs as marker_inputs
from detent.kinematics.equations.newton import RANK as RANK
from detent.kinematics.equations.newton import close as close
from detent.kinematics.equations.newton import column_scale as column_scale
from detent.kinematics.equations.newton import shortest as shortest
from detent.kinematics.equations.rows import Floats as Floats
from detent.kinematics.equations.rows import coordinate as coordinate
from detent.kinematics.equations.rows import drawn_poses as drawn_poses
from detent.kinematics.equations.rows import residual_and_jacobian as residual_and_jacobian
from detent.kinematics.equations.rows import rows_of as rows_of
from detent.kinematics.equations.start import closed_pose as closed_pose
