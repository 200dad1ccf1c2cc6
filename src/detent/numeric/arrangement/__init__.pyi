# Written by tools/make_doors.py.
from detent.numeric.arrangement.check import EULER_CELLS as EULER_CELLS
from detent.numeric.arrangement.check import assert_sound as assert_sound
from detent.numeric.arrangement.check import unfaithful as unfaithful
from detent.numeric.arrangement.complex import ComplexBuilder as ComplexBuilder
from detent.numeric.arrangement.complex import EQUAL as EQUAL
from detent.numeric.arrangement.complex import FloatWitnesses as FloatWitnesses
from detent.numeric.arrangement.complex import IN_LINE as IN_LINE
from detent.numeric.arrangement.complex import TooManyCellsError as TooManyCellsError
from detent.numeric.arrangement.faces import Referee as Referee
from detent.numeric.arrangement.faces import faces_inside as faces_inside
from detent.numeric.arrangement.faces import walk_floats as walk_floats
from detent.numeric.arrangement.flats_exact import walk_integers as walk_integers
from detent.numeric.arrangement.integers import Integers as Integers
from detent.numeric.arrangement.integers import exact_null_space as exact_null_space
from detent.numeric.arrangement.integers import integer_matrix as integer_matrix
from detent.numeric.arrangement.integers import pivot_columns as pivot_columns
from detent.numeric.arrangement.store import NO_NODE as NO_NODE
