// Outlines of parts with shapes, in each part's own frame, as the server's `picture` gives them.

import type { Point } from "../core/place";

export interface Layer {
  bottom: number;
  top: number;
  rings: Point[][];
  lines: Point[][];
}

export type Outlines = Readonly<Record<string, { fixed: boolean; layers: Layer[]; markers: Record<string, number[]> }>>;

/** All layers as they are painted: what lies lower first, whichever part it belongs to, and of one level what is larger. */
export function upwards(outlines: Outlines): { name: string; layer: Layer }[] {
  const all = Object.entries(outlines).flatMap(([name, { layers }]) => layers.map((layer) => ({ name, layer })));
  return all.sort((a, b) => a.layer.top - b.layer.top || a.layer.bottom - b.layer.bottom || sizeOf(b.layer) - sizeOf(a.layer));
}

const sizes = new WeakMap<Layer, number>();

/** The area of the box around a layer's rings. */
function sizeOf(layer: Layer): number {
  const known = sizes.get(layer);
  if (known !== undefined) return known;
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of layer.rings.flat()) {
    [left, right, low, high] = [Math.min(left, x), Math.max(right, x), Math.min(low, y), Math.max(high, y)];
  }
  const made = Math.max(0, right - left) * Math.max(0, high - low);
  sizes.set(layer, made);
  return made;
}
