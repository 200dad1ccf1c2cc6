"""How much one page, one message and one computation may cost. Each bound, and its reason."""

from __future__ import annotations

from detent.io.disk.files import MAX_BYTES

# A file that is read: a document, a drawing.
FILE_BYTES = MAX_BYTES
# A message is a document and a little around it.
MESSAGE_BYTES = MAX_BYTES + 1_000_000
BODY_BYTES = MESSAGE_BYTES
# Questions that wait in one connection; then the server stops reading from it until it has answered.
WAITING = 64
WAITING_BYTES = 2 * MESSAGE_BYTES
# A client that reads nothing for so long [s] is gone.
SEND_SECONDS = 60.0

# An edit or a drag step is answered in milliseconds; a sweep or an animation may take a while [s].
QUICK_SECONDS = 10.0
LONG_SECONDS = 120.0
# A run over time says what it is at, and a person ends it; the first one compiles for minutes [s].
RUN_SECONDS = 1800.0
# Address space of a child [bytes]. NumPy, SciPy and compiled kernels reserve 2 to 3 GB of it.
CHILD_BYTES = 6 * 2**30
CHILD_FILE_BYTES = 256 * 2**20
# Children: one more than may be busy with long questions, so that a drag never waits behind a study.
CHILDREN = 3
LONG_CHILDREN = 2
# Documents that a child keeps understood; a session changes one, a drag repeats one.
REMEMBERED = 8
# Understood, a document takes some thirty times its text.
REMEMBERED_BYTES = 10_000_000

# A workspace may be somebody's home: the list stops at so many documents and looked-at entries.
LISTED = 500
LOOKED_AT = 20_000
DRAFTS = 200
