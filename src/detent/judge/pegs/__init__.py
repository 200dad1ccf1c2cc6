"""A peg on springs above a hole: Whitney's quasi-static theory, its diagrams, and the exact geometry beside
it.
"""
