# Written by tools/make_doors.py.
from detent.numeric.polynomial.algebraic import Real as Real
from detent.numeric.polynomial.algebraic import between as between
from detent.numeric.polynomial.algebraic import compare as compare
from detent.numeric.polynomial.algebraic import real as real
from detent.numeric.polynomial.algebraic import real_roots as real_roots
from detent.numeric.polynomial.bernstein import may_vanish as may_vanish
from detent.numeric.polynomial.quartic import DOUBT as DOUBT
from detent.numeric.polynomial.quartic import HALVINGS as HALVINGS
from detent.numeric.polynomial.quartic import NO_ROOT as NO_ROOT
from detent.numeric.polynomial.quartic import first_fall as first_fall
