"""The JSON Schema of the model document, for editors and other programs."""

from __future__ import annotations

import argparse
import json

from detent.draw.words.answer import Answer
from detent.io.native.schema import schema


def configure(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace) -> Answer:
    document_schema = schema()
    return Answer(data=document_schema, text=json.dumps(document_schema, indent=2, ensure_ascii=False))
