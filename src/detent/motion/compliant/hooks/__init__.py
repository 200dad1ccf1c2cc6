"""Snap hooks on elastic supports: a rigid hook, a rigid counterpart, a stiffness between hook and support."""
