// How much of everything there is.

import type { Mechanism } from "../document";
import { drives, joints, parts } from "./model";
import type { Explanation } from "./words";

/** Joints that were found from shapes and are not written in the document count too. */
export function counts(document: Mechanism, explanation?: Explanation): [string, number][] {
  const moving = parts(document).filter(([, part]) => !part.fixed).length;
  const written = joints(document).length;
  const found = (explanation?.joints ?? []).filter(({ name, inferred }) => inferred && !Object.hasOwn(document.joints ?? {}, name)).length;
  return [
    ["links", moving],
    [found ? `joints (${found} from shapes)` : "joints", written + found],
    ["drives", drives(document).length],
  ];
}
