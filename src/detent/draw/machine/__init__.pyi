# Written by tools/make_doors.py.
from detent.draw.machine.free_body import contact_arrows as contact_arrows
from detent.draw.machine.free_body import free_body_scene as free_body_scene
from detent.draw.machine.machine import machine_scene as machine_scene
from detent.draw.machine.order import DrawnFace as DrawnFace
from detent.draw.machine.order import back_to_front as back_to_front
from detent.draw.machine.stage import posed as posed
from detent.draw.machine.stage import stage_of as stage_of
