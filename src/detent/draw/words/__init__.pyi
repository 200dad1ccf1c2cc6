# Written by tools/make_doors.py.
from detent.draw.words.move import words as words
