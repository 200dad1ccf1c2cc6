"""A round peg on its way into a hole: which surfaces touch, where on both parts, with what forces."""
