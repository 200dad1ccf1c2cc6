"""The workbench's server: files, questions over a WebSocket, and the built pages.

`serve` starts it, `access` decides who may speak to it, `session` takes questions,
`pool` hands those about a document to `worker` processes, `workspace` keeps the
files. docs/rooms/app.md states the protocol that the page and the server share.
"""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "context": "Context",
        "message": "LONG QUICK",
        "pages": "STATIC",
        "pool": "ChildAnswer Pool",
        "session": "Session",
        "workspace": "Workspace",
    },
)
