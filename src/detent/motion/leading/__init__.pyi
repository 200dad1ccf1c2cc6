# Written by tools/make_doors.py.
from detent.motion.leading.course import LedPath as LedPath
from detent.motion.leading.course import course_of as course_of
from detent.motion.leading.energy import EnergyAccount as EnergyAccount
from detent.motion.leading.leader import Leader as Leader
from detent.motion.leading.leader import leader_of as leader_of
from detent.motion.leading.on_course import course_at as course_at
from detent.motion.leading.on_course import sample_course as sample_course
from detent.motion.leading.plan import PushPlan as PushPlan
from detent.motion.leading.plan import StraightLeg as StraightLeg
from detent.motion.leading.plan import plan_of as plan_of
