"""Machines along slow drives, without inertia: what is pushed follows, what is blocked stops them."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(__name__, {"following_run": "FollowingRun", "method": "Following"})
