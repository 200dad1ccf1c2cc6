# Written by tools/make_doors.py.
from detent.motion.quasistatic.floats.coefficients import FloatCurve as FloatCurve
from detent.motion.quasistatic.floats.coefficients import gap_terms as gap_terms
from detent.motion.quasistatic.floats.coefficients import place_along as place_along
from detent.motion.quasistatic.floats.coefficients import round_links as round_links
from detent.motion.quasistatic.floats.coefficients import with_edges as with_edges
from detent.motion.quasistatic.floats.designs import COLUMNS as COLUMNS
from detent.motion.quasistatic.floats.designs import decide as decide
from detent.motion.quasistatic.floats.designs import shapes as shapes
from detent.motion.quasistatic.floats.designs import track_designs as track_designs
from detent.motion.quasistatic.floats.filtered import Filter as Filter
from detent.motion.quasistatic.floats.simple import CAUSES as CAUSES
from detent.motion.quasistatic.floats.simple import track as track
from detent.motion.quasistatic.floats.tracing import friction_terms as friction_terms
from detent.motion.quasistatic.floats.tracker import Push as Push
from detent.motion.quasistatic.floats.tracker import TrackerState as TrackerState
from detent.motion.quasistatic.floats.tracker import room as room
from detent.motion.quasistatic.floats.tracker import state as state
