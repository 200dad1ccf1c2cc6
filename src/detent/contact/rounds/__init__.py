"""Round shafts in round holes: which circles may touch what, found and followed at poses of the bodies."""
