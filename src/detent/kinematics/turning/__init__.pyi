# Written by tools/make_doors.py.
from detent.kinematics.turning.count import TurnCount as TurnCount
from detent.kinematics.turning.pieces import half_turn_places as half_turn_places
from detent.kinematics.turning.relations import AngleRelations as AngleRelations
from detent.kinematics.turning.relations import angle_relations as angle_relations
