# Written by tools/make_doors.py.
from detent.motion.compliant.led.compiled import compiled_laws as compiled_laws
from detent.motion.compliant.led.coupling import Coupled as Coupled
from detent.motion.compliant.led.energy import energy_of as energy_of
from detent.motion.compliant.led.following import followed as followed
from detent.motion.compliant.led.full import CoupledFully as CoupledFully
from detent.motion.compliant.led.led_run import CoupledRun as CoupledRun
from detent.motion.compliant.led.led_run import couple as couple
from detent.motion.compliant.led.led_run import led_connections as led_connections
from detent.motion.compliant.led.led_run import scales_of as scales_of
from detent.motion.compliant.led.led_run import steps_of as steps_of
from detent.motion.compliant.led.stepping import BY_TIME as BY_TIME
from detent.motion.compliant.led.stepping import STAGE as STAGE
from detent.motion.compliant.led.stepping import total_force as total_force
from detent.motion.compliant.led.steps import LedSteps as LedSteps
