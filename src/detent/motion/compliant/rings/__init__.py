"""O-rings in their bores, followed along legs."""
