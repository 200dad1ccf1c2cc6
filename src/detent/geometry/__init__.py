"""Floor 2: frames, outlines, solids, features, gaps, envelopes, mass."""
