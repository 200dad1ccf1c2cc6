# Written by tools/make_doors.py.
from detent.io.formats import load as load
from detent.io.formats import save as save
