# Written by tools/make_doors.py.
from detent.infer.asked import resolved as resolved
from detent.infer.found import Dropped as Dropped
from detent.infer.found import Inference as Inference
from detent.infer.found import InferredPair as InferredPair
from detent.infer.found import OpenQuestion as OpenQuestion
from detent.infer.found import StateVariable as StateVariable
from detent.infer.inference import infer as infer
from detent.infer.symmetry import Symmetry as Symmetry
from detent.infer.symmetry import symmetries as symmetries
