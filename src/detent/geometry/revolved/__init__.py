"""Round holes as meridians: the wall's radius over the depth, and how a ring's section lies against it."""
