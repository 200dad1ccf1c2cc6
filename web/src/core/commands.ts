// Setters, and how a document looks while the server edits it: from a document to the next one, never in
// place. What is more than setting a value is an operation of the server's (operations.ts); the previews of
// those that add something are the same document, which a test holds them to. What needs the joints solved
// (a length in a closed loop) is set here and closed by the server.

import type { Drive, Exact, Joint, Marker, Mechanism, Part } from "../document";
import { coordinate, drawnPoses, drives, joints, jointsAt, markerFrame, markers, parts, split, whereIs } from "./model";
import { fresh, letter } from "./names";
import { AT_HOME, distance, toPart, toWorld, type Point, type Poses } from "./place";

export const GROUND = "ground";
/** A drive's positions in a full turn: one every five degrees. */
const STEPS_A_TURN = 72;
const FULL_TURN_DEG = 360;
/** Travel of a new drive on a slide, of the machine's extent. */
const SLIDE_SHARE = 0.25;

export function empty(): Mechanism {
  return { format: "detent/1", title: "", units: "mm", parts: {}, joints: {} };
}

/** Doubles that are decimals again: a point drawn on the grid is stored as one. */
function plain(value: number): number {
  return Number(value.toPrecision(12));
}

const pair = ([x, y]: Point): [number, number] => [plain(x), plain(y)];

function withPart(document: Mechanism, name: string, part: Part): Mechanism {
  return { ...document, parts: { ...document.parts, [name]: part } };
}

function without<T>(table: Record<string, T> | undefined, gone: (name: string, value: T) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(table ?? {}).filter(([name, value]) => !gone(name, value)));
}

/** What the end of a new link is joined to: a marker, or a part that gets one there. */
export type Onto = string | { part: string } | null;

/** A new link through points of the world, joined to what is there. */
export function addLink(document: Mechanism, points: readonly Point[], onto: readonly Onto[] = []): Mechanism {
  const name = fresh("link", document.parts);
  const named: Record<string, Exact[]> = {};
  for (const at of points) named[letter(named)] = pair(at);
  let made = document;
  const refs = onto.map((other, k) => {
    if (other === null || typeof other === "string") return other;
    const marker = letter(made.parts?.[other.part]?.markers);
    made = addPoint(made, other.part, points[k]!);
    return `${other.part}.${marker}`;
  });
  made = withPart(made, name, { markers: named });
  Object.keys(named).forEach((marker, k) => {
    const other = refs[k];
    if (other) made = join(made, other, `${name}.${marker}`);
  });
  return made;
}

/** One more point on a link, at a place of the world. */
export function addPoint(document: Mechanism, name: string, at: Point): Mechanism {
  const part = document.parts?.[name];
  if (!part) return document;
  const own = toPart(drawnPoses(document)[name] ?? AT_HOME, at);
  return withPart(document, name, { ...part, markers: { ...part.markers, [letter(part.markers)]: pair(own) } });
}

/** Join two markers that are at one place. */
export function join(document: Mechanism, a: string, b: string, type: Joint["type"] = "revolute"): Mechanism {
  if (split(a)[0] === split(b)[0]) return document;
  const name = letter(document.joints);
  return { ...document, joints: { ...document.joints, [name]: { type, between: [a, b] } } };
}

/** Give markers one direction of the world. */
function directed(document: Mechanism, refs: readonly string[], turn: number): Mechanism {
  const poses = drawnPoses(document);
  return refs.reduce((made, ref) => {
    const [name, marker] = split(ref);
    const part = made.parts?.[name];
    const given = part?.markers?.[marker];
    if (!part || !given) return made;
    const at = Array.isArray(given) ? given : given.at;
    const own = plain(turn - (poses[name] ?? AT_HOME)[2]);
    return withPart(made, name, { ...part, markers: { ...part.markers, [marker]: { at, turn: own } } });
  }, document);
}

/** Turn the line of a slide to a direction of the world. Beside two markers it is theirs to say. */
export function directSlide(document: Mechanism, name: string, turn: number): Mechanism {
  const joint = document.joints?.[name];
  if (!joint) return document;
  if (joint.between.every((ref) => split(ref)[1])) return directed(document, joint.between, turn);
  const along = [plain(Math.cos(turn)), plain(Math.sin(turn))];
  return { ...document, joints: { ...document.joints, [name]: { ...joint, along } } };
}

/** The joint that pins a point to the ground. */
export function groundedBy(document: Mechanism, ref: string): string | null {
  const held = jointsAt(document, ref).find(([, joint]) =>
    joint.between.some((other) => other !== ref && document.parts?.[split(other)[0]]?.fixed),
  );
  return held?.[0] ?? null;
}

/** Pin a point to the ground; one of the ground is left alone. */
export function ground(document: Mechanism, ref: string): Mechanism {
  const at = whereIs(document, drawnPoses(document), ref);
  if (!at || document.parts?.[split(ref)[0]]?.fixed) return document;
  const name = groundName(document);
  const part: Part = document.parts?.[name] ?? { fixed: true, markers: {} };
  const marker = letter(part.markers);
  const own = toPart(drawnPoses(document)[name] ?? AT_HOME, at);
  const made = withPart(document, name, { ...part, markers: { ...part.markers, [marker]: pair(own) } });
  return join(made, `${name}.${marker}`, ref);
}

function groundName(document: Mechanism): string {
  return parts(document).find(([, part]) => part.fixed)?.[0] ?? fresh(GROUND, document.parts);
}

/** A drive on a joint: one full turn from where it is, or a share of the machine's extent on a slide. */
export function addDrive(document: Mechanism, jointName: string, extent: number): Mechanism {
  const joint = document.joints?.[jointName];
  if (!joint || (joint.type !== "revolute" && joint.type !== "prismatic")) return document;
  if (drives(document).some(([, drive]) => drive.joint === jointName)) return document;
  const from = coordinate(document, drawnPoses(document), joint);
  const drive: Drive =
    joint.type === "prismatic"
      ? { joint: jointName, from: plain(from), to: plain(from + SLIDE_SHARE * extent), steps: STEPS_A_TURN }
      : {
          joint: jointName,
          from_deg: plain((from * 180) / Math.PI),
          to_deg: plain((from * 180) / Math.PI + FULL_TURN_DEG),
          steps: STEPS_A_TURN,
        };
  return { ...document, drives: { ...document.drives, [fresh("drive", document.drives)]: drive } };
}

export function setDrive(document: Mechanism, name: string, change: Partial<Drive>): Mechanism {
  const drive = document.drives?.[name];
  return drive ? { ...document, drives: { ...document.drives, [name]: { ...drive, ...change } } } : document;
}

/** Where parts are now, in a document that is not tied to the world. */
export function setPoses(document: Mechanism, poses: Poses): Mechanism {
  const was = drawnPoses(document);
  const moved = parts(document).filter(([name, part]) => {
    const now = poses[name];
    return now && !part.fixed && now.some((value, k) => plain(value) !== plain(was[name]![k]!));
  });
  if (!moved.length) return document;
  const made = Object.fromEntries(
    moved.map(([name, part]) => {
      const [x, y, turn] = poses[name]!;
      return [name, { ...part, pose: { at: [x, y], turn } }];
    }),
  );
  return { ...document, parts: { ...document.parts, ...made } };
}

/** Move whole parts, as they are. */
export function shift(document: Mechanism, names: readonly string[], [dx, dy]: Point): Mechanism {
  const poses = drawnPoses(document);
  const made = Object.fromEntries(
    names.map((name) => {
      const [x, y, turn] = poses[name]!;
      const part = document.parts![name]!;
      return [name, { ...part, pose: { at: pair([x + dx, y + dy]), turn } }];
    }),
  );
  return { ...document, parts: { ...document.parts, ...made } };
}

/** Turn a part about its first point to a direction of the world: that of its first two points. */
export function turnPart(document: Mechanism, name: string, direction: number): Mechanism {
  const part = document.parts?.[name];
  const pose = drawnPoses(document)[name];
  const [first, second] = part ? markers(part) : [];
  if (!part || !pose || !first || !second) return document;
  const own = Math.atan2(second[1][1] - first[1][1], second[1][0] - first[1][0]);
  const pivot = toWorld(pose, [first[1][0], first[1][1]]);
  const turn = direction - own;
  const [x, y] = toWorld([pivot[0], pivot[1], turn], [-first[1][0], -first[1][1]]);
  return withPart(document, name, { ...part, pose: { at: pair([x, y]), turn: plain(turn) } });
}

/** Put a marker elsewhere on its part: the part's shape changes. Markers joined to it on the ground go along. */
export function movePoint(document: Mechanism, ref: string, at: Point): Mechanism {
  const poses = drawnPoses(document);
  const refs = [ref, ...partners(document, ref)];
  return refs.reduce((made, each) => {
    const [name, marker] = split(each);
    const part = made.parts?.[name];
    const given = part?.markers?.[marker];
    if (!part || !given) return made;
    const own = pair(toPart(poses[name] ?? AT_HOME, at));
    const next: Exact[] | Marker = Array.isArray(given) ? own : { ...given, at: own };
    return withPart(made, name, { ...part, markers: { ...part.markers, [marker]: next } });
  }, document);
}

/** Markers pinned to this one, directly or through others. */
export function partners(document: Mechanism, ref: string): string[] {
  const found = new Set([ref]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [, joint] of joints(document)) {
      if (joint.type !== "revolute" || !joint.between.some((other) => found.has(other))) continue;
      for (const other of joint.between) if (!found.has(other)) grown = !!found.add(other);
    }
  }
  found.delete(ref);
  return [...found];
}

/** Set the distance of two markers of a part: the second moves along the line through both. */
export function setLength(document: Mechanism, name: string, first: string, second: string, length: number): Mechanism {
  const part = document.parts?.[name];
  const [a, b] = [part?.markers?.[first], part?.markers?.[second]];
  if (!part || !a || !b || !(length > 0)) return document;
  const [from, to] = [markerFrame(a), markerFrame(b)];
  const was = distance([from[0], from[1]], [to[0], to[1]]);
  const [ux, uy] = was > 0 ? [(to[0] - from[0]) / was, (to[1] - from[1]) / was] : [1, 0];
  const at: [number, number] = [from[0] + length * ux, from[1] + length * uy];
  const next: Exact[] | Marker = Array.isArray(b) ? at : { ...b, at };
  return withPart(document, name, { ...part, markers: { ...part.markers, [second]: next } });
}

/** Without what is being deleted: parts (I), points (I.A), joints (joint:A), drives (drive:x). */
export function hidden(document: Mechanism, names: readonly string[]): Mechanism {
  const gone = new Set(names);
  const held = (ref: string) => !gone.has(ref) && !gone.has(split(ref)[0]);
  const kept = without(document.parts, (name) => gone.has(name));
  const pointed = Object.entries(kept).map(([name, part]): [string, Part] => {
    const markers = without(part.markers, (marker) => gone.has(`${name}.${marker}`));
    return [name, part.markers ? { ...part, markers } : part];
  });
  return {
    ...document,
    parts: Object.fromEntries(pointed),
    joints: without(document.joints, (name, joint) => gone.has(`joint:${name}`) || !joint.between.every(held)),
    drives: without(document.drives, (name) => gone.has(`drive:${name}`)),
  };
}

/** What a joint of the page can be: a pin, a pin that slides along a slot, a slide that does not turn. */
export type Form = "revolute" | "in_line" | "prismatic";
export const FORMS: Record<Form, string> = { revolute: "pin", in_line: "pin in a slot", prismatic: "slide" };
const NEXT: Record<Form, Form> = { revolute: "in_line", in_line: "prismatic", prismatic: "revolute" };

/** The form that follows a joint's own; null where it has no other. */
export function nextForm(document: Mechanism, name: string): Form | null {
  return NEXT[document.joints?.[name]?.type as Form] ?? null;
}

/** What is said of a joint's coordinate: an angle's means nothing on a slide, and the editor takes it away. */
export function ofItsCoordinate(document: Mechanism, name: string): string[] {
  const joint = document.joints?.[name];
  if (!joint) return [];
  const settings = (["spring", "limits", "damping", "friction"] as const).filter((key) => joint[key] !== undefined && joint[key] !== null);
  const [one, other] = joint.between.map((end) => split(end)[0]);
  const isStarted = [name, `${one}:${other}`, `${other}:${one}`].some((key) => document.start?.[key] !== undefined);
  const isDriven = drives(document).some(([, drive]) => drive.joint === name);
  return [...settings, ...(isDriven ? ["drive"] : []), ...(isStarted ? ["start"] : [])];
}

/** A joint drawn in another form. */
export function otherForm(document: Mechanism, name: string, type: Form): Mechanism {
  const joint = document.joints?.[name];
  if (!joint) return document;
  return { ...document, joints: { ...document.joints, [name]: { ...joint, type } } };
}

/**
 * Whether more than poses says where parts are: joints at points of the world, parts on others' markers,
 * starts. Before parts are put elsewhere, the server gives them markers and poses, and starts give way.
 */
export function isTiedToWorld(document: Mechanism): boolean {
  const pinned = joints(document).some(([, joint]) => joint.at !== undefined || joint.along !== undefined);
  return pinned || parts(document).some(([, part]) => part.pose?.on !== undefined) || Object.keys(document.start ?? {}).length > 0;
}
