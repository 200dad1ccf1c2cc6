# Written by tools/make_doors.py.
from detent.io.native.document import dumps as dumps
from detent.io.native.document import load as load
from detent.io.native.document import loads as loads
from detent.io.native.document import loads_json as loads_json
from detent.io.native.document import loads_toml as loads_toml
from detent.io.native.document import save as save
