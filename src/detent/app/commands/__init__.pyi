# Written by tools/make_doors.py.
from detent.app.commands.open import place as place
