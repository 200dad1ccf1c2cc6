# Written by tools/make_doors.py.
from detent.numeric.polynomial.algebraic import Real as Real
from detent.numeric.polynomial.algebraic import between as between
from detent.numeric.polynomial.algebraic import compare as compare
from detent.numeric.polynomial.algebraic import real as real
from detent.numeric.polynomial.algebraic import real_roots as real_roots
from detent.numeric.polynomial.bernstein import may_vanish as may_vanish
from detent.numeric.polynomial.enclose import FALLS as FALLS
from detent.numeric.polynomial.enclose import NONE as NONE
from detent.numeric.polynomial.enclose import RISES as RISES
from detent.numeric.polynomial.enclose import UNSURE as UNSURE
from detent.numeric.polynomial.enclose import first_touch as first_touch
from detent.numeric.polynomial.enclose import first_zero as first_zero
from detent.numeric.polynomial.enclosed import enclosed_root as enclosed_root
from detent.numeric.polynomial.quartic import DOUBT as DOUBT
from detent.numeric.polynomial.quartic import HALVINGS as HALVINGS
from detent.numeric.polynomial.quartic import NO_ROOT as NO_ROOT
from detent.numeric.polynomial.quartic import first_fall as first_fall
