# Written by tools/make_doors.py.
from detent.model.editing.operation import AddPart as AddPart
from detent.model.editing.operation import Join as Join
from detent.model.editing.operation import MoveMarker as MoveMarker
from detent.model.editing.repose import with_markers as with_markers
from detent.model.editing.repose import with_poses as with_poses
