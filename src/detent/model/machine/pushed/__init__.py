"""Parts that a drive pushes along legs: what is assumed of its guide, and what gives way to them."""
