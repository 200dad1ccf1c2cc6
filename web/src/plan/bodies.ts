// Blocks of a plan: bodies placed by their unknowns, residuals of the joints between them, and the
// shortest Newton step. The twin of detent.kinematics.bodies, without its derivatives.

import type { PlanTables } from "./tables";

const FREE = 0;
const PINNED = 1;
const SLIDING = 2;
const PIN = 0;
const LINE = 1;
const ANGLE = 2;

const NO_PIVOT = 1e-18;
const NO_LU_PIVOT = 1e-9;

export interface Block {
  bodies: number[][];
  equations: number[][];
  reach: number[];
  ratios: number[][];
  unknowns: number;
  rows: number;
  first: number;
  band: number;
}

export function blockOf(tables: PlanTables, k: number): Block {
  const [bodyLo, bodyHi, rowLo, rowHi, unknowns, rows, first, band] = tables.blocks[k] as [
    number, number, number, number, number, number, number, number,
  ];
  return {
    bodies: tables.bodies.slice(bodyLo, bodyHi),
    equations: tables.equations.slice(rowLo, rowHi),
    reach: tables.reach.slice(bodyLo, bodyHi),
    ratios: tables.ratios.slice(rowLo, rowHi),
    unknowns,
    rows,
    first,
    band,
  };
}

/** The unknown that is a body's turn; -1 where it slides. */
export function turnOf(body: number[]): number {
  return body[0] === FREE ? body[1]! + 2 : body[0] === PINNED ? body[1]! : -1;
}

/** Write origin O and direction U of each body. */
export function placeBodies(V: Float64Array, bodies: number[][], q: Float64Array): void {
  for (const body of bodies) {
    const [kind, f, iO, iU, ia, ib, ic, id] = body as [
      number, number, number, number, number, number, number, number,
    ];
    const O = 2 * iO, U = 2 * iU, a = 2 * ia, b = 2 * ib, c = 2 * ic, d = 2 * id;
    if (kind === SLIDING) {
      const lx = V[b]!, ly = V[b + 1]!;
      const ox = V[d]!, oy = -V[d + 1]!;
      const ux = lx * ox - ly * oy, uy = lx * oy + ly * ox;
      V[U] = ux;
      V[U + 1] = uy;
      const cx = V[c]!, cy = V[c + 1]!;
      V[O] = V[a]! + q[f]! * lx - (ux * cx - uy * cy);
      V[O + 1] = V[a + 1]! + q[f]! * ly - (ux * cy + uy * cx);
      continue;
    }
    const turn = q[turnOf(body)]!;
    const cs = Math.cos(turn), sn = Math.sin(turn);
    V[U] = cs;
    V[U + 1] = sn;
    if (kind === FREE) {
      V[O] = q[f]!;
      V[O + 1] = q[f + 1]!;
      continue;
    }
    const bx = V[b]!, by = V[b + 1]!;
    V[O] = V[a]! - (cs * bx - sn * by);
    V[O + 1] = V[a + 1]! - (cs * by + sn * bx);
  }
}

/** A body's vector in the world (x, y), and its arm; `point` 1 for a point, 0 for a direction. */
function carried(V: Float64Array, bodies: number[][], out: Float64Array, i: number, row: number, point: number): void {
  const r = 2 * row;
  if (i < 0) {
    out[0] = V[r]!;
    out[1] = V[r + 1]!;
    out[2] = 0;
    out[3] = 0;
    return;
  }
  const O = 2 * bodies[i]![2]!, U = 2 * bodies[i]![3]!;
  const x = V[U]! * V[r]! - V[U + 1]! * V[r + 1]!;
  const y = V[U]! * V[r + 1]! + V[U + 1]! * V[r]!;
  out[0] = point * V[O]! + x;
  out[1] = point * V[O + 1]! + y;
  out[2] = x;
  out[3] = y;
}

class Jacobian {
  readonly values: Float64Array;
  constructor(readonly rows: number, readonly columns: number) {
    this.values = new Float64Array(rows * columns);
  }
  add(V: Float64Array, bodies: number[][], i: number, row: number, gx: number, gy: number, gt: number, scale: number): void {
    if (i < 0) return;
    const body = bodies[i]!;
    const at = row * this.columns + body[1]!;
    const J = this.values;
    if (body[0] === FREE) {
      J[at]! += gx;
      J[at + 1]! += gy;
      J[at + 2]! += gt * scale;
    } else if (body[0] === SLIDING) {
      const b = 2 * body[5]!;
      J[at]! += gx * V[b]! + gy * V[b + 1]!;
    } else {
      const U = 2 * body[3]!, b = 2 * body[5]!;
      const x = V[U]! * V[b]! - V[U + 1]! * V[b + 1]!;
      const y = V[U]! * V[b + 1]! + V[U + 1]! * V[b]!;
      J[at]! += (gt + gx * y - gy * x) * scale;
    }
  }
}

const pa = new Float64Array(4);
const da = new Float64Array(4);
const pb = new Float64Array(4);
const db = new Float64Array(4);

/** Residuals and their derivatives; columns of turns are scaled by 1/reach. */
export function blockRows(V: Float64Array, block: Block, q: Float64Array, size: number, r: Float64Array): Float64Array {
  const { bodies, equations, reach, ratios } = block;
  const J = new Jacobian(block.rows, block.unknowns);
  equations.forEach((equation, e) => {
    const [kind, A, pointA, lineA, B, pointB, lineB, row, carrier] = equation as [
      number, number, number, number, number, number, number, number, number,
    ];
    const sa = A >= 0 ? 1 / reach[A]! : 1;
    const sb = B >= 0 ? 1 / reach[B]! : 1;
    if (kind === PIN) {
      carried(V, bodies, pa, A, pointA, 1);
      carried(V, bodies, pb, B, pointB, 1);
      r[row] = pb[0]! - pa[0]!;
      r[row + 1] = pb[1]! - pa[1]!;
      J.add(V, bodies, B, row, 1, 0, -pb[3]!, sb);
      J.add(V, bodies, B, row + 1, 0, 1, pb[2]!, sb);
      J.add(V, bodies, A, row, -1, 0, pa[3]!, sa);
      J.add(V, bodies, A, row + 1, 0, -1, -pa[2]!, sa);
    } else if (kind === LINE) {
      carried(V, bodies, pa, A, pointA, 1);
      carried(V, bodies, da, A, lineA, 0);
      carried(V, bodies, pb, B, pointB, 1);
      const dx = pb[0]! - pa[0]!, dy = pb[1]! - pa[1]!;
      const ux = da[0]!, uy = da[1]!;
      r[row] = ux * dy - uy * dx;
      J.add(V, bodies, B, row, -uy, ux, ux * pb[2]! + uy * pb[3]!, sb);
      J.add(V, bodies, A, row, uy, -ux, -(ux * (pa[2]! + dx) + uy * (pa[3]! + dy)), sa);
    } else if (kind === ANGLE) {
      carried(V, bodies, da, A, lineA, 0);
      carried(V, bodies, db, B, lineB, 0);
      r[row] = size * (da[0]! * db[1]! - da[1]! * db[0]!);
      const dot = size * (da[0]! * db[0]! + da[1]! * db[1]!);
      J.add(V, bodies, B, row, 0, 0, dot, sb);
      J.add(V, bodies, A, row, 0, 0, -dot, sa);
    } else {
      const [ratio, offset] = ratios[e] as [number, number];
      let total = -offset;
      const wheels: [number, number][] = [[B, 1], [A, -ratio], [carrier, ratio - 1]];
      for (const [body, weight] of wheels) {
        if (body < 0) continue;
        const t = turnOf(bodies[body]!);
        total += weight * q[t]!;
        J.values[row * J.columns + t]! += (size * weight) / reach[body]!;
      }
      r[row] = size * total;
    }
  });
  return J.values;
}

/** x with J x = -r, the shortest one; the determinant's sign, 0 where not square or singular. */
export function shortestStep(J: Float64Array, m: number, n: number, r: Float64Array, x: Float64Array, band: number): number {
  if (m === n) {
    const sign = luStep(J, n, r, x);
    if (sign !== 0) return sign;
  }
  const N = new Float64Array(m * m);
  let top = 0;
  for (let i = 0; i < m; i++) {
    for (let j = Math.max(0, i - band); j <= i; j++) {
      let s = 0;
      for (let k = 0; k < n; k++) s += J[i * n + k]! * J[j * n + k]!;
      N[i * m + j] = s;
    }
    top = Math.max(top, N[i * m + i]!);
  }
  for (let i = 0; i < m; i++) {
    const lo = Math.max(0, i - band);
    for (let j = lo; j < i; j++) {
      let s = N[i * m + j]!;
      for (let k = Math.max(lo, j - band); k < j; k++) s -= N[i * m + k]! * N[j * m + k]!;
      N[i * m + j] = N[j * m + j]! > 0 ? s / N[j * m + j]! : 0;
    }
    let s = N[i * m + i]!;
    for (let k = lo; k < i; k++) s -= N[i * m + k]! * N[i * m + k]!;
    N[i * m + i] = s > NO_PIVOT * top ? Math.sqrt(s) : 0;
  }
  const y = new Float64Array(m);
  for (let i = 0; i < m; i++) {
    let s = -r[i]!;
    for (let k = Math.max(0, i - band); k < i; k++) s -= N[i * m + k]! * y[k]!;
    y[i] = N[i * m + i]! > 0 ? s / N[i * m + i]! : 0;
  }
  for (let i = m - 1; i >= 0; i--) {
    let s = y[i]!;
    for (let k = i + 1; k < Math.min(m, i + band + 1); k++) s -= N[k * m + i]! * y[k]!;
    y[i] = N[i * m + i]! > 0 ? s / N[i * m + i]! : 0;
  }
  x.fill(0);
  for (let i = 0; i < m; i++) for (let k = 0; k < n; k++) x[k]! += J[i * n + k]! * y[i]!;
  return 0;
}

function luStep(J: Float64Array, n: number, r: Float64Array, x: Float64Array): number {
  const A = J.slice();
  let top = 0;
  for (let i = 0; i < n; i++) x[i] = -r[i]!;
  for (const value of A) top = Math.max(top, Math.abs(value));
  let sign = 1;
  for (let c = 0; c < n; c++) {
    let best = c;
    for (let i = c + 1; i < n; i++) if (Math.abs(A[i * n + c]!) > Math.abs(A[best * n + c]!)) best = i;
    if (Math.abs(A[best * n + c]!) <= NO_LU_PIVOT * top) return 0;
    if (best !== c) {
      sign = -sign;
      for (let j = 0; j < n; j++) {
        const kept = A[c * n + j]!;
        A[c * n + j] = A[best * n + j]!;
        A[best * n + j] = kept;
      }
      const kept = x[c]!;
      x[c] = x[best]!;
      x[best] = kept;
    }
    if (A[c * n + c]! < 0) sign = -sign;
    for (let i = c + 1; i < n; i++) {
      const f = A[i * n + c]! / A[c * n + c]!;
      if (f === 0) continue;
      for (let j = c; j < n; j++) A[i * n + j]! -= f * A[c * n + j]!;
      x[i]! -= f * x[c]!;
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    let s = x[i]!;
    for (let j = i + 1; j < n; j++) s -= A[i * n + j]! * x[j]!;
    x[i] = s / A[i * n + i]!;
  }
  return sign;
}
