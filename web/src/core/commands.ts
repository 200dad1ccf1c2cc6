// Everything that changes a document: from a document to the next one, never in place.
// What needs the joints solved (a length in a closed loop) is changed here and closed by the server.

import type { Drive, Exact, Joint, Marker, Mechanism, Part } from "../document";
import { coordinate, drawnPoses, drives, joints, jointsAt, markerFrame, markers, num, parts, split, whereIs } from "./model";
import { fresh, letter } from "./names";
import { AT_HOME, compose, distance, toPart, toWorld, type Point, type Pose3, type Poses } from "./place";

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

/** A new link through points of the world; where `onto` names a marker, the point is joined to it. */
export function addLink(document: Mechanism, points: readonly Point[], onto: readonly (string | null)[] = []): Mechanism {
  const name = fresh("link", document.parts);
  const named: Record<string, Exact[]> = {};
  for (const at of points) named[letter(named)] = pair(at);
  let made = withPart(document, name, { markers: named });
  Object.keys(named).forEach((marker, k) => {
    const other = onto[k];
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

/** Take a joint away, with the drives on it. */
export function detach(document: Mechanism, joint: string): Mechanism {
  return tidy({
    ...document,
    joints: without(document.joints, (name) => name === joint),
    drives: without(document.drives, (_, drive) => drive.joint === joint),
    start: without(document.start, (name) => name === joint),
  });
}

/** Revolute becomes prismatic and back. A slide's line is the ground's x, or its link's own. */
export function toggleJoint(document: Mechanism, name: string): Mechanism {
  const joint = document.joints?.[name];
  if (!joint) return document;
  const type = joint.type === "prismatic" ? "revolute" : "prismatic";
  let made: Mechanism = { ...document, joints: { ...document.joints, [name]: { ...joint, type } } };
  made = { ...made, drives: without(made.drives, (_, drive) => drive.joint === name) };
  if (type === "prismatic") made = directed(made, joint.between, slideDirection(document, joint));
  return tidy(made);
}

function slideDirection(document: Mechanism, joint: Joint): number {
  const [ref] = joint.between;
  const [name, marker] = split(ref!);
  const part = document.parts?.[name];
  if (!part || part.fixed) return 0;
  const poses = drawnPoses(document);
  const here = whereIs(document, poses, ref!)!;
  const others = markers(part).filter(([other]) => other !== marker);
  const far = others.map(([other]) => whereIs(document, poses, `${name}.${other}`)!);
  const longest = far.sort((p, q) => distance(here, q) - distance(here, p))[0];
  return longest ? Math.atan2(longest[1] - here[1], longest[0] - here[0]) : 0;
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

/** Turn the line of a slide to a direction of the world. */
export function directSlide(document: Mechanism, name: string, turn: number): Mechanism {
  const joint = document.joints?.[name];
  return joint ? directed(document, joint.between, turn) : document;
}

/** Pin a point to the ground; a point that is pinned already is let go. */
export function ground(document: Mechanism, ref: string): Mechanism {
  const held = jointsAt(document, ref).find(([, joint]) =>
    joint.between.some((other) => other !== ref && document.parts?.[split(other)[0]]?.fixed),
  );
  if (held) return detach(document, held[0]);
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

/** A drive on a joint: one full turn from where it stands, or a share of the machine's extent on a slide. */
export function addDrive(document: Mechanism, jointName: string, extent: number): Mechanism {
  const joint = document.joints?.[jointName];
  if (!joint || (joint.type !== "revolute" && joint.type !== "prismatic")) return document;
  const had = drives(document).find(([, drive]) => drive.joint === jointName);
  if (had) return tidy({ ...document, drives: without(document.drives, (name) => name === had[0]) });
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

/** Where parts stand now. A start that holds a joint elsewhere gives way to it. */
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
  const start = without(document.start, (_, value) => value.speed === undefined && value.speed_deg === undefined);
  return tidy({ ...document, parts: { ...document.parts, ...made }, start });
}

/** Move whole parts, as they stand. */
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

export function setPart(document: Mechanism, name: string, change: Partial<Part>): Mechanism {
  const part = document.parts?.[name];
  return part ? withPart(document, name, { ...part, ...change }) : document;
}

/** Take away parts (I), points (I.A), joints (joint:A), drives (drive:x); joints that hold nothing go with them. */
export function remove(document: Mechanism, names: readonly string[]): Mechanism {
  const gone = new Set(names);
  let made: Mechanism = { ...document, parts: without(document.parts, (name) => gone.has(name)) };
  for (const name of names) {
    const [part, marker] = split(name);
    const kept = made.parts?.[part];
    if (!marker || !kept?.markers) continue;
    const rest = without(kept.markers, (own) => own === marker);
    const few = !kept.fixed && !kept.shape && Object.keys(rest).length < 2;
    made = few ? { ...made, parts: without(made.parts, (own) => own === part) } : withPart(made, part, { ...kept, markers: rest });
  }
  const stands = (ref: string) => {
    const [part, marker] = split(ref);
    const kept = made.parts?.[part];
    return kept && (!marker || marker in (kept.markers ?? {}));
  };
  made = { ...made, joints: without(made.joints, (name, joint) => gone.has(`joint:${name}`) || !joint.between.every(stands)) };
  made = {
    ...made,
    drives: without(
      made.drives,
      (name, drive) => gone.has(`drive:${name}`) || (drive.joint !== undefined && !(drive.joint in (made.joints ?? {}))),
    ),
    start: without(made.start, (name) => !(name in (made.joints ?? {}))),
  };
  return tidy(dropLooseGround(made));
}

/** Ground markers that hold nothing are of no use to anybody. */
function dropLooseGround(document: Mechanism): Mechanism {
  const used = new Set(joints(document).flatMap(([, joint]) => joint.between));
  return parts(document).reduce((made, [name, part]) => {
    if (!part.fixed || part.shape || name !== GROUND) return made;
    const kept = without(part.markers, (marker) => !used.has(`${name}.${marker}`));
    if (Object.keys(kept).length) return withPart(made, name, { ...part, markers: kept });
    return { ...made, parts: without(made.parts, (own) => own === name) };
  }, document);
}

/** Tables that became empty are left out. */
function tidy(document: Mechanism): Mechanism {
  const made = { ...document };
  for (const key of ["drives", "start"] as const) if (made[key] && !Object.keys(made[key]!).length) delete made[key];
  return made;
}

/** A new name for a part, wherever it is named. */
export function renamePart(document: Mechanism, from: string, to: string): Mechanism {
  const swap = (ref: string) => {
    const [part, marker] = split(ref);
    return part === from ? (marker ? `${to}.${marker}` : to) : ref;
  };
  return {
    ...document,
    parts: Object.fromEntries(parts(document).map(([name, part]) => [swap(name), part])),
    joints: Object.fromEntries(joints(document).map(([name, joint]) => [name, { ...joint, between: joint.between.map(swap) }])),
  };
}

/** Parts with the joints among them, to be pasted. */
export function copy(document: Mechanism, names: readonly string[]): Mechanism {
  const chosen = new Set(names);
  const poses = drawnPoses(document);
  return {
    format: "detent/1",
    parts: Object.fromEntries(
      parts(document)
        .filter(([name]) => chosen.has(name))
        .map(([name, part]) => [name, { ...part, pose: { at: pair([poses[name]![0], poses[name]![1]]), turn: poses[name]![2] } }]),
    ),
    joints: without(document.joints, (_, joint) => !joint.between.every((ref) => chosen.has(split(ref)[0]))),
  };
}

/** Paste beside the original; returns the document and the new parts' names. */
export function paste(document: Mechanism, clip: Mechanism, [dx, dy]: Point): [Mechanism, string[]] {
  const names = new Map<string, string>();
  let made = document;
  for (const [name, part] of parts(clip)) {
    const own = fresh(name.replace(/\d+$/, ""), made.parts);
    names.set(name, own);
    const [x, y] = part.pose?.at ? [num(part.pose.at[0]), num(part.pose.at[1])] : [0, 0];
    made = withPart(made, own, { ...part, pose: { ...part.pose, at: pair([x + dx, y + dy]) } });
  }
  for (const [, joint] of joints(clip)) {
    const between = joint.between.map((ref) => {
      const [part, marker] = split(ref);
      return marker ? `${names.get(part)}.${marker}` : names.get(part)!;
    });
    made = { ...made, joints: { ...made.joints, [letter(made.joints)]: { ...joint, between } } };
  }
  return [made, [...names.values()]];
}

/** Where a marker of a part looks, in the world. */
export function frameOf(document: Mechanism, poses: Poses, ref: string): Pose3 {
  const [name, marker] = split(ref);
  const given = document.parts?.[name]?.markers?.[marker];
  return compose(poses[name] ?? AT_HOME, given ? markerFrame(given) : AT_HOME);
}
