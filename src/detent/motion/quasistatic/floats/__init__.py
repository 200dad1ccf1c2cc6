"""Following a pawl in doubles, with doubt passed back."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "coefficients": "FloatCurve gap_terms place_along round_links with_edges",
        "exact_design": "decided_exactly",
        "designs": "COLUMNS decide shapes track_designs",
        "filtered": "Filter",
        "simple": "CAUSES track",
        "tracing": "friction_terms",
        "tracker": "Push TrackerState room state",
    },
)
