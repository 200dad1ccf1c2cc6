"""Floor 3: what happened and what it means, as frozen data.

Records know nothing of the model or of any method; whoever computes fills them.
"""
