# Written by tools/make_doors.py.
from detent.geometry.exact.convex import common as common
from detent.geometry.exact.convex import convex_parts as convex_parts
from detent.geometry.exact.convex import without as without
from detent.geometry.exact.polygon import ExactLeaf as ExactLeaf
from detent.geometry.exact.polygon import doubled as doubled
from detent.geometry.exact.polytope import Polytope as Polytope
from detent.geometry.exact.union import joined as joined
from detent.geometry.exact.union import joined_by as joined_by
