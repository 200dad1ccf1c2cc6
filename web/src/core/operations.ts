// What the page asks the server to do to a document: the operations of `detent.edit`, by name. The page has
// no editor of its own; what an operation makes of a document is the server's to say.

import type { Drive, Mechanism, Part } from "../document";
import { addDrive, addLink, type Form, type Onto } from "./commands";
import { drawnPoses, drives, markers, split, whereIs } from "./model";
import { distance, type Point, type Poses } from "./place";

export type Operation =
  | { do: "add_part"; name: string; part: Part }
  | { do: "join"; first: string; second: string }
  | { do: "ground"; marker: string }
  | { do: "toggle"; joint: string; to: Form; along?: Point }
  | { do: "add_marker"; marker: string; at: Point }
  | { do: "detach"; joint: string }
  | { do: "drive"; name: string; drive: Drive }
  | { do: "rename"; path: string; to: string }
  | { do: "remove"; paths: string[] }
  | { do: "paste"; parts: string[]; by: Point; from?: Mechanism }
  | { do: "units"; units: Units; keep: "size" | "numbers" }
  | { do: "place"; poses: Poses };

export type Units = NonNullable<Mechanism["units"]>;

/** A new link, joined where it ends on points. */
export function linkOperations(document: Mechanism, points: readonly Point[], onto: readonly Onto[]): Operation[] {
  return additions(document, addLink(document, points, onto));
}

/** A drive on a joint, or the one it has taken away; none where it can have none. */
export function driveOperations(document: Mechanism, joint: string, extent: number): Operation[] {
  const had = drives(document).find(([, drive]) => drive.joint === joint);
  return had ? [{ do: "remove", paths: [`drives.${had[0]}`] }] : additions(document, addDrive(document, joint, extent));
}

/** What a document has that another one had not. */
function additions(before: Mechanism, after: Mechanism): Operation[] {
  const fresh = <T>(old: Record<string, T> | undefined, now: Record<string, T> | undefined) =>
    Object.entries(now ?? {}).filter(([name]) => !(old && Object.hasOwn(old, name)));
  const points = Object.entries(before.parts ?? {}).flatMap(([name, part]) =>
    fresh(part.markers, after.parts?.[name]?.markers).map(([marker, at]): Operation => ({ do: "add_marker", marker: `${name}.${marker}`, at: at as unknown as Point })),
  );
  return [
    ...points,
    ...fresh(before.parts, after.parts).map(([name, part]): Operation => ({ do: "add_part", name, part })),
    ...fresh(before.joints, after.joints).map(([, joint]): Operation => ({ do: "join", first: joint.between[0]!, second: joint.between[1]! })),
    ...fresh(before.drives, after.drives).map(([name, drive]): Operation => ({ do: "drive", name, drive })),
  ];
}

/** Another form of a joint. A slide's or a slot's line stays, else it is the ground's x, or its link's own. */
export function toggle(document: Mechanism, joint: string, to: Form): Operation {
  const given = document.joints?.[joint];
  if (!given || to === "revolute" || given.type !== "revolute") return { do: "toggle", joint, to };
  return { do: "toggle", joint, to, along: slideLine(document, given.between[0]!) };
}

/** From a marker to the farthest other one of its link, in the world. */
function slideLine(document: Mechanism, ref: string): Point {
  const [name, marker] = split(ref);
  const part = document.parts?.[name];
  const poses = drawnPoses(document);
  const here = whereIs(document, poses, ref);
  if (!part || part.fixed || !here) return [1, 0];
  const others = markers(part).filter(([other]) => other !== marker);
  const far = others.map(([other]) => whereIs(document, poses, `${name}.${other}`)!);
  const longest = far.sort((p, q) => distance(here, q) - distance(here, p))[0];
  return longest && distance(here, longest) > 0 ? [plain(longest[0] - here[0]), plain(longest[1] - here[1])] : [1, 0];
}

const plain = (value: number): number => Number(value.toPrecision(12));

/** Deletes what is selected: parts (I), points (I.A), joints (joint:A), drives (drive:x). */
export function remove(names: readonly string[]): Operation {
  return { do: "remove", paths: names.map(pathOf) };
}

export function pathOf(name: string): string {
  if (name.startsWith("joint:")) return `joints.${name.slice(6)}`;
  if (name.startsWith("drive:")) return `drives.${name.slice(6)}`;
  const [part, marker] = split(name);
  return marker ? `parts.${part}.markers.${marker}` : `parts.${part}`;
}
