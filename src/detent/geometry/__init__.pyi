# Written by tools/make_doors.py.
from detent.geometry.frame import AXES as AXES
from detent.geometry.frame import Frame as Frame
from detent.geometry.pose import matrix_of as matrix_of
from detent.geometry.pose import quaternion_of as quaternion_of
from detent.geometry.solid import Point as Point
from detent.geometry.solid import Solid as Solid
from detent.geometry.solid import Torus as Torus
from detent.geometry.solid import leaves as leaves
