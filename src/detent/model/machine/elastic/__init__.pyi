# Written by tools/make_doors.py.
from detent.model.machine.elastic.beam import beam_compliance as beam_compliance
from detent.model.machine.elastic.directions import DIRECTIONS as DIRECTIONS
from detent.model.machine.elastic.plate import PlateBending as PlateBending
from detent.model.machine.elastic.plate import plate_bending as plate_bending
from detent.model.machine.elastic.support import ElasticMatrices as ElasticMatrices
from detent.model.machine.elastic.support import ElasticSupport as ElasticSupport
from detent.model.machine.elastic.support import elastic_matrices as elastic_matrices
from detent.model.machine.elastic.support import elastic_support as elastic_support
