// The operations of a plan, closed forms on points and directions, with first derivatives where asked:
// the twin of detent.kinematics.operations.ops, operation by operation and in the same order of arithmetic.
// Derivatives are by one number (a guessed angle, or a drive); they share the layout of the values.

import { COLUMNS } from "./tables";

const TURN = 0;
const SLIDE = 1;
const AFFINE = 2;
const QUOTIENT = 3;
const SQUARE = 4;
const OFFSET = 5;
const PACK = 6;
const CIRCLES = 7;
const CIRCLE_LINE = 8;
const TANGENT = 9;
const LINES = 10;

/** A discriminant that rounding makes negative, of its terms: there it is zero. */
const ROUNDING = 1e-14;
export const ALL_WELL = -1;

/** Run rows lo..hi; the first that cannot close, or ALL_WELL. */
export function runOps(
  ops: Int32Array,
  lo: number,
  hi: number,
  V: Float64Array,
  D: Float64Array,
  inputs: Float64Array,
  rates: Float64Array,
  derive: boolean,
): number {
  for (let i = lo; i < hi; i++) {
    const row = i * COLUMNS;
    const o = 2 * ops[row + 1]!;
    const ia = ops[row + 2]!;
    const ib = ops[row + 3]!;
    const a = 2 * ia;
    const b = 2 * ib;
    const c = 2 * ops[row + 4]!;
    const disc = 2 * ops[row + 7]!;
    const sign = ops[row + 8]!;
    switch (ops[row]) {
      case AFFINE: {
        const k = 2 * ops[row + 5]!;
        const kx = V[k]!, ky = V[k + 1]!;
        const dx = V[c]! - V[b]!, dy = V[c + 1]! - V[b + 1]!;
        V[o] = V[a]! + kx * dx - ky * dy;
        V[o + 1] = V[a + 1]! + kx * dy + ky * dx;
        if (derive) {
          const kx1 = D[k]!, ky1 = D[k + 1]!;
          const dx1 = D[c]! - D[b]!, dy1 = D[c + 1]! - D[b + 1]!;
          D[o] = D[a]! + kx * dx1 - ky * dy1 + kx1 * dx - ky1 * dy;
          D[o + 1] = D[a + 1]! + kx * dy1 + ky * dx1 + kx1 * dy + ky1 * dx;
        }
        break;
      }
      case CIRCLES: {
        const k1 = V[c]!, k2 = V[c + 1]!;
        const dx = V[b]! - V[a]!, dy = V[b + 1]! - V[a + 1]!;
        const d2 = dx * dx + dy * dy;
        const s = 0.5 * (d2 + k1 - k2);
        let H = k1 * d2 - s * s;
        V[disc] = H;
        if (H < 0 && H > -ROUNDING * (k1 * d2 + s * s)) H = 0;
        if (H < 0 || d2 === 0) return i;
        const h = sign * Math.sqrt(H);
        const zx = s / d2, zy = h / d2;
        V[o] = V[a]! + zx * dx - zy * dy;
        V[o + 1] = V[a + 1]! + zx * dy + zy * dx;
        if (derive) {
          const dx1 = D[b]! - D[a]!, dy1 = D[b + 1]! - D[a + 1]!;
          const d21 = 2 * (dx * dx1 + dy * dy1);
          const s1 = 0.5 * (d21 + D[c]! - D[c + 1]!);
          const H1 = D[c]! * d2 + k1 * d21 - 2 * s * s1;
          D[disc] = H1;
          const h1 = H1 / (2 * h);
          const zx1 = (s1 - zx * d21) / d2, zy1 = (h1 - zy * d21) / d2;
          D[o] = D[a]! + zx1 * dx - zy1 * dy + zx * dx1 - zy * dy1;
          D[o + 1] = D[a + 1]! + zx1 * dy + zy1 * dx + zx * dy1 + zy * dx1;
        }
        break;
      }
      case TURN: {
        const kx = V[b]!;
        const angle = kx * inputs[ia]! + V[b + 1]!;
        const cs = Math.cos(angle), sn = Math.sin(angle);
        V[o] = cs;
        V[o + 1] = sn;
        if (derive) {
          const w = kx * rates[ia]!;
          D[o] = -sn * w;
          D[o + 1] = cs * w;
        }
        break;
      }
      case CIRCLE_LINE: {
        const k = 2 * ops[row + 5]!;
        const e = V[k + 1]!;
        const ux = V[c]!, uy = V[c + 1]!;
        const dx = V[a]! - V[b]!, dy = V[a + 1]! - V[b + 1]!;
        const w = dx * ux + dy * uy;
        const q = ux * dy - uy * dx - e;
        let H = V[k]! - q * q;
        V[disc] = H;
        if (H < 0 && H > -ROUNDING * V[k]!) H = 0;
        if (H < 0) return i;
        const h = sign * Math.sqrt(H);
        const t = w + h;
        V[o] = V[b]! + t * ux - e * uy;
        V[o + 1] = V[b + 1]! + t * uy + e * ux;
        if (derive) {
          const e1 = D[k + 1]!;
          const ux1 = D[c]!, uy1 = D[c + 1]!;
          const dx1 = D[a]! - D[b]!, dy1 = D[a + 1]! - D[b + 1]!;
          const w1 = dx1 * ux + dy1 * uy + dx * ux1 + dy * uy1;
          const q1 = ux1 * dy - uy1 * dx + ux * dy1 - uy * dx1 - e1;
          const H1 = D[k]! - 2 * q * q1;
          D[disc] = H1;
          const t1 = w1 + H1 / (2 * h);
          D[o] = D[b]! + t1 * ux + t * ux1 - e1 * uy - e * uy1;
          D[o + 1] = D[b + 1]! + t1 * uy + t * uy1 + e1 * ux + e * ux1;
        }
        break;
      }
      case TANGENT: {
        const e = V[c]!;
        const dx = V[b]! - V[a]!, dy = V[b + 1]! - V[a + 1]!;
        let H = dx * dx + dy * dy - e * e;
        V[disc] = H;
        if (H < 0 && H > -ROUNDING * e * e) H = 0;
        if (H < 0) return i;
        const t = sign * Math.sqrt(H);
        const m = t * t + e * e;
        V[o] = (t * dx + e * dy) / m;
        V[o + 1] = (t * dy - e * dx) / m;
        if (derive) {
          const e1 = D[c]!;
          const dx1 = D[b]! - D[a]!, dy1 = D[b + 1]! - D[a + 1]!;
          const H1 = 2 * (dx * dx1 + dy * dy1 - e * e1);
          D[disc] = H1;
          const t1 = H1 / (2 * t);
          const rx = dx1 - (V[o]! * t1 - V[o + 1]! * e1);
          const ry = dy1 - (V[o]! * e1 + V[o + 1]! * t1);
          D[o] = (t * rx + e * ry) / m;
          D[o + 1] = (t * ry - e * rx) / m;
        }
        break;
      }
      case LINES: {
        const d = 2 * ops[row + 5]!;
        const k = 2 * ops[row + 6]!;
        const f = V[k]!, g = V[k + 1]!;
        const ux = V[b]!, uy = V[b + 1]!;
        const vx = V[d]!, vy = V[d + 1]!;
        const bx = V[a]! - V[c]! - f * uy, by = V[a + 1]! - V[c + 1]! + f * ux;
        const det = vx * uy - vy * ux;
        V[disc] = det * det;
        if (det === 0) return i;
        const t = (g - (vx * by - vy * bx)) / det;
        V[o] = V[a]! + t * ux - f * uy;
        V[o + 1] = V[a + 1]! + t * uy + f * ux;
        if (derive) {
          const f1 = D[k]!, g1 = D[k + 1]!;
          const ux1 = D[b]!, uy1 = D[b + 1]!;
          const vx1 = D[d]!, vy1 = D[d + 1]!;
          const bx1 = D[a]! - D[c]! - f1 * uy - f * uy1;
          const by1 = D[a + 1]! - D[c + 1]! + f1 * ux + f * ux1;
          const det1 = vx1 * uy - vy1 * ux + vx * uy1 - vy * ux1;
          D[disc] = 2 * det * det1;
          const n1 = g1 - (vx1 * by - vy1 * bx + vx * by1 - vy * bx1);
          const t1 = (n1 - t * det1) / det;
          D[o] = D[a]! + t1 * ux + t * ux1 - f1 * uy - f * uy1;
          D[o + 1] = D[a + 1]! + t1 * uy + t * uy1 + f1 * ux + f * ux1;
        }
        break;
      }
      case SLIDE:
        V[o] = inputs[ia]!;
        V[o + 1] = ib >= 0 ? inputs[ib]! : 0;
        if (derive) {
          D[o] = rates[ia]!;
          D[o + 1] = ib >= 0 ? rates[ib]! : 0;
        }
        break;
      case QUOTIENT: {
        const kx = V[c]!, ky = V[c + 1]!;
        const m = kx * kx + ky * ky;
        let rx = V[b]! - V[a]!, ry = V[b + 1]! - V[a + 1]!;
        V[o] = (rx * kx + ry * ky) / m;
        V[o + 1] = (ry * kx - rx * ky) / m;
        if (derive) {
          const kx1 = D[c]!, ky1 = D[c + 1]!;
          rx = D[b]! - D[a]! - (V[o]! * kx1 - V[o + 1]! * ky1);
          ry = D[b + 1]! - D[a + 1]! - (V[o]! * ky1 + V[o + 1]! * kx1);
          D[o] = (rx * kx + ry * ky) / m;
          D[o + 1] = (ry * kx - rx * ky) / m;
        }
        break;
      }
      case SQUARE: {
        const dx = V[b]! - V[a]!, dy = V[b + 1]! - V[a + 1]!;
        V[o] = dx * dx + dy * dy;
        if (derive) D[o] = 2 * (dx * (D[b]! - D[a]!) + dy * (D[b + 1]! - D[a + 1]!));
        break;
      }
      case OFFSET: {
        const ux = V[a]!, uy = V[a + 1]!;
        const dx = V[c]! - V[b]!, dy = V[c + 1]! - V[b + 1]!;
        V[o] = ux * dy - uy * dx;
        if (derive) {
          const dx1 = D[c]! - D[b]!, dy1 = D[c + 1]! - D[b + 1]!;
          D[o] = D[a]! * dy - D[a + 1]! * dx + ux * dy1 - uy * dx1;
        }
        break;
      }
      case PACK:
        V[o] = V[a]!;
        V[o + 1] = V[b]!;
        if (derive) {
          D[o] = D[a]!;
          D[o + 1] = D[b]!;
        }
        break;
      default:
        throw new Error(`a plan has the operation ${ops[row]}, which only the server can do`);
    }
  }
  return ALL_WELL;
}
