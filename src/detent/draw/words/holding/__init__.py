"""What holds a fastener, in words: pulls out of it, fans of them, its class as a diode."""
