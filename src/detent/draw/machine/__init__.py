"""A machine at a state, as a scene."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "free_body": "contact_arrows free_body_scene",
        "machine": "machine_scene",
        "order": "DrawnFace back_to_front",
        "stage": "posed stage_of",
    },
)
