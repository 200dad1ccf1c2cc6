// From rows of the vector table to poses of parts, in the document's units.

import type { Pose3, Poses } from "../core/place";
import type { Run } from "./tables";

/** Poses of all parts; turns go on from `before`, so that they never jump by a full turn. */
export function partPoses(run: Run, before: Poses): Poses {
  const { V, tables } = run;
  const made: Record<string, Pose3> = {};
  for (const [name, anchor] of Object.entries(tables.parts)) {
    const P = 2 * anchor.P, Q = 2 * anchor.Q, W = 2 * anchor.W;
    const [dx, dy] = anchor.d;
    const m = dx * dx + dy * dy;
    const qx = V[Q]! - V[P]!, qy = V[Q + 1]! - V[P + 1]!;
    const ux = (qx * dx + qy * dy) / m, uy = (qy * dx - qx * dy) / m;
    const [wx, wy] = anchor.w;
    const x = V[W]! - (ux * wx - uy * wy), y = V[W + 1]! - (ux * wy + uy * wx);
    const turn = Math.atan2(uy, ux);
    const was = before[name]?.[2] ?? turn;
    const full = 2 * Math.PI;
    made[name] = [x / tables.unit, y / tables.unit, turn + full * Math.round((was - turn) / full)];
  }
  return made;
}
