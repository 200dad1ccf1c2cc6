"""Measured curves: read from CSV with their units, laid over answers, values of documents fitted to them."""
