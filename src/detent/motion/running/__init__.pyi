# Written by tools/make_doors.py.
from detent.motion.running.along import RunColumns as RunColumns
from detent.motion.running.along import RunSteps as RunSteps
from detent.motion.running.along import coordinate_scales as coordinate_scales
from detent.motion.running.loads import ContactLoad as ContactLoad
from detent.motion.running.loads import LoadRows as LoadRows
from detent.motion.running.loads import RunLoads as RunLoads
from detent.motion.running.minima import energy_minima as energy_minima
from detent.motion.running.starting import refuse_unsound as refuse_unsound
from detent.motion.running.starting import start_of as start_of
