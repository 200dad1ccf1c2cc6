// The canvas: pointer and keyboard in, pictures out. One picture per frame at most, painted when something it
// shows has changed. With the keyboard, arrows move a crosshair and Enter presses there.

import { effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { take, tool, TOOLS } from "../bench";
import { bench } from "../bench";
import { describe } from "../core/words";
import type { Point } from "../core/place";
import * as play from "../play";
import * as state from "../state";
import { background } from "./background";
import { anchored, type Box, gridStep, toDrawing, toPage, zoom } from "./camera";
import { Fingers } from "./fingers";
import { paint } from "./paint";
import { DARK, LIGHT } from "./palette";

export const dark = signal(matchMedia("(prefers-color-scheme: dark)").matches);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => (dark.value = event.matches));

/** Frames painted so far and the time it took, for whoever measures. */
export const painted = { count: 0, ms: 0 };

type Place = { clientX: number; clientY: number };

/** Where an event is on the canvas [px]. */
function on(canvas: HTMLCanvasElement, event: Place): Point {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function at(canvas: HTMLCanvasElement, event: Place): Point {
  return toDrawing(state.camera.value, state.size.value, on(canvas, event));
}

function refresh(): void {
  state.ghost.value = TOOLS[tool.value].ghost();
}

export function Canvas() {
  const own = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = own.current!;
    const painter = repaint(canvas);
    const sizes = new ResizeObserver(() => resize(canvas));
    sizes.observe(canvas.parentElement!);
    resize(canvas);
    return () => {
      sizes.disconnect();
      painter();
    };
  }, []);
  return (
    <canvas
      ref={own}
      id="drawing"
      tabIndex={0}
      role="application"
      aria-roledescription="drawing"
      aria-label={describe(state.history.value.present, state.said.value)}
      aria-describedby="canvas-help"
      style={{ cursor: CURSORS[tool.value] ?? "crosshair" }}
      onPointerDown={(event) => down(own.current!, event)}
      onPointerMove={(event) => moved(own.current!, event)}
      onPointerUp={(event) => up(own.current!, event)}
      onPointerCancel={cancelled}
      onPointerLeave={(event) => event.buttons || left()}
      onWheel={(event) => wheel(own.current!, event)}
      onKeyDown={keyed}
      onBlur={() => (state.cursor.value = null)}
      onContextMenu={(event) => event.preventDefault()}
    />
  );
}

const CURSORS: Partial<Record<string, string>> = { select: "default", pan: "grab", edit: "default" };

let panning: Point | null = null;
const fingers = new Fingers();

/** The system took the pointer away, for a call or a gesture of its own: what was begun is put back. */
function cancelled(event: PointerEvent): void {
  fingers.up(event.pointerId);
  panning = null;
  TOOLS[tool.value].cancel();
  refresh();
}

/** Nothing is hinted at where no pointer is. */
function left(): void {
  state.hovered.value = null;
  state.ghost.value = {};
}

function down(canvas: HTMLCanvasElement, event: PointerEvent): void {
  canvas.setPointerCapture(event.pointerId);
  canvas.focus({ preventScroll: true });
  state.cursor.value = null;
  play.pause();
  if (event.pointerType === "touch") {
    fingers.down(event.pointerId, on(canvas, event));
    if (fingers.count > 1) {
      TOOLS[tool.value].cancel();
      return refresh();
    }
  } else if (event.buttons & (event.buttons - 1)) return; // a second button while one is down
  if (event.button === 1 || event.button === 2) {
    panning = at(canvas, event);
    return;
  }
  const place = at(canvas, event);
  if (tool.value !== "pan" && tool.value !== "select") bench.stay(); // Move stays when it begins to pull
  TOOLS[tool.value].down({ at: place, shift: event.shiftKey });
  refresh();
}

function moved(canvas: HTMLCanvasElement, event: PointerEvent): void {
  if (event.pointerType === "touch" && fingers.count) {
    state.camera.value = fingers.moved(event.pointerId, on(canvas, event), state.camera.value, state.size.value);
    if (fingers.count > 1) return;
  }
  const place = at(canvas, event);
  if (panning) {
    bench.pan(panning, place);
    return;
  }
  TOOLS[tool.value].move({ at: place, shift: event.shiftKey });
  if (!event.buttons) state.hovered.value = tool.value === "select" ? bench.partAt(place) : null;
  refresh();
}

function up(canvas: HTMLCanvasElement, event: PointerEvent): void {
  const several = fingers.count > 1;
  fingers.up(event.pointerId);
  if (several) return;
  if (panning) {
    panning = null;
    return;
  }
  TOOLS[tool.value].up({ at: at(canvas, event), shift: event.shiftKey });
  refresh();
}

function wheel(canvas: HTMLCanvasElement, event: WheelEvent): void {
  event.preventDefault();
  const factor = Math.exp(-event.deltaY * 0.0015);
  state.camera.value = zoom(state.camera.value, state.size.value, on(canvas, event), factor);
}

let holding = false;

function keyed(event: KeyboardEvent): void {
  const ways: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const way = ways[event.key];
  const { camera, cursor } = state;
  if (way && !event.altKey && !event.ctrlKey && !event.metaKey) {
    const step = gridStep(camera.value.scale) / (event.shiftKey ? 1 : 5);
    const from = cursor.value ?? bench.snapped([camera.value.x, camera.value.y]);
    cursor.value = [from[0] + way[0] * step, from[1] + way[1] * step];
    TOOLS[tool.value].move({ at: cursor.value, shift: false });
  } else if (event.key === "Enter") press(event);
  else if (event.key === "Escape") {
    TOOLS[tool.value].cancel();
    holding = false;
    if (tool.value !== "select") take("select");
    else state.selected.value = new Set();
  } else return;
  event.preventDefault();
  event.stopPropagation();
  refresh();
}

/** Enter clicks; with a tool that pulls, it presses, and the next Enter lets go. */
function press(event: KeyboardEvent): void {
  const own = TOOLS[tool.value];
  const place = state.cursor.value;
  if (!place) {
    own.finish();
    return;
  }
  const pulls = tool.value === "select" || tool.value === "edit" || tool.value === "pan";
  if (!pulls || !holding) own.down({ at: place, shift: event.shiftKey });
  if (!pulls || holding) own.up({ at: place, shift: event.shiftKey });
  holding = pulls && !holding;
  if (holding) state.status.value = "Held. Arrows pull, Enter lets go, Escape puts it back.";
}

/** The window, and the page's box in it, at the last change of size. */
let last: { window: string; box: Box } | null = null;

function resize(canvas: HTMLCanvasElement): void {
  const { clientWidth, clientHeight } = canvas.parentElement!;
  const dense = window.devicePixelRatio || 1;
  canvas.width = Math.round(clientWidth * dense);
  canvas.height = Math.round(clientHeight * dense);
  canvas.style.width = `${clientWidth}px`;
  canvas.style.height = `${clientHeight}px`;
  const size = { width: clientWidth, height: clientHeight };
  const { left, top } = canvas.parentElement!.getBoundingClientRect();
  const now = { window: `${window.innerWidth} x ${window.innerHeight}`, box: { ...size, left, top } };
  // Words that take one more line must not move the drawing under the pointer; a new window shows its middle.
  if (last?.window === now.window) state.keepView(anchored(state.camera.value, last.box, now.box));
  last = now;
  state.size.value = size;
}

/** Paint whenever a signal that the picture shows has changed, once per frame. */
function repaint(canvas: HTMLCanvasElement): () => void {
  const context = canvas.getContext("2d")!;
  let asked = 0;
  return effect(() => {
    const picture = {
      document: state.turned.value ? state.asSeen(state.model.value) : state.model.value,
      poses: state.poses.value,
      outlines: state.outlines.value,
      selected: state.selected.value,
      hovered: state.hovered.value,
      curves: state.curves.value,
      ghost: state.ghost.value,
      cursor: state.cursor.value,
      background: background.value,
      grid: state.grid.value,
      camera: state.camera.value,
      size: state.size.value,
      theme: dark.value ? DARK : LIGHT,
    };
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(() => {
      const dense = window.devicePixelRatio || 1;
      context.setTransform(dense, 0, 0, dense, 0, 0);
      const begun = performance.now();
      paint(context, picture);
      painted.count++;
      painted.ms += performance.now() - begun;
    });
  });
}

export function pageOf(canvas: HTMLCanvasElement, p: Point): Point {
  const box = canvas.getBoundingClientRect();
  const [x, y] = toPage(state.camera.value, state.size.value, p);
  return [box.left + x, box.top + y];
}
