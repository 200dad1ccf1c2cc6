// Two fingers on the drawing: what lies under them stays under them, so that they pan and zoom at once.

import type { Point } from "../core/place";
import { toDrawing, zoom, type Camera, type Size } from "./camera";

export class Fingers {
  private readonly at = new Map<number, Point>();

  get count(): number {
    return this.at.size;
  }

  down(id: number, page: Point): void {
    this.at.set(id, page);
  }

  up(id: number): void {
    this.at.delete(id);
  }

  /** The camera after one of two fingers has moved; unchanged where there are not two. */
  moved(id: number, page: Point, camera: Camera, size: Size): Camera {
    const before = this.pair();
    if (!this.at.has(id)) return camera;
    this.at.set(id, page);
    const after = this.pair();
    if (!before || !after) return camera;
    const [x, y] = toDrawing(camera, size, before.middle);
    const closer = zoom(camera, size, before.middle, after.apart / before.apart);
    const [nx, ny] = toDrawing(closer, size, after.middle);
    return { ...closer, x: closer.x + x - nx, y: closer.y + y - ny };
  }

  private pair(): { middle: Point; apart: number } | null {
    const [p, q] = [...this.at.values()];
    if (!p || !q) return null;
    return { middle: [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2], apart: Math.max(1, Math.hypot(p[0] - q[0], p[1] - q[1])) };
  }
}
