# Written by tools/make_doors.py.
from detent.model.document.drive import Drive as Drive
from detent.model.document.joint import Joint as Joint
from detent.model.document.joint import Limits as Limits
from detent.model.document.joint_types import JOINT_TYPES as JOINT_TYPES
from detent.model.document.joint_types import JointType as JointType
from detent.model.document.mechanism import Mechanism as Mechanism
from detent.model.document.part import LIBRARY as LIBRARY
from detent.model.document.part import Marker as Marker
from detent.model.document.part import Part as Part
from detent.model.document.part import Pose as Pose
