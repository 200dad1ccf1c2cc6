// Change points: where a dyad's discriminant touches zero (a parallelogram lying flat), two branches meet.
// A machine with any mass goes straight on, so the stored sign changes there; keeping it would turn a
// parallelogram into its crossed twin. A limit is another case: beyond it the discriminant is negative, and a
// step to where it is positive again would lead over a gap in the linkage's range.

import { WELL, solveFrame } from "./execute";
import { ALL_WELL, runOps } from "./ops";
import { COLUMNS, DISC, SIGN, STRAIGHT, type Run } from "./tables";

const CIRCLES = 7;
const CIRCLE_LINE = 8;
/** A discriminant that comes this near to zero, of its scale, touches it: rounding leaves about 1e-14. */
const TOUCHES = 1e-9;
/** The same where a dyad before it has just changed, and only both ends of the step are known. */
const TOUCHES_BY_ENDS = 1e-3;
const SEARCH = 60;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Discriminants and their rates by the driven coordinate. */
type Look = { H: Float64Array; rate: Float64Array };

export class ChangePoints {
  private readonly rows: number[];

  /** operations before the first cut or block: they follow from the driven coordinate alone */
  private readonly leading: number;
  private readonly closed: boolean;

  constructor(private readonly run: Run) {
    const { segments, ops } = run.tables;
    const first = segments.findIndex((segment) => segment[0] !== STRAIGHT);
    this.closed = first < 0;
    this.leading = first < 0 ? ops.length : first > 0 ? segments[first - 1]![2]! : 0;
    const all = run.driven === 1 ? Array.from({ length: this.leading }, (_, i) => i) : [];
    this.rows = all.filter((i) => run.ops[i * COLUMNS + SIGN] !== 0);
  }

  get watched(): boolean {
    return this.rows.length > 0;
  }

  /** The discriminants where the run is. */
  look(): Look {
    const { ops, V, G, inputs, rates } = this.run;
    rates[0] = 1;
    runOps(ops, 0, this.leading, V, G, inputs, rates, true);
    rates[0] = 0;
    const at = (from: Float64Array) => Float64Array.from(this.rows, (i) => from[2 * ops[i * COLUMNS + DISC]!]!);
    const made = { H: at(V), rate: at(G) };
    G.fill(0);
    return made;
  }

  /**
   * After a step from `from`: change the signs of dyads that went through a change point. False where a dyad
   * cannot close between: the step leads over a gap, and must not be made.
   */
  settle(from: number, before: Look): boolean {
    const to = this.run.inputs[0]!;
    const step = to - from;
    let changed = false;
    for (const [k, i] of this.rows.entries()) {
      const now = this.look();
      if (!(before.rate[k]! * step < 0 && now.rate[k]! * step > 0)) continue;
      const least = this.least(i, k, from, to, before, now, changed);
      if (least < -TOUCHES && !changed) return false;
      if (!this.closed || least > (changed ? TOUCHES_BY_ENDS : TOUCHES)) continue;
      this.run.ops[i * COLUMNS + SIGN]! *= -1;
      this.at(to);
      changed = true;
    }
    return true;
  }

  /** The least discriminant of a dyad in a step, of its scale; by both ends alone where one before it has changed. */
  private least(i: number, k: number, from: number, to: number, before: Look, now: Look, after: boolean): number {
    const scale = this.scale(i);
    if (after) return lowest(before.H[k]!, before.rate[k]! * (to - from), now.H[k]!, now.rate[k]! * (to - from)) / scale;
    const [V, at] = [this.run.V.slice(), 2 * this.run.ops[i * COLUMNS + DISC]!];
    const value = (s: number): number => {
      this.run.inputs[0] = s;
      // Up to this dyad: where it cannot close, its discriminant is there all the same.
      return runOps(this.run.ops, 0, i, this.run.V, this.run.G, this.run.inputs, this.run.rates, false) === ALL_WELL ? this.discriminant(i, at) : Infinity; // an earlier one speaks for itself
    };
    let [a, b] = [from, to];
    for (let n = 0; n < SEARCH; n++) {
      const [p, q] = [b - GOLDEN * (b - a), a + GOLDEN * (b - a)];
      if (value(p) < value(q)) b = q;
      else a = p;
    }
    const least = value((a + b) / 2);
    this.run.V.set(V);
    this.run.inputs[0] = to;
    return least / scale;
  }

  private discriminant(i: number, at: number): number {
    const { ops, V, G, inputs, rates } = this.run;
    runOps(ops, i, i + 1, V, G, inputs, rates, false);
    return V[at]!;
  }

  private at(input: number): boolean {
    this.run.inputs[0] = input;
    return solveFrame(this.run) === WELL;
  }

  /** What a discriminant is compared with: the terms it is the difference of. */
  private scale(i: number): number {
    const { ops, V } = this.run;
    const row = i * COLUMNS;
    const [a, b, c, d] = [2, 3, 4, 5].map((column) => 2 * ops[row + column]!) as [number, number, number, number];
    if (ops[row] === CIRCLE_LINE) return V[d]!;
    const square = (V[b]! - V[a]!) ** 2 + (V[b + 1]! - V[a + 1]!) ** 2;
    return ops[row] === CIRCLES ? V[c]! * square : square;
  }
}

/** Least value between the ends of a step, of the cubic through both with their slopes. */
function lowest(p: number, m: number, q: number, n: number): number {
  let least = Math.min(p, q);
  for (let t = 0; t <= 1; t += 1 / 64) {
    const u = 1 - t;
    least = Math.min(least, u * u * (1 + 2 * t) * p + u * u * t * m + t * t * (1 + 2 * u) * q - t * t * u * n);
  }
  return least;
}
