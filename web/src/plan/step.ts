// The shortest Newton step of a block, in time linear in its rows: the twin of detent.kinematics.execution.block_step.
// A row of the Jacobian touches two bodies (a gear three): it is kept as slots of WIDTH columns.

import { FREE, GEAR, PIN, WIDTH } from "./bodies";

/** A pivot below this part of the largest diagonal of J J^T belongs to a repeated row. */
const NO_PIVOT = 1e-18;
/** The same for a pivot of J itself. */
const NO_LU_PIVOT = 1e-9;

/** Bodies that a row may touch: two, or three where there is a gear. */
export function slotsOf(equations: number[][]): number {
  return equations.some((equation) => equation[0] === GEAR) ? 3 : 2;
}

/** Of each row and slot: the block's first column, and the one after the last. */
export function rowColumns(bodies: number[][], equations: number[][], rows: number, slots: number): Int32Array {
  const columns = new Int32Array(rows * 2 * slots);
  for (const equation of equations) {
    const touched = [equation[1]!, equation[4]!, equation[8]!];
    const row = equation[7]!;
    for (let i = row; i < row + (equation[0] === PIN ? 2 : 1); i++) {
      for (let j = 0; j < slots; j++) {
        const body = touched[j]!;
        if (body < 0 || (j === 2 && (body === touched[0] || body === touched[1]))) continue;
        const f = bodies[body]![1]!;
        columns[2 * (i * slots + j)] = f;
        columns[2 * (i * slots + j) + 1] = f + (bodies[body]![0] === FREE ? 3 : 1);
      }
    }
  }
  return columns;
}

/** x with J x = -r, the shortest one; the determinant's sign, 0 where not square or singular. */
export function shortestStep(
  J: Float64Array, r: Float64Array, x: Float64Array, band: number, columns: Int32Array, slots: number,
): number {
  const m = r.length, n = x.length;
  if (m === n) {
    const sign = luStep(J, r, x, columns, slots);
    if (sign !== 0) return sign;
  }
  const width = WIDTH * slots;
  const wide = band + 1;
  const N = new Float64Array(m * wide); // entry (i, j) of the lower band of J J^T at i, j - i + band
  let top = 0;
  for (let i = 0; i < m; i++) {
    for (let j = Math.max(0, i - band); j <= i; j++) {
      let s = 0;
      for (let a = 0; a < slots; a++) {
        const lo = columns[2 * (i * slots + a)]!, hi = columns[2 * (i * slots + a) + 1]!;
        for (let b = 0; b < slots; b++) {
          if (!(lo < hi && columns[2 * (j * slots + b)] === lo && columns[2 * (j * slots + b) + 1] === hi)) continue;
          for (let k = 0; k < hi - lo; k++) s += J[i * width + WIDTH * a + k]! * J[j * width + WIDTH * b + k]!;
        }
      }
      N[i * wide + j - i + band] = s;
    }
    top = Math.max(top, N[i * wide + band]!);
  }
  for (let i = 0; i < m; i++) {
    const lo = Math.max(0, i - band);
    for (let j = lo; j < i; j++) {
      let s = N[i * wide + j - i + band]!;
      for (let k = Math.max(lo, j - band); k < j; k++) s -= N[i * wide + k - i + band]! * N[j * wide + k - j + band]!;
      const pivot = N[j * wide + band]!;
      N[i * wide + j - i + band] = pivot > 0 ? s / pivot : 0;
    }
    let s = N[i * wide + band]!;
    for (let k = lo; k < i; k++) s -= N[i * wide + k - i + band]! * N[i * wide + k - i + band]!;
    N[i * wide + band] = s > NO_PIVOT * top ? Math.sqrt(s) : 0;
  }
  const y = new Float64Array(m);
  for (let i = 0; i < m; i++) {
    let s = -r[i]!;
    for (let k = Math.max(0, i - band); k < i; k++) s -= N[i * wide + k - i + band]! * y[k]!;
    const pivot = N[i * wide + band]!;
    y[i] = pivot > 0 ? s / pivot : 0;
  }
  for (let i = m - 1; i >= 0; i--) {
    let s = y[i]!;
    for (let k = i + 1; k < Math.min(m, i + band + 1); k++) s -= N[k * wide + i - k + band]! * y[k]!;
    const pivot = N[i * wide + band]!;
    y[i] = pivot > 0 ? s / pivot : 0;
  }
  x.fill(0);
  for (let i = 0; i < m; i++) {
    for (let a = 0; a < slots; a++) {
      const lo = columns[2 * (i * slots + a)]!, hi = columns[2 * (i * slots + a) + 1]!;
      for (let k = lo; k < hi; k++) x[k]! += J[i * width + WIDTH * a + k - lo]! * y[i]!;
    }
  }
  return 0;
}

/** x with J x = -r by elimination with row exchanges in the band; the determinant's sign, 0 where singular. */
function luStep(J: Float64Array, r: Float64Array, x: Float64Array, columns: Int32Array, slots: number): number {
  const n = x.length;
  const width = WIDTH * slots;
  let below = 0, above = 0;
  for (let i = 0; i < n; i++) {
    for (let a = 0; a < slots; a++) {
      const lo = columns[2 * (i * slots + a)]!, hi = columns[2 * (i * slots + a) + 1]!;
      if (lo >= hi) continue;
      below = Math.max(below, i - lo);
      above = Math.max(above, hi - 1 - i);
    }
  }
  const wide = 2 * below + above + 1;
  const A = new Float64Array(n * wide); // entry (i, j) at i, j - i + below
  let top = 0;
  for (let i = 0; i < n; i++) {
    x[i] = -r[i]!;
    for (let a = 0; a < slots; a++) {
      const lo = columns[2 * (i * slots + a)]!, hi = columns[2 * (i * slots + a) + 1]!;
      for (let k = lo; k < hi; k++) {
        const at = i * wide + k - i + below;
        A[at]! += J[i * width + WIDTH * a + k - lo]!;
        top = Math.max(top, Math.abs(A[at]!));
      }
    }
  }
  let sign = 1;
  for (let c = 0; c < n; c++) {
    const last = Math.min(n, c + below + 1), end = Math.min(n, c + below + above + 1);
    const entry = (i: number, j: number) => i * wide + j - i + below;
    let best = c;
    for (let i = c + 1; i < last; i++) if (Math.abs(A[entry(i, c)]!) > Math.abs(A[entry(best, c)]!)) best = i;
    if (Math.abs(A[entry(best, c)]!) <= NO_LU_PIVOT * top) return 0;
    if (best !== c) {
      sign = -sign;
      for (let j = c; j < end; j++) {
        const kept = A[entry(c, j)]!;
        A[entry(c, j)] = A[entry(best, j)]!;
        A[entry(best, j)] = kept;
      }
      const kept = x[c]!;
      x[c] = x[best]!;
      x[best] = kept;
    }
    const pivot = A[entry(c, c)]!;
    if (pivot < 0) sign = -sign;
    for (let i = c + 1; i < last; i++) {
      const f = A[entry(i, c)]! / pivot;
      if (f === 0) continue;
      for (let j = c; j < end; j++) A[entry(i, j)]! -= f * A[entry(c, j)]!;
      x[i]! -= f * x[c]!;
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    let s = x[i]!;
    for (let j = i + 1; j < Math.min(n, i + below + above + 1); j++) s -= A[i * wide + j - i + below]! * x[j]!;
    x[i] = s / A[i * wide + below]!;
  }
  return sign;
}
