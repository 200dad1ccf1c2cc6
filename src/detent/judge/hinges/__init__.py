"""Hooks on beams as pawls on hinges: the document of the hinges, and what bending does to the beams."""
