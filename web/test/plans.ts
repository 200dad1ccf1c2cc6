// Executes frames given as JSON on standard input, [{tables, frames, points}], each from the state it is given.

import { readFileSync, writeFileSync } from "node:fs";
import { advance } from "../src/plan/execute";
import { start, type PlanTables } from "../src/plan/tables";

interface Given {
  tables: PlanTables;
  frames: { here: number[]; state: number[]; goal: number[] }[];
  /** rows of the points that are compared */
  points: number[];
}

const given = JSON.parse(readFileSync(0, "utf8")) as Given[];
const made = given.map(({ tables, frames, points }) => {
  const run = start(tables);
  return frames.map(({ here, state, goal }) => {
    run.state.set(state);
    const { way, failed } = advance(run, here, goal);
    return { way, failed, points: points.map((row) => [run.V[2 * row], run.V[2 * row + 1]]) };
  });
});
writeFileSync(1, JSON.stringify(made));
