"""Move time: running a plan, one position or many."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "batch": "Sweeper",
        "block_step": "row_columns",
        "bodies": "block_rows place_bodies",
        "chains": "CLOSED KEPT chain_gaps chain_step close_chain eliminate is_chain",
        "derivatives": "PartRates part_rates",
        "frame": "SHORTEST ALL_CLOSED advance input_table tables_of",
        "stepper": "Stepper",
        "sweeping": "Frames sweep",
    },
)
