"""Floor 1: roots, linear complementarity, arrangements, compiled kernels. Arrays in, arrays out."""
