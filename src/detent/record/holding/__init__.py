"""What holds a fastener: fans of directions, and what follows from them."""
