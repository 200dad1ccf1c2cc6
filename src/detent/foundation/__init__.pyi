# Written by tools/make_doors.py.
from detent.foundation.errors import DetentError as DetentError
from detent.foundation.errors import MissingFileError as MissingFileError
from detent.foundation.errors import ModelError as ModelError
from detent.foundation.errors import Problem as Problem
from detent.foundation.errors import UnknownNameError as UnknownNameError
from detent.foundation.errors import UnsupportedError as UnsupportedError
from detent.foundation.errors import WrongTypeError as WrongTypeError
from detent.foundation.exact import Number as Number
from detent.foundation.exact import literal as literal
from detent.foundation.exact import number as number
from detent.foundation.shown import Shown as Shown
