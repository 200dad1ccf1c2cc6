"""What gives way and rigid parts on one leader: couplings A and B of Meitinger & Pfeiffer in one run."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "combined_run": "CombinedRun combination combine",
        "method": "Combined",
        "pairs": "followed_pairs rigid_beside",
    },
)
