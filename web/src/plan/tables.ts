// A plan as the server sends it: tables of integers and floats, and nothing else. The Python executor
// (detent.kinematics.execution.frame) runs the same tables; a conformance test compares the two.

export interface Anchor {
  W: number;
  P: number;
  Q: number;
  w: [number, number];
  d: [number, number];
}

export interface PlanTables {
  ops: number[][];
  segments: number[][];
  bodies: number[][];
  reach: number[];
  equations: number[][];
  blocks: number[][];
  ratios: number[][];
  vectors: number[][];
  state: number[];
  slopes: number[];
  drawn: number[];
  inputs: string[];
  points: Record<string, number>;
  parts: Record<string, Anchor>;
  /** [m] of one document unit */
  unit: number;
  /** [m] extent of the mechanism */
  size: number;
}

export const COLUMNS = 9;
export const DISC = 7;
export const SIGN = 8;
export const STRAIGHT = 0;
export const CUT = 1;

/** The tables as typed arrays, and the working memory of one run. */
export interface Run {
  tables: PlanTables;
  ops: Int32Array;
  V: Float64Array;
  G: Float64Array;
  /** values of the drives, then of the guesses */
  inputs: Float64Array;
  /** rates of the same */
  rates: Float64Array;
  state: Float64Array;
  driven: number;
}

export function start(tables: PlanTables): Run {
  const cuts = tables.segments.filter((segment) => segment[0] === CUT).length;
  const driven = tables.inputs.length;
  const width = Math.max(1, driven + cuts);
  const inputs = new Float64Array(width);
  inputs.set(tables.drawn);
  return {
    tables,
    ops: Int32Array.from(tables.ops.flat()),
    V: Float64Array.from(tables.vectors.flat()),
    G: new Float64Array(2 * tables.vectors.length),
    inputs,
    rates: new Float64Array(width),
    state: Float64Array.from(tables.state),
    driven,
  };
}
