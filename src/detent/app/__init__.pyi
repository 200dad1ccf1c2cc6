# Written by tools/make_doors.py.
from detent.app.cli import main as main
from detent.app.films import driven as driven
from detent.app.inputs import examples_folder as examples_folder
from detent.app.interrupts import without_lost_interrupts as without_lost_interrupts
from detent.app.kernels import all_kernels as all_kernels
from detent.app.parsing import PLANNED as PLANNED
from detent.app.parsing import VERBS as VERBS
from detent.app.parsing import parser_of as parser_of
from detent.app.parsing import question_of as question_of
from detent.app.questions import verb_for as verb_for
