// What the page knows, as signals: the document with its history, where parts are, what the server said,
// what is selected. Everything else is computed from these.

import { batch, computed, effect, signal } from "@preact/signals";
import { Changes, type Change } from "./core/changes";
import { begin, record, redo, replaced, undo, type History, type KeptAs } from "./core/history";
import { empty } from "./core/commands";
import { drawnPoses, isPlanar } from "./core/model";
import { AT_HOME, extentOf, toWorld, type Point, type Pose3, type Poses } from "./core/place";
import type { Units } from "./core/operations";
import { verdict, type Report } from "./core/words";
import type { Mechanism } from "./document";
import { fit, isOnPage, type Camera, type Size } from "./view/camera";
import { spots } from "./view/hit";
import type { Outlines } from "./view/outlines";
import type { Ghost } from "./view/paint";

export interface Draft {
  draft: string;
  path: string | null;
  title: string;
  modified: number;
}

export interface Hello {
  version: string;
  workspace: string;
  file: string | null;
  drafts: Draft[];
  /** the largest file that can be read [bytes] */
  limits: { file: number };
  /** verbs of the command line */
  verbs: string[];
  imports: string[];
  exports: string[];
}

export const connected = signal(false);
/** A server is there, but it was started again and does not know this page. */
export const shutOut = signal(false);
/** A question waits for its answer, longer than a hand does not notice. */
export const thinking = signal(false);
export const hello = signal<Hello | null>(null);

export const history = signal<History>(begin(empty()));
export const preview = signal<Mechanism | null>(null);
/** Where parts are while a hand or a drive moves them. */
export const live = signal<Poses | null>(null);
export const report = signal<Report | null>(null);
export const outlines = signal<Outlines>({});
/** Poses of documents that the page itself cannot place (in space, library parts). */
export const placed = signal<Poses>({});
/** A machine in space that is seen along another axis than z: places in its document are not those of the view. */
export const turned = signal(false);
export const curves = signal<Point[][]>([]);

/** Changes that wait for the server. */
export const waiting = signal<readonly Change[]>([]);
/** How many that waited were undone, and can be done again. */
export const withdrawn = signal(0);
/** The document as it will be when they are done. */
export const shown = computed<Mechanism>(() => waiting.value.reduce((document, change) => change.shown(document), history.value.present));
export const model = computed<Mechanism>(() => preview.value ?? shown.value);
export const poses = computed<Poses>(() => {
  if (live.value) return live.value;
  return isPlanar(model.value) ? drawnPoses(model.value) : { ...drawnPoses(model.value), ...placed.value };
});
/** The same a few times a second: what panels show, so that a drag's frames are the canvas's alone. */
export const calmPoses = signal<Poses>({});
const CALM_MS = 150;
let calming = 0;
effect(() => {
  const now = poses.value;
  if (!live.value) {
    clearTimeout(calming);
    calming = 0;
    calmPoses.value = now;
  } else calming ||= window.setTimeout(() => ((calming = 0), (calmPoses.value = poses.peek())), CALM_MS);
});

export const said = computed(() => verdict(history.value.present, report.value));

export const selected = signal<ReadonlySet<string>>(new Set());
export const hovered = signal<string | null>(null);
export const ghost = signal<Ghost>({});
export const cursor = signal<Point | null>(null);
export const status = signal("");
export const camera = signal<Camera>({ x: 60, y: 40, scale: 4 });
export const size = signal<Size>({ width: 800, height: 600 });
export const grid = signal(true);
export const snapping = signal(true);

const freshDraft = (): string => `draft-${Math.random().toString(36).slice(2, 10)}`;
/** Where the document is kept. */
export const file = signal<KeptAs>({ path: null, modified: null, saved: history.value.present, begun: history.value.present, example: null, draft: freshDraft() });
export const unsaved = computed(() => history.value.present !== file.value.saved);
/** A person's own work that no file holds: it must never be lost. */
export const precious = computed(() => unsaved.value && !isBlank(history.value.present) && history.value.present !== file.value.begun);
export const isBlank = (document: Mechanism): boolean => !Object.keys(document.parts ?? {}).length;

/** Why the work is not kept on the disk as it is drawn; empty where it is. */
export const unkept = signal("");

export const dialog = signal<"gallery" | "open" | "export" | "help" | "save" | "units" | "import" | null>(null);
/** A file that does not say its unit of length. */
export const unitless = signal<File | null>(null);
/** The unit that was chosen, until it is said what of the drawing stays. */
export const wantedUnits = signal<Units>("mm");
export const sheet = signal<"machine" | "run" | "outlook" | "selected" | "plan" | "plots">("machine");
export const guide = signal<boolean>(false);

/** What is said of a change that the server refused. */
export const refusal = { words: (error: unknown): string => String(error) };

export const changes = new Changes({
  present: () => history.value.present,
  keep: (change, document) => {
    live.value = null;
    preview.value = null;
    history.value = record(history.value, change.label, document, change.merge);
    status.value = change.said ?? `${change.label}.`;
    forgetGone();
  },
  refused: (_, error) => {
    status.value = `Not done: ${refusal.words(error)}`;
    forgetGone();
  },
  waiting: (line, taken) => {
    waiting.value = line;
    withdrawn.value = taken;
  },
  together: batch,
});

/** A change of the document; what waits for the server is shown as it will look. */
export function change(next: Change): void {
  batch(() => {
    live.value = null;
    preview.value = null;
    changes.add(next);
    forgetGone();
    if (waiting.value.length) history.value = { ...history.value, future: [] };
    if (waiting.value.length && !connected.value) status.value = `${next.label}: it is done when the server is back.`;
  });
}

/** A change that is a setter's alone. */
export function act(label: string, setter: (document: Mechanism) => Mechanism, merge = false): void {
  change({ label, shown: setter, merge });
}

export function stepBack(): void {
  const taken = changes.undo();
  const last = history.value.past[history.value.past.length - 1];
  live.value = null;
  if (taken === null) {
    const [now, then] = [file.value, last?.file];
    batch(() => {
      history.value = undo(history.value, now);
      if (then) comesBack(then);
    });
  }
  const label = taken ?? last?.label;
  status.value = label ? `Undone: ${label}.` : "There is nothing to undo.";
  forgetGone();
}

export function stepForward(): void {
  const next = history.value.future[0];
  live.value = null;
  const now = file.value;
  batch(() => {
    history.value = redo(history.value, now);
    if (next?.file) comesBack(next.file);
  });
  const label = next ? next.label : changes.redo(); // what is done comes before what still waited
  status.value = label ? `Done again: ${label}.` : "There is nothing to do again.";
  forgetGone();
}

/** What is done with the document that another one takes the place of; the server's side sets it. */
export const leaving = { left: (_document: Mechanism, _file: KeptAs, _precious: boolean): void => undefined };

/** Begin with a document. One that is not saved goes on being kept under its own name, and undo comes back to it. */
export function begins(document: Mechanism, label: string, from: Partial<KeptAs> = {}): void {
  const [before, old, own] = [history.value, file.value, precious.value];
  if (unsaved.value && !isBlank(before.present)) leaving.left(before.present, old, own);
  changes.clear();
  batch(() => {
    clearView();
    // After examples that were only looked at, undo still comes back to the drawing before them.
    history.value = own || before.past.length ? replaced(before, label, document, old) : begin(document);
    const saved = from.path || isBlank(document) ? document : null;
    file.value = { path: null, modified: null, saved, begun: document, example: null, draft: freshDraft(), ...from };
  });
  guide.value &&= isBlank(document); // over a machine it would cover part of the drawing
  frameAll();
}

function clearView(): void {
  live.value = null;
  preview.value = null;
  selected.value = new Set();
  report.value = null;
  curves.value = [];
  outlines.value = {};
  placed.value = {};
  turned.value = false;
}

/** Undo and redo between documents: where that one is kept, and all of it in view. */
function comesBack(then: KeptAs): void {
  clearView();
  file.value = then;
  frameAll();
}

/** A machine in space as it is seen along its joints' axis: parts by the markers of their outlines; symbols are for the plane. */
export function asSeen(document: Mechanism): Mechanism {
  const seen = Object.entries(document.parts ?? {}).map(([name, part]) => {
    const markers = Object.entries(outlines.value[name]?.markers ?? {}).map(([key, [x, y]]) => [key, [x, y]]);
    return [name, { ...part, markers: Object.fromEntries(markers) }];
  });
  return { ...document, parts: Object.fromEntries(seen), joints: {}, drives: {} };
}

export function frameAll(): void {
  camera.value = framed = fit(pointsAt(poses.value), size.value) ?? { x: 60, y: 40, scale: 4 };
}

/** The view that was chosen here, as long as nobody has chosen another. */
let framed: Camera | null = null;
/** Places of a motion that are looked at to see how far it reaches. */
const REACHED = 72;

/** The same view in a window of another size. */
export function keepView(moved: Camera): void {
  framed = camera.value === framed ? moved : framed;
  camera.value = moved;
}

/** Before it plays: all that the motion comes to is in view; a view that somebody has chosen stays. */
export function frameReach(tracks: Record<string, Pose3[]>): void {
  if (camera.value !== framed) return;
  const count = Math.max(0, ...Object.values(tracks).map((track) => track.length));
  const all = pointsAt(poses.value);
  for (let k = 0; k < Math.min(count, REACHED + 1); k++) {
    const at = count > REACHED ? Math.round((k * (count - 1)) / REACHED) : k;
    for (const point of pointsAt(Object.fromEntries(Object.entries(tracks).map(([name, track]) => [name, track[at]!])))) all.push(point);
  }
  if (all.some((point) => !isOnPage(camera.value, size.value, point))) camera.value = framed = fit(all, size.value) ?? camera.value;
}

/** Points and outlines of all parts. */
function pointsAt(poses: Poses): Point[] {
  const document = history.value.present;
  const all = spots(turned.value ? asSeen(document) : document, poses).map((spot) => spot.at);
  for (const [name, { layers }] of Object.entries(outlines.value)) {
    const pose = poses[name] ?? AT_HOME;
    for (const { rings, lines } of layers) for (const run of [...rings, ...lines]) for (const p of run) all.push(toWorld(pose, p));
  }
  return all;
}

/** The machine's extent: the diagonal of its points. */
export function extent(): number {
  return extentOf(spots(model.value, poses.value).map((spot) => spot.at)) || 1;
}

function forgetGone(): void {
  const { parts = {}, joints = {}, drives = {} } = shown.value;
  const there = (name: string): boolean => {
    const [kind, rest] = name.includes(":") ? (name.split(":") as [string, string]) : ["part", name];
    if (kind === "joint") return Object.hasOwn(joints, rest);
    if (kind === "drive") return Object.hasOwn(drives, rest);
    const [part, marker] = rest.split(".") as [string, string?];
    return Object.hasOwn(parts, part) && (!marker || Object.hasOwn(parts[part]!.markers ?? {}, marker));
  };
  const kept = [...selected.value].filter(there);
  if (kept.length !== selected.value.size) selected.value = new Set(kept);
}
