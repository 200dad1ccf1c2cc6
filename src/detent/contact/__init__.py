"""Floor 5: contact rows, friction, and the modes that a set of contacts allows."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "at_state": "ContactSet contacts_at find_contacts",
        "candidate": "Candidates EDGE_DISC candidates",
        "candidate_gap": "contact_of faces feature_distance relative_pose role_gap",
        "checks": "touching_of",
        "contacts": "Contacts spread",
        "edge_rates": "edge_gap_rates",
        "features": "FeatureTable feature_table",
        "forces.at_velocity": "RowRates",
        "forces.consistent": "consistent_modes",
        "forces.balancing": "balance",
        "forces.friction": "force_cone",
        "modes.batch": "modes_batch modes_of_many",
        "from_state": "mode_contacts",
        "given_contacts": "given_at",
        "modes.counting": "count_contacting_separating",
        "modes.enumerate": "Budget",
        "modes.incremental": "with_contact",
        "modes.mode": "Mode ModeSet",
        "modes.removal": "without_contact",
        "modes.sliding": "sliding_modes stream",
        "modes.velocity_cone": "cone",
        "normal_rows": "ContactRows contact_rows gap_rates",
        "plane_rates": "plane_gap_rate",
        "rounds.at_pose": "find_rounds follow_round room_for_rounds",
        "rounds.candidates": "RoundCandidates round_candidates",
        "space_at_state": "find_space_contacts",
        "space_candidates": "SpaceCandidates",
        "touching.document": "contacts_of",
    },
)
