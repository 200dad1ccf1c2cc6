// What is under the pointer: a point first, then a link's body.

import type { Mechanism } from "../document";
import { markers, parts } from "../core/model";
import { AT_HOME, distance, hull, inside, onBody, toSegment, toWorld, type Point, type Poses } from "../core/place";
import { upwards, type Layer, type Outlines } from "./outlines";

export interface Spot {
  ref: string;
  part: string;
  at: Point;
}

/** All markers where they are. */
export function spots(document: Mechanism, poses: Poses): Spot[] {
  return parts(document).flatMap(([part, given]) =>
    markers(given).map(([name, [x, y]]) => ({ ref: `${part}.${name}`, part, at: toWorld(poses[part] ?? AT_HOME, [x, y]) })),
  );
}

/** Markers within reach, nearest first; of moving parts before those of the ground. */
export function near(document: Mechanism, poses: Poses, at: Point, reach: number): Spot[] {
  const still = (spot: Spot) => (document.parts?.[spot.part]?.fixed ? 1 : 0);
  const apart = (spot: Spot) => Math.round((4 * distance(spot.at, at)) / reach);
  return spots(document, poses)
    .filter((spot) => distance(spot.at, at) <= reach)
    .sort((a, b) => apart(a) - apart(b) || still(a) - still(b));
}

/** The bare link whose body is there, and the point of it that is nearest; shapes have no middle line. */
export function bodyAt(document: Mechanism, poses: Poses, outlines: Outlines, at: Point, reach: number): { part: string; at: Point } | null {
  const part = partAt(document, poses, outlines, at, reach);
  if (!part || document.parts![part]!.fixed || (Object.hasOwn(outlines, part) && outlines[part]!.layers.length)) return null;
  return { part, at: onBody(at, corners(document, poses, part)) };
}

function corners(document: Mechanism, poses: Poses, part: string): Point[] {
  return hull(markers(document.parts![part]!).map(([, [x, y]]) => toWorld(poses[part] ?? AT_HOME, [x, y])));
}

/** The part whose body is there; the one drawn last wins. */
export function partAt(document: Mechanism, poses: Poses, outlines: Outlines, at: Point, reach: number): string | null {
  let found: string | null = null;
  const within = (layer: Layer, world: (p: Point) => Point) =>
    layer.rings.filter((ring) => inside(at, ring.map(world))).length % 2 === 1 ||
    layer.lines.some((line) => line.slice(1).some((p, k) => toSegment(at, world(line[k]!), world(p)) <= reach));
  for (const { name, layer } of upwards(outlines)) {
    if (document.parts?.[name] && within(layer, (p) => toWorld(poses[name] ?? AT_HOME, p))) found = name;
  }
  for (const [name, part] of parts(document)) {
    if (Object.hasOwn(outlines, name) && outlines[name]!.layers.length) continue;
    const pose = poses[name] ?? AT_HOME;
    const world = (p: Point) => toWorld(pose, p);
    if (part.fixed) continue;
    const around = hull(markers(part).map(([, [x, y]]) => world([x, y])));
    const close = around.some((p, k) => toSegment(at, p, around[(k + 1) % around.length]!) <= reach);
    if (close || (around.length > 2 && inside(at, around))) found = name;
  }
  return found;
}
