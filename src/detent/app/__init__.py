"""Floor 9: the command line and the public verbs; no mechanics here."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "cli": "main",
        "films": "driven",
        "inputs": "examples_folder",
        "interrupts": "without_lost_interrupts",
        "kernels": "all_kernels",
        "parsing": "PLANNED VERBS parser_of question_of",
        "questions": "verb_for",
    },
)
