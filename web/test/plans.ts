// Executes plans given as JSON on standard input, [{tables, goals}], and writes each frame's rows and state.

import { readFileSync, writeFileSync } from "node:fs";
import { advance } from "../src/plan/execute";
import { start, type PlanTables } from "../src/plan/tables";

interface Given {
  tables: PlanTables;
  goals: number[][];
}

const given = JSON.parse(readFileSync(0, "utf8")) as Given[];
const made = given.map(({ tables, goals }) => {
  const run = start(tables);
  let here: ArrayLike<number> = tables.drawn;
  return goals.map((goal) => {
    const { way, failed } = advance(run, here, goal);
    here = run.inputs.slice(0, run.driven);
    return { way, failed, rows: [...run.V] };
  });
});
writeFileSync(1, JSON.stringify(made));
