// One frame of a plan, and the path from one frame to the next: the twin of detent.kinematics.execution.frame.
// On a branch the sign of a cut's derivative and of a square block's determinant never changes; a wrong
// sign or a failed solve halves the step from the last good state. What cannot be halved further is the break.

import { blockOf, blockRows, LONGEST_TURN, MOST_NEWTON, placeBodies, STILL, turnOf, WIDTH, type Block } from "./bodies";
import { CLOSED, closeChain, isChain, RANK_DROPS } from "./chains";
import { ALL_WELL, runOps } from "./ops";
import { shortestStep } from "./step";
import { COLUMNS, CUT, DISC, STRAIGHT, type Run } from "./tables";

export const WELL = -1;
const FAILED = -2;
/** A cut's last step: Newton squares the error, so after this one it is rounding [rad]. */
const LAST_STEP = 1e-8;
/** A last step so short [rad] moves points along their derivatives. */
const STRAIGHT_STEP = 1e-11;
/** A step of Newton's that is not at most this part of the one before may lead to another root. */
const CONTRACTS = 0.25;
const SHORTEST = 2 ** -30;

/** Solve one frame from the state before it; WELL, or what failed. */
export function solveFrame(run: Run): number {
  const { tables, ops, V, G, inputs, rates, state, driven } = run;
  for (let s = 0; s < tables.segments.length; s++) {
    const [kind, lo, hi, source, row] = tables.segments[s] as [number, number, number, number, number];
    if (kind === STRAIGHT) {
      const broken = runOps(ops, lo, hi, V, G, inputs, rates, false);
      if (broken !== ALL_WELL) return broken;
    } else if (kind === CUT) {
      const slope = closeCut(run, lo, hi, source, row);
      if (slope === 0 || slope * tables.slopes[s]! < 0) return FAILED - s;
      state[source - driven] = inputs[source]!;
    } else {
      const sign = closeBlock(run, cached(run, source));
      if (sign === FAILED || sign * tables.slopes[s]! < 0) return FAILED - s;
    }
  }
  return WELL;
}

/** Find the guess that closes the row; the row's derivative by it, 0 where it does not close. */
function closeCut(run: Run, lo: number, hi: number, source: number, row: number): number {
  const { ops, V, G, inputs, rates, state, driven } = run;
  let guess = state[source - driven]!;
  let step = 0, slope = 0;
  let before = LONGEST_TURN;
  let done = false;
  rates[source] = 1;
  for (let k = 0; k < MOST_NEWTON; k++) {
    inputs[source] = guess;
    if (runOps(ops, lo, hi, V, G, inputs, rates, true) !== ALL_WELL) break; // a dyad inside cannot close there
    slope = G[2 * row]!;
    if (slope === 0 || !Number.isFinite(slope)) break;
    step = -V[2 * row]! / slope;
    const long = Math.abs(step);
    if (long > CONTRACTS * before && long > LAST_STEP) break; // not plainly the root that it came from
    before = long;
    guess += step;
    if (long < LAST_STEP) {
      inputs[source] = guess;
      done = long < STRAIGHT_STEP || runOps(ops, lo, hi, V, G, inputs, rates, false) === ALL_WELL;
      break;
    }
  }
  const along = done && Math.abs(step) < STRAIGHT_STEP ? step : 0;
  rates[source] = 0;
  for (let i = lo; i < hi; i++) {
    const out = 2 * ops[i * COLUMNS + 1]!, disc = 2 * ops[i * COLUMNS + DISC]!;
    if (along !== 0) {
      V[out]! += along * G[out]!;
      V[out + 1]! += along * G[out + 1]!;
      V[disc]! += along * G[disc]!;
    }
    G[out] = 0;
    G[out + 1] = 0;
    G[disc] = 0;
  }
  return done ? slope : 0;
}

const blocks = new WeakMap<object, Block[]>();

function cached(run: Run, k: number): Block {
  let made = blocks.get(run.tables);
  if (!made) blocks.set(run.tables, (made = run.tables.blocks.map((_, i) => blockOf(run.tables, i))));
  return made[k]!;
}

/** Newton on a block; the determinant's sign (0 where it has none), or FAILED. */
function closeBlock(run: Run, block: Block): number {
  const { V, state } = run;
  const size = run.tables.size;
  const { unknowns: n, rows: m, first, band, columns, slots } = block;
  const q = state.subarray(first, first + n);
  if (isChain(block)) {
    const found = closeChain(V, block, q, size);
    if (found !== RANK_DROPS) return found === CLOSED ? 0 : FAILED;
  }
  const J = new Float64Array(m * WIDTH * slots);
  const r = new Float64Array(m);
  const x = new Float64Array(n);
  let sign = 0;
  let before = 1e300;
  let stride = LONGEST_TURN * size;
  for (let k = 0; k < MOST_NEWTON; k++) {
    placeBodies(V, block.bodies, q);
    if (m === 0) return 0;
    blockRows(V, block, q, size, r, J);
    const gap = largest(r);
    if (gap <= STILL * size || (gap <= 1e3 * STILL * size && gap >= 0.5 * before)) {
      if (sign === 0 && m === n) sign = shortestStep(J, r, x, band, columns, slots);
      return sign;
    }
    before = gap;
    sign = shortestStep(J, r, x, band, columns, slots);
    if (m === n) {
      const longest = largest(x); // one branch to keep: the same guard as a cut's
      if (longest > CONTRACTS * stride && longest > LAST_STEP * size) return FAILED;
      stride = longest;
    }
    block.bodies.forEach((body, b) => {
      const turn = turnOf(body);
      if (turn < 0) return;
      x[turn]! /= block.reach[b]!;
      if (Math.abs(x[turn]!) > LONGEST_TURN) x[turn] = Math.sign(x[turn]!) * LONGEST_TURN;
    });
    for (let j = 0; j < n; j++) q[j]! += x[j]!;
  }
  return FAILED;
}

function largest(values: Float64Array): number {
  let found = 0;
  for (const value of values) found = Math.max(found, Math.abs(value));
  return found;
}

/** Go from inputs `from` to `goal`, halving where it fails; the share of that path, and what failed. */
export function advance(run: Run, from: ArrayLike<number>, goal: ArrayLike<number>): { way: number; failed: number } {
  const { inputs, state, driven } = run;
  let way = 0;
  let step = 1;
  let failed = WELL;
  const kept = state.slice();
  const at = (share: number) => {
    for (let k = 0; k < driven; k++) inputs[k] = share < 1 ? from[k]! + share * (goal[k]! - from[k]!) : goal[k]!;
  };
  while (way < 1) {
    const there = Math.min(1, way + step);
    at(there);
    failed = solveFrame(run);
    if (failed === WELL) {
      way = there;
      step *= 2;
      kept.set(state);
      continue;
    }
    state.set(kept);
    step *= 0.5;
    if (step < SHORTEST) break;
  }
  if (way < 1) {
    at(way);
    solveFrame(run);
    state.set(kept);
    return { way, failed };
  }
  return { way: 1, failed: WELL };
}
