# Written by tools/make_doors.py.
from detent.motion.rigid.mating.keeping import room_for_steps as room_for_steps
from detent.motion.rigid.mating.machine import ContactMachine as ContactMachine
from detent.motion.rigid.mating.machine import contact_machine as contact_machine
from detent.motion.rigid.mating.many import each_run as each_run
from detent.motion.rigid.mating.many import processors as processors
from detent.motion.rigid.mating.many import standing as standing
from detent.motion.rigid.mating.mating_run import RigidMatingRun as RigidMatingRun
from detent.motion.rigid.mating.mating_run import prepared as prepared
from detent.motion.rigid.mating.mating_run import rigid_run_of as rigid_run_of
from detent.motion.rigid.mating.moving import sample_leader as sample_leader
from detent.motion.rigid.mating.running import mate_steps as mate_steps
from detent.motion.rigid.mating.running import work_for as work_for
from detent.motion.rigid.mating.stages import MOST as MOST
from detent.motion.rigid.mating.stages import impact as impact
from detent.motion.rigid.mating.stages import step_in_contact as step_in_contact
from detent.motion.rigid.mating.traces import TracedContacts as TracedContacts
from detent.motion.rigid.mating.traces import traced as traced
