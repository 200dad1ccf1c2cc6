// What part of the drawing is on the page: a centre and a scale. y points up in the drawing.

import { bounds, type Point } from "../core/place";

export interface Camera {
  x: number;
  y: number;
  /** pixels per unit */
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

export function toPage(camera: Camera, size: Size, [x, y]: Point): Point {
  return [size.width / 2 + (x - camera.x) * camera.scale, size.height / 2 - (y - camera.y) * camera.scale];
}

export function toDrawing(camera: Camera, size: Size, [px, py]: Point): Point {
  return [camera.x + (px - size.width / 2) / camera.scale, camera.y - (py - size.height / 2) / camera.scale];
}

/** How near the pointer must come [px]. */
export const REACH = 14;
/** How far it goes before a press is a pull [px]. */
export const STILL = 4;

const NARROWEST = 1e-6;
const WIDEST = 1e9;

/** Zoom about a point of the page, which stays where it is. */
export function zoom(camera: Camera, size: Size, at: Point, factor: number): Camera {
  const scale = Math.min(WIDEST, Math.max(NARROWEST, camera.scale * factor));
  const [x, y] = toDrawing(camera, size, at);
  return {
    scale,
    x: x - (at[0] - size.width / 2) / scale,
    y: y + (at[1] - size.height / 2) / scale,
  };
}

export interface Box extends Size {
  left: number;
  top: number;
}

/** The camera with which everything stays where it is in the window when the page under it gets another box. */
export function anchored(camera: Camera, before: Box, after: Box): Camera {
  return {
    ...camera,
    x: camera.x + (after.left - before.left + (after.width - before.width) / 2) / camera.scale,
    y: camera.y - (after.top - before.top + (after.height - before.height) / 2) / camera.scale,
  };
}

/** Share of the page that what is drawn may fill. */
const FILL = 0.7;

/** All of these points on the page. */
export function fit(points: readonly Point[], size: Size): Camera | null {
  if (!points.length) return null;
  const { left, right, low, high } = bounds(points);
  const wide = right - left, tall = high - low;
  if (wide === 0 && tall === 0) return { x: left, y: low, scale: 4 };
  const scale = FILL * Math.min(size.width / Math.max(wide, 1e-9), size.height / Math.max(tall, 1e-9));
  const camera = { x: left + wide / 2, y: low + tall / 2, scale: Math.min(WIDEST, scale) };
  return Object.values(camera).every(Number.isFinite) && scale > 0 ? camera : null;
}

/** Whether a point is seen, with the link about it. */
export function isOnPage(camera: Camera, size: Size, point: Point): boolean {
  const [x, y] = toPage(camera, size, point);
  return x >= REACH && y >= REACH && x <= size.width - REACH && y <= size.height - REACH;
}

/** Grid lines about 50 pixels apart, at 1, 2 or 5 times a power of ten. */
export function gridStep(scale: number): number {
  const rough = 50 / scale;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((f) => f * power >= rough)!;
  return factor * power;
}
