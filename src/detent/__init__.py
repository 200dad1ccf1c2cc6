"""Detent predicts what a machine will do from the shape of its parts.

    import detent

    motion = detent.move("four_bar")     # an example, a path, or a Mechanism
    print(motion.words)
    motion.to_dataframe()

Every name below is loaded when it is first used, so that `import detent` costs nothing.
"""

from detent.foundation import late
from detent.foundation.doors import door

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "app.verbs": "load loads from_dict save explain predict run run_both outlook move mate modes "
        "moved_by move_designs better_position region_that_goes_in edit",
        "model.reading.build": "Builder",
        "model.document.mechanism": "Mechanism",
        "motion.kinematic.method": "Kinematic",
        "motion.combined.method": "Combined",
        "motion.compliant.method": "Compliant",
        "motion.penalty.method": "Penalty",
        "motion.quasistatic.method": "Quasistatic",
        "motion.rigid.following.method": "Following",
        "motion.rigid.method": "Rigid",
        "motion.quasistatic.floats.designs": "PawlDesigns decide push_batch",
        "motion.edit": "Edited",
        "contact.contacts": "Contacts",
        "contact.forces.consistent": "ConsistentMotion consistent_modes",
        "contact.forces.balancing": "Balance balance",
        "contact.forces.friction": "ForceCone force_cone",
        "contact.modes.batch": "modes_batch",
        "contact.modes.enumerate": "Budget",
        "contact.modes.mode": "Mode ModeSet",
        "contact.modes.sliding": "sliding_modes",
        "contact.modes.velocity_cone": "VelocityCone cone",
        "judge.grasping": "grasp",
        "judge.region.many": "MisalignedMatings mate_batch",
        "kinematics.paths.designs": "DesignSweep",
        "model.editing.change": "Change",
        "model.editing.operation": "AddDrive AddJoint AddMarker AddPart Ground Join MoveMarker Paste"
        " PlaceParts Remove RemoveDrive RemoveJoint RemoveMarker RemovePart Rename SetNumber SetUnits"
        " ToggleJoint",
        "record.batch": "Batch",
        "record.compared": "Compared",
        "record.compliant_mating": "CompliantMating",
        "record.led.mating": "LedMating",
        "record.led.rigid": "RigidMating",
        "record.led.positions": "BetterPosition",
        "record.event": "Event Stop",
        "record.explanation": "Explanation",
        "record.going_in": "RegionThatGoesIn",
        "record.mating": "Mating",
        "record.modes": "ConsistentModes ModesAnswer",
        "record.motion": "Motion",
        "record.outlook": "Outlook",
        "record.run": "Run",
        "record.running": "Running",
        "record.scope": "Scope",
        "record.trajectory": "Trajectory read_trajectory",
        "record.verdict": "Verdict",
        "foundation.errors": "DetentError MissingFileError ModelError NoRunError Problem UnknownNameError"
        " UnsupportedError WrongTypeError",
    },
)
__all__ += ["__version__"]

late.bind(
    {
        "notebook": "detent.draw.notebook:bundle",
        "to_dict": "detent.model.reading.altered:to_dict",
        "with_value": "detent.model.reading.altered:with_value",
        "words": "detent.draw.words.of:words_of",
    }
)
