"""Machines over time, as rigid bodies that touch without overlap: events, impacts, complementarity."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(__name__, {"method": "Rigid", "rigid_run": "RigidRun"})
