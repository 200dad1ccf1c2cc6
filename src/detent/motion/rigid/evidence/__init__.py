"""What a run of the rigid method tells: its log, forces and loads along it, what its drives ran into."""
