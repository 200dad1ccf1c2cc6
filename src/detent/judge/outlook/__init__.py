"""What a machine will do in the long run: what repeats, how it drifts, what comes on top, when it ends."""
