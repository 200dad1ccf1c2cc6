// Chains: least motion of links joined by pins, each to the next, eliminated pin by pin. The twin of
// detent.kinematics.execution.chains, in the same order of arithmetic; its header says how a pin's columns are kept.

import { FREE, LONGEST_TURN, MOST_NEWTON, PINNED, placeBodies, SLIDING, STILL, type Block } from "./bodies";

export const CLOSED = 0;
export const OPEN = 1;
export const RANK_DROPS = 2;
/** Steps that shrink by less are not yet those of a nearby root. */
const PLAINLY = 0.1;
/** The law by which the rest is foretold may change by as much as this. */
const WARY = 100;
/** A pivot below this part of the largest is left to `shortestStep`, which can leave out a row. */
const SMALL_PIVOT = 1e-12;
/** Up to this turn [rad] the series below is exact to rounding. */
const SHORT_TURN = 0.03;
const ROWS_A_PIN = 2;

const [RX, RY, CAX, CAY, CBX, CBY, K00, K01, K10, K11, M00, M01, M10, M11, P00, P01, P11, YX, YY, FA, FB] =
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] as const;
const KEPT = 21;

/** Whether each pin shares bodies with the one before and the one after only, and a degree of freedom is left. */
export function isChain({ unknowns, rows, equations, band }: Block): boolean {
  return rows === ROWS_A_PIN * equations.length && band < 2 * ROWS_A_PIN && 0 < rows && rows < unknowns;
}

/** Newton from q to a closed chain, by shortest steps; CLOSED, OPEN or RANK_DROPS. */
export function closeChain(V: Float64Array, block: Block, q: Float64Array, size: number): number {
  const W = new Float64Array(block.equations.length * KEPT);
  const x = new Float64Array(q.length);
  placeBodies(V, block.bodies, q);
  const enough = STILL * size;
  let before = 1e300, last = 0;
  let again = true;
  for (let k = 0; k < MOST_NEWTON; k++) {
    const gap = chainGaps(V, block, W);
    if (gap <= enough || (gap <= 1e3 * enough && gap >= 0.5 * before)) return CLOSED;
    before = gap;
    if (again && !eliminate(block.equations, W)) return RANK_DROPS;
    const step = chainStep(block, W, x);
    moveBodies(V, block, q, x);
    const share = last > 0 ? step / last : 1;
    if (share > PLAINLY) again = true;
    else if (!again) {
      if (WARY * share * step <= enough) return CLOSED;
      again = true;
    } else {
      const rest = WARY * share * share * step;
      if (rest <= enough) return CLOSED;
      again = rest * share * share > enough;
    }
    last = step;
  }
  return OPEN;
}

/** Residuals and bodies' columns at every pin; the largest residual. */
function chainGaps(V: Float64Array, { bodies, equations, reach }: Block, W: Float64Array): number {
  let gap = 0;
  for (let e = 0; e < equations.length; e++) {
    const at = e * KEPT;
    let gx = 0, gy = 0;
    for (let side = 0; side < 2; side++) {
      const i = equations[e]![1 + 3 * side]!;
      const point = 2 * equations[e]![2 + 3 * side]!;
      const sign = 2 * side - 1;
      let px = V[point]!, py = V[point + 1]!, cx = 0, cy = 0, free = 0;
      if (i >= 0) {
        const body = bodies[i]!;
        const o = 2 * body[2]!, U = 2 * body[3]!;
        const ux = V[U]!, uy = V[U + 1]!;
        let ax = ux * px - uy * py, ay = ux * py + uy * px;
        px = V[o]! + ax;
        py = V[o + 1]! + ay;
        if (body[0] === SLIDING) {
          const line = 2 * body[5]!;
          cx = V[line]!;
          cy = V[line + 1]!;
        } else {
          free = 1;
          if (body[0] === PINNED) {
            free = 0;
            const pin = 2 * body[4]!;
            ax = px - V[pin]!;
            ay = py - V[pin + 1]!;
          }
          cx = -ay / reach[i]!;
          cy = ax / reach[i]!;
        }
      }
      gx += sign * px;
      gy += sign * py;
      W[at + CAX + 2 * side] = cx;
      W[at + CAY + 2 * side] = cy;
      W[at + FA + side] = free;
    }
    W[at + RX] = gx;
    W[at + RY] = gy;
    gap = Math.max(gap, Math.abs(gx), Math.abs(gy));
  }
  return gap;
}

/** Pivots of the normal matrix, pin by pin; false where one is too small. */
function eliminate(equations: number[][], W: Float64Array): boolean {
  let top = 0;
  for (let e = 0; e < equations.length; e++) {
    const at = e * KEPT, was = at - KEPT;
    const ax = W[at + CAX]!, ay = W[at + CAY]!, bx = W[at + CBX]!, by = W[at + CBY]!;
    const both = W[at + FA]! + W[at + FB]!;
    let d00 = both + ax * ax + bx * bx, d01 = ax * ay + bx * by, d11 = both + ay * ay + by * by;
    if (e > 0) {
      let k00 = 0, k01 = 0, k10 = 0, k11 = 0;
      for (let side = 0; side < 2; side++) {
        const i = equations[e]![1 + 3 * side]!;
        for (let other = 0; other < 2; other++) {
          if (i < 0 || equations[e - 1]![1 + 3 * other] !== i) continue;
          const sign = side === other ? 1 : -1;
          const free = sign * W[at + FA + side]!;
          const ux = sign * W[at + CAX + 2 * side]!, uy = sign * W[at + CAY + 2 * side]!;
          const vx = W[was + CAX + 2 * other]!, vy = W[was + CAY + 2 * other]!;
          k00 += free + ux * vx;
          k01 += ux * vy;
          k10 += uy * vx;
          k11 += free + uy * vy;
        }
      }
      const p00 = W[was + P00]!, p01 = W[was + P01]!, p11 = W[was + P11]!;
      const m00 = k00 * p00 + k01 * p01, m01 = k00 * p01 + k01 * p11;
      const m10 = k10 * p00 + k11 * p01, m11 = k10 * p01 + k11 * p11;
      d00 -= m00 * k00 + m01 * k01;
      d01 -= m00 * k10 + m01 * k11;
      d11 -= m10 * k10 + m11 * k11;
      W.set([k00, k01, k10, k11, m00, m01, m10, m11], at + K00);
    }
    top = Math.max(top, d00, d11);
    const det = d00 * d11 - d01 * d01;
    if (!(det > SMALL_PIVOT * top * (d00 + d11))) return false;
    W[at + P00] = d11 / det;
    W[at + P01] = -d01 / det;
    W[at + P11] = d00 / det;
  }
  return true;
}

/** The shortest x with J x = -r, turns as arcs; its largest part. */
function chainStep({ bodies, equations }: Block, W: Float64Array, x: Float64Array): number {
  const last = equations.length - 1;
  let zx = 0, zy = 0;
  for (let e = 0; e <= last; e++) {
    const at = e * KEPT;
    let wx = W[at + RX]!, wy = W[at + RY]!;
    if (e > 0) {
      wx = wx - W[at + M00]! * zx - W[at + M01]! * zy;
      wy = wy - W[at + M10]! * zx - W[at + M11]! * zy;
    }
    zx = wx;
    zy = wy;
    W[at + YX] = zx;
    W[at + YY] = zy;
  }
  x.fill(0);
  for (let e = last; e >= 0; e--) {
    const at = e * KEPT, next = at + KEPT;
    zx = W[at + YX]!;
    zy = W[at + YY]!;
    if (e < last) {
      const yx = W[next + YX]!, yy = W[next + YY]!;
      zx -= W[next + K00]! * yx + W[next + K10]! * yy;
      zy -= W[next + K01]! * yx + W[next + K11]! * yy;
    }
    const yx = W[at + P00]! * zx + W[at + P01]! * zy;
    const yy = W[at + P01]! * zx + W[at + P11]! * zy;
    W[at + YX] = yx;
    W[at + YY] = yy;
    for (let side = 0; side < 2; side++) {
      const i = equations[e]![1 + 3 * side]!;
      if (i < 0) continue;
      const sign = 1 - 2 * side, f = bodies[i]![1]!;
      const along = sign * (W[at + CAX + 2 * side]! * yx + W[at + CAY + 2 * side]! * yy);
      if (bodies[i]![0] === FREE) {
        x[f]! += sign * yx;
        x[f + 1]! += sign * yy;
        x[f + 2]! += along;
      } else x[f]! += along;
    }
  }
  let longest = 0;
  for (const part of x) longest = Math.max(longest, Math.abs(part));
  return longest;
}

/** Add the step to q and place the bodies anew. */
function moveBodies(V: Float64Array, { bodies, reach }: Block, q: Float64Array, x: Float64Array): void {
  bodies.forEach((body, i) => {
    const kind = body[0]!, f = body[1]!, o = 2 * body[2]!, U = 2 * body[3]!;
    if (kind === SLIDING) {
      const line = 2 * body[5]!;
      q[f]! += x[f]!;
      V[o]! += x[f]! * V[line]!;
      V[o + 1]! += x[f]! * V[line + 1]!;
      return;
    }
    const t = kind === PINNED ? f : f + 2;
    const turn = Math.min(Math.max(x[t]! / reach[i]!, -LONGEST_TURN), LONGEST_TURN);
    q[t]! += turn;
    let ux: number, uy: number;
    if (Math.abs(turn) > SHORT_TURN) {
      ux = Math.cos(q[t]!);
      uy = Math.sin(q[t]!);
    } else {
      const z = turn * turn;
      const c = 1 - z * (1 / 2 - z * (1 / 24 - z * (1 / 720)));
      const s = turn * (1 - z * (1 / 6 - z * (1 / 120 - z * (1 / 5040))));
      ux = V[U]! * c - V[U + 1]! * s;
      uy = V[U]! * s + V[U + 1]! * c;
    }
    V[U] = ux;
    V[U + 1] = uy;
    if (kind === FREE) {
      q[f]! += x[f]!;
      q[f + 1]! += x[f + 1]!;
      V[o] = q[f]!;
      V[o + 1] = q[f + 1]!;
    } else {
      const pin = 2 * body[4]!, b = 2 * body[5]!;
      V[o] = V[pin]! - (ux * V[b]! - uy * V[b + 1]!);
      V[o + 1] = V[pin + 1]! - (ux * V[b + 1]! + uy * V[b]!);
    }
  });
}
