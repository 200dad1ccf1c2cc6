// Reading a document: numbers, markers, poses as drawn, joints at a marker. Nothing here changes one.

import type { Drive, Exact, Joint, Marker, Mechanism, Part, Pose } from "../document";
import { AT_HOME, compose, toPart, toWorld, type Point, type Pose3, type Poses } from "./place";

/** A number however it was written: 1.5, "3/4". */
export function num(value: Exact | undefined, otherwise = 0): number {
  if (value === undefined) return otherwise;
  if (typeof value === "number") return value;
  const [above, below] = value.split("/");
  return below === undefined ? Number(above) : Number(above) / Number(below);
}

export function angle(plain: Exact | undefined, degrees: Exact | undefined, otherwise = 0): number {
  if (plain !== undefined) return num(plain);
  return degrees === undefined ? otherwise : (num(degrees) * Math.PI) / 180;
}

export function point(given: readonly Exact[]): Point {
  return [num(given[0]), num(given[1])];
}

/** A marker's place and direction in its part's frame. */
export function markerFrame(given: Exact[] | Marker): Pose3 {
  if (Array.isArray(given)) return [...point(given), 0] as unknown as Pose3;
  const turn = given.along ? Math.atan2(num(given.along[1]), num(given.along[0])) : angle(given.turn, given.turn_deg);
  const [x, y] = point(given.at);
  return [x, y, turn];
}

/** `part.marker` taken apart. */
export function split(ref: string): [string, string] {
  const dot = ref.indexOf(".");
  return dot < 0 ? [ref, ""] : [ref.slice(0, dot), ref.slice(dot + 1)];
}

export function parts(document: Mechanism): [string, Part][] {
  return Object.entries(document.parts ?? {});
}

export function joints(document: Mechanism): [string, Joint][] {
  return Object.entries(document.joints ?? {});
}

export function drives(document: Mechanism): [string, Drive][] {
  return Object.entries(document.drives ?? {});
}

/** Markers of a part by name, in its frame. */
export function markers(part: Part): [string, Pose3][] {
  return Object.entries(part.markers ?? {}).map(([name, given]) => [name, markerFrame(given)]);
}

/** Where every part is as drawn. A chain of `on` that closes on itself is cut (the check reports it). */
export function drawnPoses(document: Mechanism): Poses {
  // Without a prototype: a part may be called `constructor`.
  const made = Object.create(null) as Record<string, Pose3>;
  const place = (name: string, seen: readonly string[]): Pose3 => {
    const known = made[name];
    if (known) return known;
    const part = document.parts?.[name];
    if (!part?.pose || seen.includes(name)) return AT_HOME;
    return (made[name] = posed(part.pose, seen));
  };
  const posed = (pose: Pose, seen: readonly string[]): Pose3 => {
    const [x, y] = point(pose.at ?? [0, 0]);
    const turn = pose.along
      ? Math.atan2(num(pose.along[1]), num(pose.along[0]))
      : angle(pose.turn, pose.turn_deg);
    if (!pose.on) return [x, y, turn];
    const [part, marker] = split(pose.on);
    const given = document.parts?.[part]?.markers?.[marker];
    return compose(compose(place(part, [...seen, part]), given ? markerFrame(given) : AT_HOME), [x, y, turn]);
  };
  for (const [name] of parts(document)) made[name] = place(name, []);
  return made;
}

/** Where a marker is in the world. */
export function whereIs(document: Mechanism, poses: Poses, ref: string): Point | null {
  const [part, marker] = split(ref);
  const given = document.parts?.[part]?.markers?.[marker];
  if (!given) return null;
  const [x, y] = markerFrame(given);
  return toWorld(poses[part] ?? AT_HOME, [x, y]);
}

/**
 * One end of a joint in the world: the marker's frame, or where a joint `at` a point of the world is on that
 * part, looking along the joint's line. Such a point was put there as drawn, and moves with the part.
 */
export function endFrame(document: Mechanism, poses: Poses, joint: Joint, end: 0 | 1): Pose3 {
  const [name, marker] = split(joint.between[end] ?? "");
  const given = document.parts?.[name]?.markers?.[marker];
  if (given) return compose(poses[name] ?? AT_HOME, markerFrame(given));
  if (marker || !joint.at) return poses[name] ?? AT_HOME;
  if (!isPlanar(document)) return [...point(joint.at), 0] as unknown as Pose3;
  const drawn = drawnPoses(document)[name] ?? AT_HOME;
  const [x, y] = toPart(drawn, point(joint.at));
  return compose(poses[name] ?? AT_HOME, [x, y, lineOf(joint) - drawn[2]]);
}

/** The direction of a joint's own line: x unless said, and no other for what turns about z. */
function lineOf(joint: Joint): number {
  if (joint.along === "y") return Math.PI / 2;
  return Array.isArray(joint.along) ? Math.atan2(num(joint.along[1]), num(joint.along[0])) : 0;
}

/** Whether its second end goes along a line of the first: a slide, or a pin in a slot. */
export function hasLine(joint: Joint): boolean {
  return joint.type === "prismatic" || joint.type === "in_line";
}

/** Where a joint is in the world: its first end, of a slide the second, which is seen to slide. */
export function whereJoint(document: Mechanism, poses: Poses, joint: Joint): Point | null {
  const isPlaced = (ref: string | undefined) => ref !== undefined && (joint.at ? true : whereIs(document, poses, ref) !== null);
  const end = hasLine(joint) && isPlaced(joint.between[1]) ? 1 : 0;
  if (!isPlaced(joint.between[end])) return null;
  const [x, y] = endFrame(document, poses, joint, end);
  return [x, y];
}

/** Joints that hold a marker. */
export function jointsAt(document: Mechanism, ref: string): [string, Joint][] {
  return joints(document).filter(([, joint]) => joint.between.includes(ref));
}

/** Joints that hold a part. */
export function jointsOf(document: Mechanism, part: string): [string, Joint][] {
  return joints(document).filter(([, joint]) => joint.between.some((ref) => split(ref)[0] === part));
}

/** A joint's coordinate in a pose: angle from the first end's direction to the second's, or travel. */
export function coordinate(document: Mechanism, poses: Poses, joint: Joint): number {
  const [a, b] = [endFrame(document, poses, joint, 0), endFrame(document, poses, joint, 1)];
  if (joint.type !== "prismatic") return b[2] - a[2];
  return (b[0] - a[0]) * Math.cos(a[2]) + (b[1] - a[1]) * Math.sin(a[2]);
}

/** Whether the plane's linkage tools fit: in space or with a library part they do not. */
export function isPlanar(document: Mechanism): boolean {
  return (document.dimension ?? 2) === 2 && !parts(document).some(([, part]) => part.library);
}
