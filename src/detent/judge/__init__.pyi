# Written by tools/make_doors.py.
from detent.judge.comparing import compare_models as compare_models
from detent.judge.comparing import touches as touches
from detent.judge.explanation import explain as explain
from detent.judge.grasping import grasp as grasp
from detent.judge.instants import instants_of as instants_of
from detent.judge.mating import mate as mate
from detent.judge.mating import mating_of as mating_of
from detent.judge.modes import held as held
from detent.judge.modes import moved_by as moved_by
from detent.judge.moments import Moment as Moment
from detent.judge.moments import moments_of as moments_of
from detent.judge.running import run as run
