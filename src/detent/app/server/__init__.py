"""The workbench's server: files, questions over a WebSocket, and the built pages.

`serve` starts it, `gate` decides who may speak to it, `session` takes questions,
`pool` hands those about a document to `child` processes, `workspace` keeps the
files. docs/rooms/app.md states the protocol that the page and the server share.
"""
