"""Formats of robot simulators: a mechanism as a tree of bodies with joints, written for other programs."""
