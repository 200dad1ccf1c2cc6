# Written by tools/make_doors.py.
from detent.draw.paper.labels import Ink as Ink
from detent.draw.paper.labels import place_labels as place_labels
from detent.draw.paper.page import box_of_text as box_of_text
from detent.draw.paper.page import on_paper as on_paper
from detent.draw.paper.report import ReportSummary as ReportSummary
from detent.draw.paper.report import Section as Section
from detent.draw.paper.report import render as render
