"""Curved surfaces as bounded patches r(u, v): fundamental forms, nearest points of two, their motion."""
