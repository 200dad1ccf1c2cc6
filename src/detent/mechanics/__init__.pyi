# Written by tools/make_doors.py.
from detent.mechanics.inertia import bias as bias
from detent.mechanics.inertia import knows_masses as knows_masses
from detent.mechanics.inertia import mass_matrix as mass_matrix
from detent.mechanics.inertia import weight as weight
from detent.mechanics.joints import Bodies as Bodies
from detent.mechanics.joints import held_rows as held_rows
from detent.mechanics.row import GROUND as GROUND
from detent.mechanics.row import wrench_row as wrench_row
