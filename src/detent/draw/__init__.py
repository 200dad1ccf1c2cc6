"""Floor 8: pictures as data, then SVG and PNG, plots, animation, report."""
