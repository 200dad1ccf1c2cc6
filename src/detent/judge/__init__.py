"""Floor 7: judging a machine or a trajectory: what it is, whether it goes together, what it will do."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "comparing": "compare_models touches",
        "explanation": "explain",
        "grasping": "grasp",
        "led.positions": "at_radius compared searched",
        "mating": "mate mating_of refusals",
        "measured.fitting": "fit_measured",
        "measured.laying": "lay_over",
        "measured.reading": "MeasuredTable read_measured",
        "instants": "instants_of",
        "moments": "Moment moments_of",
        "outlook.patterns.hypotheses": "Marks Ranges SearchSettings disagreement search",
        "outlook.outlook": "outlook_of",
        "modes": "held moved_by",
        "rigid_mating.profile": "MatingProfile",
        "region.many": "MisalignedMatings mate_batch",
        "region.peg_runs": "OUTCOMES",
        "pegs.theory": "Peg one_point two_point",
        "round_pegs.answer": "round_peg",
        "round_pegs.story": "RoundStory",
        "running": "run",
    },
)
