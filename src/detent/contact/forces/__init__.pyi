# Written by tools/make_doors.py.
from detent.contact.forces.at_velocity import RowRates as RowRates
from detent.contact.forces.at_velocity import following as following
from detent.contact.forces.at_velocity import present as present
from detent.contact.forces.balancing import balance as balance
from detent.contact.forces.consistent import consistent_modes as consistent_modes
from detent.contact.forces.consistent import equations_of_motion as equations_of_motion
from detent.contact.forces.coulomb import reach as reach
from detent.contact.forces.coulomb import solve as solve
from detent.contact.forces.friction import force_cone as force_cone
from detent.contact.forces.row_rates import row_rates_of as row_rates_of
