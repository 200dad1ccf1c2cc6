"""Answers in words and tables, one module per verb."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "explain": "in_words",
        "layout": "labelled table_lines",
        "move": "words",
    },
)
