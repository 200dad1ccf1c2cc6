"""Pairs of surfaces of a round peg and its hole, by number and in words."""

# Pairs by what touches on the hole, and on the peg; 1 to 3 are the paper's.
PAIRS = {
    ("rim", "rim"): "1",
    ("rim", "side"): "2",
    ("side", "rim"): "3",
    ("face", "rim"): "4",
    ("rim", "face"): "5",
    ("side", "side"): "6",
}
WORDS = {
    "1": "rim of the peg on rim of the hole",
    "2": "side of the peg on rim of the hole",
    "3": "rim of the peg on wall of the hole",
    "4": "rim of the peg on the face around the hole",
    "5": "end of the peg on rim of the hole",
    "6": "side of the peg on wall of the hole",
    "7": "end of the peg on a face of the hole's part",
}
