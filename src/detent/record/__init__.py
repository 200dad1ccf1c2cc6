"""Floor 3: what happened and what it means, as frozen data.

Records know nothing of the model or of any method; whoever computes fills them.
"""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "base": "encode",
        "batch": "Batch",
        "compared": "Compared StateApart Touch",
        "compliant_mating": "CompliantForce CompliantLeg CompliantMating CompliantSeries GoesIn JammingPath "
        "SecondContact",
        "event": "EVENT_KINDS Certificate Event EventKind Interval Stop",
        "amount": "Amount Force",
        "going_in": "AloneGoesIn IN MapBorder Misaligned RegionBorder RegionThatGoesIn TiltedOffsets "
        "ToleranceMap",
        "instant": "ContactAt ForceOn Instant PartStanding",
        "led.mating": "Deviation LedEnergy LedForce LedLeg LedMating",
        "led.rigid": "Blow ContactTrace FoundContact RigidEnd RigidForce RigidLeg RigidMating",
        "led.rounds": "OnePointRange RoundBlow RoundTouch RoundTrace SecondTouch TwoPointRange",
        "led.positions": "BetterPosition WorkingPosition",
        "mating": "LegStory Mating",
        "measured.overlay": "Fit FittedValue LaidColumn Overlay",
        "motion": "Motion",
        "outlook": "Drift MomentAhead MomentUntold Outlook Pattern PatternContact Phase Regime"
        " Superimposed ValidUntil",
        "run": "Run",
        "running": "ContactTotal Running",
        "scope": "Certainty Scope",
        "table": "Tabular",
        "trajectory": "JointState Trajectory read_trajectory",
        "verdict": "Evidence Verdict",
    },
)
