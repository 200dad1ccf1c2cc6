# Written by tools/make_doors.py.
from detent.draw.words.explain import in_words as in_words
from detent.draw.words.layout import labelled as labelled
from detent.draw.words.layout import table_lines as table_lines
from detent.draw.words.move import words as words
