"""Which offsets and tilts of the counterpart of what gives way go in."""
