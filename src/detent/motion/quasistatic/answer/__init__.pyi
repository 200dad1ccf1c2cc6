# Written by tools/make_doors.py.
from detent.motion.quasistatic.answer.force import loaded_stretches as loaded_stretches
from detent.motion.quasistatic.answer.force import some_would_stick as some_would_stick
from detent.motion.quasistatic.answer.loads import PawlLoads as PawlLoads
from detent.motion.quasistatic.answer.report import leg_story as leg_story
from detent.motion.quasistatic.answer.sampled import TURNING as TURNING
from detent.motion.quasistatic.answer.sampled import trajectory as trajectory
