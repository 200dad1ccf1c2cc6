# Written by tools/make_doors.py.
from detent.record.base import encode as encode
from detent.record.event import Certificate as Certificate
from detent.record.event import EVENT_KINDS as EVENT_KINDS
from detent.record.event import Event as Event
from detent.record.event import EventKind as EventKind
from detent.record.event import Interval as Interval
from detent.record.event import Stop as Stop
from detent.record.mating import LegStory as LegStory
from detent.record.mating import Mating as Mating
from detent.record.mating import Unbounded as Unbounded
from detent.record.motion import Motion as Motion
from detent.record.run import Run as Run
from detent.record.trajectory import State as State
from detent.record.trajectory import Trajectory as Trajectory
from detent.record.trajectory import read_trajectory as read_trajectory
from detent.record.verdict import Evidence as Evidence
from detent.record.verdict import Verdict as Verdict
