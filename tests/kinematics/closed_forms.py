"""Textbook closed forms of single linkages, each written from its own triangle."""

from __future__ import annotations

import math

import numpy as np


def four_bar_limits(ground: float, crank: float, coupler: float, rocker: float) -> list[float]:
    """Crank angles in (0, pi) at which coupler and rocker lie in line; with their mirrors, all limits."""
    limits = []
    for reach in (rocker + coupler, rocker - coupler):
        cosine = (ground**2 + crank**2 - reach**2) / (2 * ground * crank)
        if -1 < cosine < 1:
            limits.append(math.acos(cosine))
    return sorted(limits)


def freudenstein(
    ground: float, crank: float, coupler: float, rocker: float, theta: float, psi: float
) -> float:
    """Freudenstein's equation for crank angle theta and rocker angle psi (from D): zero when it closes."""
    k1, k2 = ground / crank, ground / rocker
    k3 = (crank**2 - coupler**2 + rocker**2 + ground**2) / (2 * crank * rocker)
    return k1 * math.cos(psi) - k2 * math.cos(theta) + k3 - math.cos(theta - psi)


def piston(crank: float, rod: float, offset: float, theta: np.ndarray) -> np.ndarray:
    """Travel of a slider-crank's pin from the crank's centre."""
    return crank * np.cos(theta) + np.sqrt(rod**2 - (crank * np.sin(theta) - offset) ** 2)
