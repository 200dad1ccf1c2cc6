"""Floor 7: judging a machine or a trajectory: what it is, whether it goes together, what it will do."""
