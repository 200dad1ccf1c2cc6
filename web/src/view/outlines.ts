// Outlines of parts with shapes, in each part's own frame, as the server's `picture` gives them.

import type { Point } from "../core/place";

export interface Layer {
  bottom: number;
  top: number;
  rings: Point[][];
  lines: Point[][];
}

export type Outlines = Readonly<Record<string, { fixed: boolean; layers: Layer[]; markers: Record<string, number[]> }>>;
