# Written by tools/make_doors.py.
from detent.draw.chart.mating import mating_scene as mating_scene
from detent.draw.chart.measured import overlay_scene as overlay_scene
from detent.draw.chart.motion import chart_of_motion as chart_of_motion
from detent.draw.chart.motion import motion_scene as motion_scene
from detent.draw.chart.pegs import peg_scene as peg_scene
from detent.draw.chart.plot import BOUNDLESS as BOUNDLESS
from detent.draw.chart.plot import Panel as Panel
from detent.draw.chart.plot import PlotAxis as PlotAxis
from detent.draw.chart.plot import PlotMark as PlotMark
from detent.draw.chart.plot import Series as Series
from detent.draw.chart.plot import plot_scene as plot_scene
from detent.draw.chart.plot import ticks as ticks
from detent.draw.chart.shading import Shade as Shade
from detent.draw.chart.slice import HOLDING as HOLDING
from detent.draw.chart.slice import slice_scene as slice_scene
