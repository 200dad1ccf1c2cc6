# Written by tools/make_doors.py.
from detent.app.server.context import Context as Context
from detent.app.server.message import LONG as LONG
from detent.app.server.message import QUICK as QUICK
from detent.app.server.pages import STATIC as STATIC
from detent.app.server.pool import ChildAnswer as ChildAnswer
from detent.app.server.pool import Pool as Pool
from detent.app.server.session import Session as Session
from detent.app.server.workspace import Workspace as Workspace
