// Blocks of a plan: bodies placed by their unknowns, residuals of the joints between them and
// their Jacobian by rows. The twin of detent.kinematics.execution.bodies in the same order of arithmetic, without rates.

import { rowColumns, slotsOf } from "./step";
import type { PlanTables } from "./tables";

export const FREE = 0;
export const PINNED = 1;
export const SLIDING = 2;
export const PIN = 0;
const LINE = 1;
const ANGLE = 2;
export const GEAR = 3;
/** Columns kept for each body that a row of the Jacobian touches. */
export const WIDTH = 3;

export const MOST_NEWTON = 30;
/** A block has converged when no residual exceeds this part of the size. */
export const STILL = 1e-13;
export const LONGEST_TURN = 0.5; // [rad] in one Newton step

export interface Block {
  bodies: number[][];
  equations: number[][];
  reach: number[];
  ratios: number[][];
  unknowns: number;
  rows: number;
  first: number;
  band: number;
  /** of each row's slots: first column, and the one after the last */
  columns: Int32Array;
  slots: number;
}

export function blockOf(tables: PlanTables, k: number): Block {
  const [bodyLo, bodyHi, rowLo, rowHi, unknowns, rows, first, band] = tables.blocks[k] as [
    number, number, number, number, number, number, number, number,
  ];
  const bodies = tables.bodies.slice(bodyLo, bodyHi);
  const equations = tables.equations.slice(rowLo, rowHi);
  const slots = slotsOf(equations);
  return {
    bodies,
    equations,
    slots,
    columns: rowColumns(bodies, equations, rows, slots),
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

/** Add the derivative (gx, gy by O, gt by the turn) of a row to body i's columns, which begin at `at`. */
function add(
  J: Float64Array, V: Float64Array, bodies: number[][], i: number, at: number, gx: number, gy: number, gt: number, scale: number,
): void {
  if (i < 0) return;
  const body = bodies[i]!;
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

/** A pin's two rows: how far B's point is from A's, and the columns of both. */
function pinRows(V: Float64Array, block: Block, equation: number[], r: Float64Array, J: Float64Array): void {
  const { bodies, reach } = block;
  const row = equation[7]!;
  const width = WIDTH * block.slots;
  let gx = 0, gy = 0;
  for (let side = 0; side < 2; side++) {
    const i = side === 0 ? equation[4]! : equation[1]!;
    const point = 2 * (side === 0 ? equation[5]! : equation[2]!);
    const sign = side === 0 ? 1 : -1;
    if (i < 0) {
      gx += sign * V[point]!;
      gy += sign * V[point + 1]!;
      continue;
    }
    const body = bodies[i]!;
    const o = 2 * body[2]!, U = 2 * body[3]!, b = 2 * body[5]!;
    const ux = V[U]!, uy = V[U + 1]!, mx = V[point]!, my = V[point + 1]!;
    let x = ux * mx - uy * my, y = ux * my + uy * mx;
    gx += sign * (V[o]! + x);
    gy += sign * (V[o + 1]! + y);
    const at = row * width + WIDTH - WIDTH * side, next = at + width;
    if (body[0] === FREE) {
      J[at] = sign;
      J[next + 1] = sign;
      J[at + 2] = (-sign * y) / reach[i]!;
      J[next + 2] = (sign * x) / reach[i]!;
    } else if (body[0] === SLIDING) {
      J[at] = sign * V[b]!;
      J[next] = sign * V[b + 1]!;
    } else {
      x -= ux * V[b]! - uy * V[b + 1]!; // the arm from its pin: its origin moves the other way
      y -= ux * V[b + 1]! + uy * V[b]!;
      J[at] = (-sign * y) / reach[i]!;
      J[next] = (sign * x) / reach[i]!;
    }
  }
  r[row] = gx;
  r[row + 1] = gy;
}

const pa = new Float64Array(4);
const da = new Float64Array(4);
const pb = new Float64Array(4);
const db = new Float64Array(4);

/** Residuals and their derivatives; a row's slots are its body A's, B's and a gear's carrier's. */
export function blockRows(V: Float64Array, block: Block, q: Float64Array, size: number, r: Float64Array, J: Float64Array): void {
  const { bodies, equations, reach, ratios } = block;
  J.fill(0);
  equations.forEach((equation, e) => {
    const [kind, A, pointA, lineA, B, pointB, lineB, row, carrier] = equation as [
      number, number, number, number, number, number, number, number, number,
    ];
    const at = row * WIDTH * block.slots;
    const sa = A >= 0 ? 1 / reach[A]! : 1;
    const sb = B >= 0 ? 1 / reach[B]! : 1;
    if (kind === PIN) pinRows(V, block, equation, r, J);
    else if (kind === LINE) {
      carried(V, bodies, pa, A, pointA, 1);
      carried(V, bodies, da, A, lineA, 0);
      carried(V, bodies, pb, B, pointB, 1);
      const dx = pb[0]! - pa[0]!, dy = pb[1]! - pa[1]!;
      const ux = da[0]!, uy = da[1]!;
      r[row] = ux * dy - uy * dx;
      add(J, V, bodies, B, at + WIDTH, -uy, ux, ux * pb[2]! + uy * pb[3]!, sb);
      add(J, V, bodies, A, at, uy, -ux, -(ux * (pa[2]! + dx) + uy * (pa[3]! + dy)), sa);
    } else if (kind === ANGLE) {
      carried(V, bodies, da, A, lineA, 0);
      carried(V, bodies, db, B, lineB, 0);
      r[row] = size * (da[0]! * db[1]! - da[1]! * db[0]!);
      const dot = size * (da[0]! * db[0]! + da[1]! * db[1]!);
      add(J, V, bodies, B, at + WIDTH, 0, 0, dot, sb);
      add(J, V, bodies, A, at, 0, 0, -dot, sa);
    } else {
      const [ratio, offset] = ratios[e] as [number, number];
      let total = -offset;
      const wheels: [number, number][] = [[B, 1], [A, -ratio], [carrier, ratio - 1]];
      for (const [body, weight] of wheels) {
        if (body < 0) continue;
        const t = bodies[body]![0] === FREE ? 2 : 0;
        const slot = body === A ? 0 : body === B ? 1 : 2;
        total += weight * q[bodies[body]![1]! + t]!;
        J[at + WIDTH * slot + t]! += (size * weight) / reach[body]!;
      }
      r[row] = size * total;
    }
  });
}
