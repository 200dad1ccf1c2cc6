// The drawing on a Canvas: grid, background, parts, joints, drives, curves, and what a tool is about to do.
// Everything is painted from plain data, so that a frame of a drag costs one call.

import type { Mechanism } from "../document";
import { drives, endFrame, hasLine, joints, markers, parts, split, whereIs, whereJoint } from "../core/model";
import { AT_HOME, hull, toWorld, type Point, type Poses } from "../core/place";
import { gridStep, toPage, type Camera, type Size } from "./camera";
import { upwards, type Outlines } from "./outlines";
import { coloursOf, type Colours, type Theme } from "./palette";

/** What a tool shows before it acts. */
export interface Ghost {
  points?: readonly Point[];
  snap?: { at: Point; words: string } | null;
  box?: readonly [Point, Point] | null;
  pull?: readonly [Point, Point] | null;
  /** how long the pull's gap is */
  words?: string;
}

export interface Picture {
  document: Mechanism;
  poses: Poses;
  outlines: Outlines;
  selected: ReadonlySet<string>;
  hovered: string | null;
  curves: readonly (readonly Point[])[];
  ghost: Ghost;
  cursor: Point | null;
  background: { image: CanvasImageSource; at: Point; width: number; height: number } | null;
  grid: boolean;
  camera: Camera;
  size: Size;
  theme: Theme;
}

const BAR = 9; // half width of a link [px]
const PIN = 5;

export function paint(c: CanvasRenderingContext2D, picture: Picture): void {
  const { size, theme } = picture;
  c.fillStyle = theme.paper;
  c.fillRect(0, 0, size.width, size.height);
  const page = (p: Point) => toPage(picture.camera, size, p);
  paintBackground(c, picture, page);
  if (picture.grid) paintGrid(c, picture);
  paintCurves(c, picture, page);
  paintParts(c, picture, page);
  paintJoints(c, picture, page);
  paintDrives(c, picture, page);
  paintGhost(c, picture, page);
}

type Page = (p: Point) => Point;

function paintBackground(c: CanvasRenderingContext2D, picture: Picture, page: Page): void {
  const back = picture.background;
  if (!back) return;
  const [x, y] = page([back.at[0], back.at[1] + back.height]);
  c.globalAlpha = 0.45;
  c.drawImage(back.image, x, y, back.width * picture.camera.scale, back.height * picture.camera.scale);
  c.globalAlpha = 1;
}

function paintGrid(c: CanvasRenderingContext2D, { camera, size, theme }: Picture): void {
  const step = gridStep(camera.scale);
  const [left, right] = [camera.x - size.width / 2 / camera.scale, camera.x + size.width / 2 / camera.scale];
  const [low, high] = [camera.y - size.height / 2 / camera.scale, camera.y + size.height / 2 / camera.scale];
  c.lineWidth = 1;
  for (const axis of [false, true]) {
    c.strokeStyle = axis ? theme.axis : theme.grid;
    c.beginPath();
    for (const k of lines(left, right, step)) {
      if ((k % 5 === 0) !== axis) continue;
      const x = Math.round((k * step - camera.x) * camera.scale + size.width / 2) + 0.5;
      c.moveTo(x, 0);
      c.lineTo(x, size.height);
    }
    for (const k of lines(low, high, step)) {
      if ((k % 5 === 0) !== axis) continue;
      const y = Math.round(size.height / 2 - (k * step - camera.y) * camera.scale) + 0.5;
      c.moveTo(0, y);
      c.lineTo(size.width, y);
    }
    c.stroke();
  }
}

/** Numbers of the grid lines between two places; none where the numbers have no digits left to count with. */
export function lines(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(first + count) || count < 1) return [];
  return Array.from({ length: count }, (_, k) => first + k);
}

function paintCurves(c: CanvasRenderingContext2D, { curves, theme }: Picture, page: Page): void {
  c.strokeStyle = theme.select;
  c.lineWidth = 1.5;
  c.setLineDash([5, 3]);
  for (const curve of curves) {
    c.beginPath();
    trace(c, curve.map(page));
    c.stroke();
  }
  c.setLineDash([]);
}

function trace(c: CanvasRenderingContext2D, points: readonly Point[]): void {
  points.forEach(([x, y], k) => (k ? c.lineTo(x, y) : c.moveTo(x, y)));
}

function paintParts(c: CanvasRenderingContext2D, picture: Picture, page: Page): void {
  const all = parts(picture.document);
  const colours = coloursOf(picture.theme, all);
  paintLayers(c, picture, page, colours);
  for (const [name, part] of all) {
    if (part.fixed || (Object.hasOwn(picture.outlines, name) && picture.outlines[name]!.layers.length)) continue;
    const pose = picture.poses[name] ?? AT_HOME;
    const chosen = picture.selected.has(name);
    const corners = hull(markers(part).map(([, [x, y]]) => page(toWorld(pose, [x, y]))));
    bar(c, corners, colours.get(name)!, chosen || picture.hovered === name, chosen, picture.theme);
  }
}

/** Shapes seen from above. */
function paintLayers(c: CanvasRenderingContext2D, picture: Picture, page: Page, colours: Map<string, Colours>): void {
  for (const { name, layer } of upwards(picture.outlines)) {
    const own = colours.get(name);
    if (!own) continue;
    const pose = picture.poses[name] ?? AT_HOME;
    const seen = (p: Point) => page(toWorld(pose, p));
    c.beginPath();
    for (const ring of layer.rings) {
      trace(c, ring.map(seen));
      c.closePath();
    }
    c.fillStyle = own.fill;
    c.fill("evenodd");
    for (const line of layer.lines) trace(c, line.map(seen));
    stroke(c, own, picture.selected.has(name), picture.theme);
  }
}

/** A link: a round-ended bar, or a plate with round corners. */
function bar(c: CanvasRenderingContext2D, corners: Point[], own: Colours, strong: boolean, chosen: boolean, theme: Theme): void {
  if (!corners.length) return;
  c.lineJoin = "round";
  c.lineCap = "round";
  c.beginPath();
  trace(c, corners);
  if (corners.length > 2) c.closePath();
  c.strokeStyle = chosen ? theme.select : own.line;
  c.lineWidth = 2 * BAR + (strong ? 4 : 2.5);
  c.stroke();
  c.strokeStyle = own.fill;
  c.lineWidth = 2 * BAR;
  c.stroke();
  if (corners.length > 2) {
    c.fillStyle = own.fill;
    c.fill();
  }
}

function stroke(c: CanvasRenderingContext2D, own: Colours, chosen: boolean, theme: Theme): void {
  c.strokeStyle = chosen ? theme.select : own.line;
  c.lineWidth = chosen ? 2.5 : 1.5;
  c.stroke();
}

function disc(c: CanvasRenderingContext2D, [x, y]: Point, radius: number): void {
  c.beginPath();
  c.arc(x, y, radius, 0, 2 * Math.PI);
}

function paintJoints(c: CanvasRenderingContext2D, picture: Picture, page: Page): void {
  const { document, poses, theme } = picture;
  const held = new Set<string>();
  const slidesFirst = joints(document).sort(([, a], [, b]) => Number(hasLine(b)) - Number(hasLine(a)));
  for (const [name, joint] of slidesFirst) {
    const at = whereJoint(document, poses, joint);
    if (!at) continue;
    joint.between.forEach((ref) => held.add(ref));
    const grounded = joint.between.some((ref) => document.parts?.[split(ref)[0]]?.fixed);
    const turn = endFrame(document, poses, joint, 0)[2];
    const chosen = picture.selected.has(`joint:${name}`);
    if (joint.type === "prismatic") slide(c, page(at), turn, grounded, chosen, theme);
    else if (joint.type === "in_line") slot(c, page(at), turn, grounded, chosen, theme);
    else {
      if (grounded) support(c, page(at), theme);
      pin(c, page(at), joint.type === "revolute", chosen, theme);
    }
    if (joint.between.length === 2 && joint.type === "revolute") gap(c, picture, page, joint.between);
  }
  for (const [name, part] of parts(document)) {
    for (const [marker, [x, y]] of markers(part)) {
      const ref = `${name}.${marker}`;
      if (held.has(ref)) continue;
      disc(c, page(toWorld(poses[name] ?? AT_HOME, [x, y])), 3.5);
      c.fillStyle = picture.selected.has(ref) ? theme.select : theme.paper;
      c.fill();
      c.strokeStyle = picture.selected.has(ref) ? theme.select : theme.quiet;
      c.lineWidth = 1.5;
      c.stroke();
    }
  }
}

/** A joint that does not close is never hidden: its gap is drawn. */
function gap(c: CanvasRenderingContext2D, picture: Picture, page: Page, between: string[]): void {
  const [a, b] = between.map((ref) => whereIs(picture.document, picture.poses, ref));
  if (!a || !b) return;
  const [p, q] = [page(a), page(b)];
  if (Math.hypot(p[0] - q[0], p[1] - q[1]) < 1.5) return;
  c.strokeStyle = picture.theme.drive;
  c.lineWidth = 2;
  c.setLineDash([4, 3]);
  c.beginPath();
  trace(c, [p, q]);
  c.stroke();
  c.setLineDash([]);
}

function pin(c: CanvasRenderingContext2D, at: Point, turns: boolean, chosen: boolean, theme: Theme): void {
  disc(c, at, PIN);
  c.fillStyle = turns ? theme.paper : theme.ink;
  c.fill();
  c.strokeStyle = chosen ? theme.select : theme.ink;
  c.lineWidth = chosen ? 3 : 1.8;
  c.stroke();
}

/** The ground's triangle, hatched. */
function support(c: CanvasRenderingContext2D, [x, y]: Point, theme: Theme): void {
  c.beginPath();
  trace(c, [[x, y], [x - 11, y + 18], [x + 11, y + 18]]);
  c.closePath();
  c.fillStyle = theme.frame.fill;
  c.fill();
  c.strokeStyle = theme.frame.line;
  c.lineWidth = 1.5;
  c.lineJoin = "round";
  c.stroke();
  c.beginPath();
  for (let k = -2; k <= 2; k++) {
    c.moveTo(x + 6 * k + 4, y + 18);
    c.lineTo(x + 6 * k - 2, y + 24);
  }
  c.stroke();
}

function slide(c: CanvasRenderingContext2D, [x, y]: Point, turn: number, grounded: boolean, chosen: boolean, theme: Theme): void {
  c.save();
  c.translate(x, y);
  c.rotate(-turn);
  c.strokeStyle = grounded ? theme.frame.line : theme.quiet;
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(-46, 0);
  c.lineTo(46, 0);
  if (grounded) hatched(c);
  c.stroke();
  c.beginPath();
  c.rect(-14, -9, 28, 18);
  c.fillStyle = theme.paper;
  c.fill();
  c.strokeStyle = chosen ? theme.select : theme.ink;
  c.lineWidth = chosen ? 3 : 1.8;
  c.stroke();
  c.restore();
}

/** The ground's edge along a line. */
function hatched(c: CanvasRenderingContext2D): void {
  for (let k = -4; k <= 4; k++) {
    c.moveTo(10 * k + 4, 12);
    c.lineTo(10 * k - 3, 19);
  }
  c.moveTo(-46, 12);
  c.lineTo(46, 12);
}

/** A pin in a slot: it slides and turns. */
function slot(c: CanvasRenderingContext2D, at: Point, turn: number, grounded: boolean, chosen: boolean, theme: Theme): void {
  c.save();
  c.translate(at[0], at[1]);
  c.rotate(-turn);
  c.strokeStyle = grounded ? theme.frame.line : theme.quiet;
  c.lineWidth = 1.5;
  if (grounded) {
    c.beginPath();
    hatched(c);
    c.stroke();
  }
  c.beginPath();
  c.roundRect(-46, -8, 92, 16, 8);
  c.fillStyle = theme.paper;
  c.globalAlpha = 0.6;
  c.fill();
  c.globalAlpha = 1;
  c.stroke();
  c.restore();
  pin(c, at, true, chosen, theme);
}

function paintDrives(c: CanvasRenderingContext2D, picture: Picture, page: Page): void {
  const { document, poses, theme } = picture;
  for (const [, drive] of drives(document)) {
    const joint = drive.joint ? document.joints?.[drive.joint] : undefined;
    const at = joint && whereJoint(document, poses, joint);
    if (!at) continue;
    const [x, y] = page(at);
    c.strokeStyle = theme.drive;
    c.fillStyle = theme.drive;
    c.lineWidth = 2.2;
    c.lineCap = "round";
    if (joint!.type === "prismatic") {
      const turn = endFrame(document, poses, joint!, 0)[2];
      arrow(c, [x - 18 * Math.cos(turn), y - 26 + 18 * Math.sin(turn)], [x + 18 * Math.cos(turn), y - 26 - 18 * Math.sin(turn)]);
      continue;
    }
    c.beginPath();
    c.arc(x, y, 19, 0.75 * Math.PI, 1.85 * Math.PI);
    c.stroke();
    const end: Point = [x + 19 * Math.cos(0.75 * Math.PI), y + 19 * Math.sin(0.75 * Math.PI)];
    head(c, end, [end[0] + 1, end[1] + 1]);
  }
}

function arrow(c: CanvasRenderingContext2D, from: Point, to: Point): void {
  c.beginPath();
  trace(c, [from, to]);
  c.stroke();
  head(c, to, [2 * to[0] - from[0], 2 * to[1] - from[1]]);
}

function head(c: CanvasRenderingContext2D, [x, y]: Point, [tx, ty]: Point): void {
  const angle = Math.atan2(ty - y, tx - x);
  c.beginPath();
  trace(c, [0, 2.5, -2.5].map((turn): Point => [x + 8 * Math.cos(angle + turn), y + 8 * Math.sin(angle + turn)]));
  c.closePath();
  c.fill();
}

/** Words on the drawing, on a patch of paper. */
function label(c: CanvasRenderingContext2D, [x, y]: Point, words: string, theme: Theme): void {
  c.font = "12px system-ui, sans-serif";
  c.fillStyle = theme.paper;
  c.globalAlpha = 0.85;
  c.fillRect(x - 4, y - 13, c.measureText(words).width + 8, 18);
  c.globalAlpha = 1;
  c.fillStyle = theme.accent;
  c.fillText(words, x, y);
}

function paintGhost(c: CanvasRenderingContext2D, { ghost, cursor, theme }: Picture, page: Page): void {
  c.strokeStyle = theme.accent;
  c.fillStyle = theme.accent;
  if (ghost.points?.length) {
    c.globalAlpha = 0.35;
    c.lineWidth = 2 * BAR;
    c.lineCap = "round";
    c.lineJoin = "round";
    c.beginPath();
    trace(c, ghost.points.map(page));
    c.stroke();
    c.globalAlpha = 1;
    for (const p of ghost.points) {
      disc(c, page(p), 4);
      c.fill();
    }
  }
  if (ghost.pull) {
    c.lineWidth = 1.5;
    c.setLineDash([3, 3]);
    c.beginPath();
    trace(c, ghost.pull.map(page));
    c.stroke();
    c.setLineDash([]);
    const [p, q] = ghost.pull.map(page) as [Point, Point];
    disc(c, q, 4);
    c.stroke();
    if (ghost.words) label(c, [(p[0] + q[0]) / 2 + 8, (p[1] + q[1]) / 2 - 8], ghost.words, theme);
  }
  if (ghost.box) {
    const [p, q] = ghost.box.map(page) as [Point, Point];
    c.lineWidth = 1;
    c.globalAlpha = 0.1;
    c.fillRect(p[0], p[1], q[0] - p[0], q[1] - p[1]);
    c.globalAlpha = 1;
    c.strokeRect(p[0], p[1], q[0] - p[0], q[1] - p[1]);
  }
  if (ghost.snap) {
    const [x, y] = page(ghost.snap.at);
    c.lineWidth = 2;
    disc(c, [x, y], 11);
    c.stroke();
    label(c, [x + 17, y - 13], ghost.snap.words, theme);
  }
  if (cursor) {
    const [x, y] = page(cursor);
    c.lineWidth = 1.5;
    c.beginPath();
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
      c.moveTo(x + 5 * dx, y + 5 * dy);
      c.lineTo(x + 16 * dx, y + 16 * dy);
    }
    c.stroke();
  }
}
