"""What a pattern meets on its way: new contacts, limits, the end of an outline, and what they do."""
