"""Floor 4: where the links of a plane mechanism stand, and how they move (MechEdit, Brunkhart 1994)."""
