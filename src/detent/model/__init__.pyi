# Written by tools/make_doors.py.
from detent.model.document.drive import Drive as Drive
from detent.model.document.joint import Joint as Joint
from detent.model.document.joint import Spring as Spring
from detent.model.document.mechanism import Mechanism as Mechanism
from detent.model.document.part import Marker as Marker
from detent.model.document.part import Material as Material
from detent.model.document.part import Part as Part
from detent.model.document.part import Pose as Pose
from detent.model.editing.operation import AddPart as AddPart
from detent.model.editing.operation import Join as Join
from detent.model.editing.operation import MoveMarker as MoveMarker
from detent.model.machine.solids import part_solid as part_solid
from detent.model.machine.system import System as System
from detent.model.machine.system import compile_system as compile_system
from detent.model.reading.build import Builder as Builder
from detent.model.reading.convert import mechanism as mechanism
from detent.model.reading.convert import plain as plain
