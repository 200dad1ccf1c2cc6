"""Operations that always close: rotations, slides, products, sums of vectors, each with two derivatives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.numeric.kernels import kernel


def product_sample(name: str) -> tuple[Any, ...]:
    """A few vectors that move; the operation writes the last row."""
    V = np.array([[0.3, 0.1], [2.0, -0.4], [0.6, 0.8], [2.0, 1.5], [0.0, 0.0]])
    V1, V2, inputs = 0.1 * V[::-1].copy(), 0.01 * V.copy(), np.array([[0.7, 0.2], [1.0, 0.5], [0.1, 0.0]])
    ops = np.array([[0, 4, 0, 1, 2, 1 if name == "PULL" else 3, 0, 0, 0]], dtype=np.int64)
    if name == "PULL":
        return ops, 0, V
    moved = (inputs,) if name in ("TURN", "SLIDE") else ()
    return ops, 0, V, V1, V2, *moved, 2


@kernel(sample=lambda: product_sample("AFFINE"), inlined=True)
def affine(ops, i, V, V1, V2, order):  # type: ignore[no-untyped-def]
    """out = a + d (c - b)."""
    o, a, b, c = ops[i, 1], ops[i, 2], ops[i, 3], ops[i, 4]
    k = ops[i, 5]
    kx, ky = V[k, 0], V[k, 1]
    dx, dy = V[c, 0] - V[b, 0], V[c, 1] - V[b, 1]
    V[o, 0] = V[a, 0] + kx * dx - ky * dy
    V[o, 1] = V[a, 1] + kx * dy + ky * dx
    if order > 0:
        kx1, ky1 = V1[k, 0], V1[k, 1]
        dx1, dy1 = V1[c, 0] - V1[b, 0], V1[c, 1] - V1[b, 1]
        V1[o, 0] = V1[a, 0] + kx * dx1 - ky * dy1 + kx1 * dx - ky1 * dy
        V1[o, 1] = V1[a, 1] + kx * dy1 + ky * dx1 + kx1 * dy + ky1 * dx
        if order > 1:
            kx2, ky2 = V2[k, 0], V2[k, 1]
            dx2, dy2 = V2[c, 0] - V2[b, 0], V2[c, 1] - V2[b, 1]
            V2[o, 0] = V2[a, 0] + (kx * dx2 - ky * dy2) + 2 * (kx1 * dx1 - ky1 * dy1) + (kx2 * dx - ky2 * dy)
            V2[o, 1] = V2[a, 1] + (kx * dy2 + ky * dx2) + 2 * (kx1 * dy1 + ky1 * dx1) + (kx2 * dy + ky2 * dx)


@kernel(sample=lambda: product_sample("TURN"), inlined=True)
def turn(ops, i, V, V1, V2, inputs, order):  # type: ignore[no-untyped-def]
    """out = exp(i (Kx input_a + Ky)), K = b."""
    o, a, b = ops[i, 1], ops[i, 2], ops[i, 3]
    kx = V[b, 0]
    angle = kx * inputs[0, a] + V[b, 1]
    cs, sn = math.cos(angle), math.sin(angle)
    V[o, 0] = cs
    V[o, 1] = sn
    if order > 0:
        w = kx * inputs[1, a]
        V1[o, 0] = -sn * w
        V1[o, 1] = cs * w
        if order > 1:
            w2 = kx * inputs[2, a]
            V2[o, 0] = -sn * w2 - cs * w * w
            V2[o, 1] = cs * w2 - sn * w * w


@kernel(sample=lambda: product_sample("SLIDE"), inlined=True)
def slide(ops, i, V, V1, V2, inputs, order):  # type: ignore[no-untyped-def]
    """out = (input_a, input_b), or (input_a, 0) where b < 0."""
    o, a, b = ops[i, 1], ops[i, 2], ops[i, 3]
    V[o, 0] = inputs[0, a]
    V[o, 1] = inputs[0, b] if b >= 0 else 0.0
    if order > 0:
        V1[o, 0] = inputs[1, a]
        V1[o, 1] = inputs[1, b] if b >= 0 else 0.0
        if order > 1:
            V2[o, 0] = inputs[2, a]
            V2[o, 1] = inputs[2, b] if b >= 0 else 0.0


@kernel(sample=lambda: product_sample("QUOTIENT"), inlined=True)
def quotient(ops, i, V, V1, V2, order):  # type: ignore[no-untyped-def]
    """out = (b - a) / c."""
    o, a, b, c = ops[i, 1], ops[i, 2], ops[i, 3], ops[i, 4]
    kx, ky = V[c, 0], V[c, 1]
    m = kx * kx + ky * ky
    rx, ry = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1]
    V[o, 0] = (rx * kx + ry * ky) / m
    V[o, 1] = (ry * kx - rx * ky) / m
    if order > 0:
        kx1, ky1 = V1[c, 0], V1[c, 1]
        rx = V1[b, 0] - V1[a, 0] - (V[o, 0] * kx1 - V[o, 1] * ky1)
        ry = V1[b, 1] - V1[a, 1] - (V[o, 0] * ky1 + V[o, 1] * kx1)
        V1[o, 0] = (rx * kx + ry * ky) / m
        V1[o, 1] = (ry * kx - rx * ky) / m
        if order > 1:
            kx2, ky2 = V2[c, 0], V2[c, 1]
            rx = V2[b, 0] - V2[a, 0] - 2 * (V1[o, 0] * kx1 - V1[o, 1] * ky1) - (V[o, 0] * kx2 - V[o, 1] * ky2)
            ry = V2[b, 1] - V2[a, 1] - 2 * (V1[o, 0] * ky1 + V1[o, 1] * kx1) - (V[o, 0] * ky2 + V[o, 1] * kx2)
            V2[o, 0] = (rx * kx + ry * ky) / m
            V2[o, 1] = (ry * kx - rx * ky) / m


@kernel(sample=lambda: product_sample("SQUARE"), inlined=True)
def square(ops, i, V, V1, V2, order):  # type: ignore[no-untyped-def]
    """out = (|b - a|^2, 0)."""
    o, a, b = ops[i, 1], ops[i, 2], ops[i, 3]
    dx, dy = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1]
    V[o, 0] = dx * dx + dy * dy
    if order > 0:
        dx1, dy1 = V1[b, 0] - V1[a, 0], V1[b, 1] - V1[a, 1]
        V1[o, 0] = 2 * (dx * dx1 + dy * dy1)
        if order > 1:
            dx2, dy2 = V2[b, 0] - V2[a, 0], V2[b, 1] - V2[a, 1]
            V2[o, 0] = 2 * (dx1 * dx1 + dy1 * dy1 + dx * dx2 + dy * dy2)


@kernel(sample=lambda: product_sample("OFFSET"), inlined=True)
def offset(ops, i, V, V1, V2, order):  # type: ignore[no-untyped-def]
    """out = (a x (c - b), 0)."""
    o, a, b, c = ops[i, 1], ops[i, 2], ops[i, 3], ops[i, 4]
    ux, uy = V[a, 0], V[a, 1]
    dx, dy = V[c, 0] - V[b, 0], V[c, 1] - V[b, 1]
    V[o, 0] = ux * dy - uy * dx
    if order > 0:
        ux1, uy1 = V1[a, 0], V1[a, 1]
        dx1, dy1 = V1[c, 0] - V1[b, 0], V1[c, 1] - V1[b, 1]
        V1[o, 0] = ux1 * dy - uy1 * dx + ux * dy1 - uy * dx1
        if order > 1:
            ux2, uy2 = V2[a, 0], V2[a, 1]
            dx2, dy2 = V2[c, 0] - V2[b, 0], V2[c, 1] - V2[b, 1]
            V2[o, 0] = (ux2 * dy - uy2 * dx) + 2 * (ux1 * dy1 - uy1 * dx1) + (ux * dy2 - uy * dx2)


@kernel(sample=lambda: product_sample("PACK"), inlined=True)
def pack(ops, i, V, V1, V2, order):  # type: ignore[no-untyped-def]
    """out = (ax, bx)."""
    o, a, b = ops[i, 1], ops[i, 2], ops[i, 3]
    V[o, 0] = V[a, 0]
    V[o, 1] = V[b, 0]
    if order > 0:
        V1[o, 0] = V1[a, 0]
        V1[o, 1] = V1[b, 0]
        if order > 1:
            V2[o, 0] = V2[a, 0]
            V2[o, 1] = V2[b, 0]


@kernel(sample=lambda: product_sample("PULL"), inlined=True)
def pull(ops, i, V):  # type: ignore[no-untyped-def]
    """out = a + sqrt(K) (b - a) / |b - a|; met only where a plan may stretch, and without derivatives."""
    o, a, b, c = ops[i, 1], ops[i, 2], ops[i, 3], ops[i, 4]
    dx, dy = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1]
    m = dx * dx + dy * dy
    reach = math.sqrt(V[c, ops[i, 5]] / m) if m > 0.0 else 0.0
    V[o, 0] = V[a, 0] + reach * dx
    V[o, 1] = V[a, 1] + reach * dy
