"""A robot or a carrier leads the held part: coupling A of Meitinger & Pfeiffer, (11)."""
