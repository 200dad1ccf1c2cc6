// Points and poses of the plane, in the document's units and radians.

export type Point = readonly [number, number];
export type Pose3 = readonly [number, number, number];
export type Poses = Readonly<Record<string, Pose3>>;

export const AT_HOME: Pose3 = [0, 0, 0];

/** A part's point in the world. */
export function toWorld([x, y, turn]: Pose3, [px, py]: Point): Point {
  const c = Math.cos(turn), s = Math.sin(turn);
  return [x + c * px - s * py, y + s * px + c * py];
}

/** A point of the world in a part's frame. */
export function toPart([x, y, turn]: Pose3, [px, py]: Point): Point {
  const c = Math.cos(turn), s = Math.sin(turn);
  const dx = px - x, dy = py - y;
  return [c * dx + s * dy, c * dy - s * dx];
}

/** A frame given in another, in the world. */
export function compose(outer: Pose3, inner: Pose3): Pose3 {
  const [x, y] = toWorld(outer, [inner[0], inner[1]]);
  return [x, y, outer[2] + inner[2]];
}

export function distance([ax, ay]: Point, [bx, by]: Point): number {
  return Math.hypot(bx - ax, by - ay);
}

export function angleOf([ax, ay]: Point, [bx, by]: Point): number {
  return Math.atan2(by - ay, bx - ax);
}

/** The point of a segment that is nearest to another. */
export function onSegment(p: Point, a: Point, b: Point): Point {
  const dx = b[0] - a[0], dy = b[1] - a[1];
  const long = dx * dx + dy * dy;
  const t = long === 0 ? 0 : Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / long));
  return [a[0] + t * dx, a[1] + t * dy];
}

/** Nearest distance from a point to a segment. */
export function toSegment(p: Point, a: Point, b: Point): number {
  return distance(p, onSegment(p, a, b));
}

/** The point of a body, given by the corners of its hull, that is nearest to another. */
export function onBody(p: Point, corners: readonly Point[]): Point {
  if (corners.length > 2 && inside(p, corners)) return p;
  const near = corners.map((corner, k) => onSegment(p, corner, corners[(k + 1) % corners.length]!));
  return near.sort((a, b) => distance(p, a) - distance(p, b))[0] ?? p;
}

/** Corners of the convex hull, counter-clockwise. */
export function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const half = (list: Point[]) => {
    const made: Point[] = [];
    for (const p of list) {
      while (made.length > 1) {
        const [a, b] = [made[made.length - 2]!, made[made.length - 1]!];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        made.pop();
      }
      made.push(p);
    }
    made.pop();
    return made;
  };
  return [...half(sorted), ...half([...sorted].reverse())];
}

export function inside(p: Point, ring: readonly Point[]): boolean {
  let within = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i]!, [xj, yj] = ring[j]!;
    if (yi > p[1] !== yj > p[1] && p[0] < ((xj - xi) * (p[1] - yi)) / (yj - yi) + xi) within = !within;
  }
  return within;
}

/** The box around points; they may be too many to be the arguments of one call. */
export function bounds(points: readonly Point[]): { left: number; right: number; low: number; high: number } {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  return { left, right, low, high };
}

/** The diagonal of that box. */
export function extentOf(points: readonly Point[]): number {
  const { left, right, low, high } = bounds(points);
  return points.length ? Math.hypot(right - left, high - low) : 0;
}
