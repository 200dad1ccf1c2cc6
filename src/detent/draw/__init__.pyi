# Written by tools/make_doors.py.
from detent.draw.machine.machine import machine_scene as machine_scene
from detent.draw.machine.stage import posed as posed
from detent.draw.machine.stage import stage_of as stage_of
from detent.draw.scene.scene import Symbol as Symbol
