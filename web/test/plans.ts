// Executes plans given as JSON on standard input, [{tables, goals, points}], and writes each frame's points.

import { readFileSync, writeFileSync } from "node:fs";
import { advance } from "../src/plan/execute";
import { start, type PlanTables } from "../src/plan/tables";

interface Given {
  tables: PlanTables;
  goals: number[][];
  /** rows of the points that are compared */
  points: number[];
}

const given = JSON.parse(readFileSync(0, "utf8")) as Given[];
const made = given.map(({ tables, goals, points }) => {
  const run = start(tables);
  let here: ArrayLike<number> = tables.drawn;
  return goals.map((goal) => {
    const { way, failed } = advance(run, here, goal);
    here = run.inputs.slice(0, run.driven);
    return { way, failed, points: points.map((row) => [run.V[2 * row], run.V[2 * row + 1]]) };
  });
});
writeFileSync(1, JSON.stringify(made));
