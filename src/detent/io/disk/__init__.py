"""Files: read whole, written whole or not at all."""
