# Written by tools/make_doors.py.
from detent.foundation.errors import DetentError as DetentError
from detent.foundation.errors import ModelError as ModelError
from detent.foundation.errors import Problem as Problem
from detent.foundation.errors import UnsupportedError as UnsupportedError
from detent.foundation.exact import Number as Number
from detent.foundation.exact import literal as literal
from detent.foundation.exact import number as number
from detent.foundation.names import ascii_name as ascii_name
from detent.foundation.names import is_name as is_name
from detent.foundation.progress import doing as doing
from detent.foundation.progress import now as now
from detent.foundation.progress import reached as reached
from detent.foundation.units import METRES as METRES
from detent.foundation.units import meant as meant
