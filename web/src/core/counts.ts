// How much of everything there is.

import type { Mechanism } from "../document";
import { drives, joints, parts } from "./model";

export function counts(document: Mechanism): [string, number][] {
  const moving = parts(document).filter(([, part]) => !part.fixed).length;
  return [
    ["links", moving],
    ["joints", joints(document).length],
    ["drives", drives(document).length],
  ];
}
