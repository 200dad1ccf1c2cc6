"""Linkages moved along their drives: what `detent move` says of them."""
