"""Rigid parts that a robot or a carrier mates: coupling B of Meitinger & Pfeiffer, (12) and (13)."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "energy": "energy_of_mating",
        "keeping": "room_for_steps",
        "machine": "ContactMachine contact_machine",
        "many": "each_run processors standing",
        "mating_run": "RigidMatingRun prepared rigid_run_of",
        "moving": "sample_leader",
        "running": "mate_steps work_for",
        "traces": "TracedContacts traced",
        "stages": "MOST impact step_in_contact",
    },
)
