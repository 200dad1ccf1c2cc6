// Every action by its key: one table for the keyboard, the toolbar and the help page.

import { computed } from "@preact/signals";
import { bench, take, tool, TOOLS, type ToolName } from "./bench";
import { shift } from "./core/commands";
import { jointsOf } from "./core/model";
import type { Mechanism } from "./document";
import * as files from "./files";
import * as play from "./play";
import { actClosed, attempt } from "./server";
import { deleteAll } from "./tools/edits";
import * as run from "./run";
import * as state from "./state";
import { gridStep, zoom } from "./view/camera";

export interface Action {
  name: string;
  words: string;
  keys: string[];
  run(): void;
  group: "Tools" | "Edit" | "File" | "View" | "Play";
}

/** What was copied: parts of a document as it was; until that is done, of the one it is pasted into. */
let clip: { from?: Mechanism; parts: string[] } | null = null;

const chosenParts = (): string[] =>
  [...state.selected.value].filter((name) => Object.hasOwn(state.shown.value.parts ?? {}, name));

function deleteChosen(): void {
  const names = [...state.selected.value];
  if (!names.length) {
    state.status.value = "Nothing is selected. Click a link, a point or a joint first.";
    return;
  }
  deleteAll(bench, names);
}

function copyChosen(): void {
  const copied: typeof clip = { parts: chosenParts() };
  if (!copied.parts.length) return;
  clip = copied;
  state.status.value = "Copied.";
  void state.changes.idle().then((done) => done && (copied.from = state.history.value.present));
}

function pasteClip(): void {
  if (!clip) return;
  const step = gridStep(state.camera.value.scale);
  const select = (before: Mechanism, after: Mechanism): void =>
    void (state.selected.value = new Set(Object.keys(after.parts ?? {}).filter((name) => !Object.hasOwn(before.parts ?? {}, name))));
  bench.operate("Paste", [{ do: "paste", ...clip, by: [step, -step] }], (document) => document, { after: select });
}

function nudge(dx: number, dy: number): () => void {
  return () => {
    const names = chosenParts().filter((name) => !state.shown.value.parts![name]!.fixed);
    const step = gridStep(state.camera.value.scale) / 10;
    if (!names.length) return;
    const move = (document: Mechanism): Mechanism => shift(document, names, [dx * step, dy * step]);
    if (names.some((name) => jointsOf(state.shown.value, name).length)) actClosed("Nudge", move);
    else state.act("Nudge", move, true);
  };
}

function zoomBy(factor: number): () => void {
  return () => {
    const { width, height } = state.size.value;
    state.camera.value = zoom(state.camera.value, state.size.value, [width / 2, height / 2], factor);
  };
}

/** Through parts and joints, one after another. */
function selectNext(back: boolean): void {
  const { parts = {}, joints = {} } = state.shown.value;
  const all = [...Object.keys(parts), ...Object.keys(joints).map((name) => `joint:${name}`)];
  if (!all.length) return;
  const at = all.indexOf([...state.selected.value][0] ?? "");
  const next = all[(at + (back ? -1 : 1) + all.length) % all.length]!;
  bench.select([next]);
  state.status.value = `Selected ${next.replace("joint:", "joint ")}.`;
}

const pick = (name: ToolName, words: string, key: string): Action => ({ name, words, keys: [key], run: () => take(name), group: "Tools" });

export const ACTIONS: Action[] = [
  pick("select", "Move", "v"),
  pick("link", "Link", "l"),
  pick("ground", "Ground", "g"),
  pick("joint", "Pin / slide", "j"),
  pick("drive", "Drive", "d"),
  pick("edit", "Edit points", "e"),
  pick("trace", "Trace", "t"),
  pick("pan", "Pan", "h"),
  { name: "play", words: "Play", keys: [" "], run: () => (run.isPlayed.value ? run.toggle() : play.toggle()), group: "Play" },
  { name: "rest", words: "Back to start", keys: ["r"], run: play.stop, group: "Play" },
  { name: "ahead", words: "One step on", keys: ["."], run: () => play.show(play.position.value + 1), group: "Play" },
  { name: "back", words: "One step back", keys: [","], run: () => play.show(play.position.value - 1), group: "Play" },
  { name: "undo", words: "Undo", keys: ["ctrl+z"], run: state.stepBack, group: "Edit" },
  { name: "redo", words: "Redo", keys: ["ctrl+shift+z", "ctrl+y"], run: state.stepForward, group: "Edit" },
  { name: "delete", words: "Delete", keys: ["delete", "backspace"], run: deleteChosen, group: "Edit" },
  { name: "all", words: "Select all", keys: ["ctrl+a"], run: () => bench.select(Object.entries(state.history.value.present.parts ?? {}).filter(([, p]) => !p.fixed).map(([n]) => n)), group: "Edit" },
  { name: "copy", words: "Copy", keys: ["ctrl+c"], run: copyChosen, group: "Edit" },
  { name: "paste", words: "Paste", keys: ["ctrl+v"], run: pasteClip, group: "Edit" },
  { name: "next", words: "Select next", keys: ["n"], run: () => selectNext(false), group: "Edit" },
  { name: "previous", words: "Select previous", keys: ["p"], run: () => selectNext(true), group: "Edit" },
  { name: "nudge-left", words: "Nudge left", keys: ["alt+arrowleft"], run: nudge(-1, 0), group: "Edit" },
  { name: "nudge-right", words: "Nudge right", keys: ["alt+arrowright"], run: nudge(1, 0), group: "Edit" },
  { name: "nudge-up", words: "Nudge up", keys: ["alt+arrowup"], run: nudge(0, 1), group: "Edit" },
  { name: "nudge-down", words: "Nudge down", keys: ["alt+arrowdown"], run: nudge(0, -1), group: "Edit" },
  { name: "new", words: "New", keys: ["ctrl+alt+n"], run: () => attempt(files.create()), group: "File" },
  { name: "open", words: "Open", keys: ["ctrl+o"], run: () => (state.dialog.value = "open"), group: "File" },
  { name: "save", words: "Save", keys: ["ctrl+s"], run: () => attempt(files.save()), group: "File" },
  { name: "save-as", words: "Save as", keys: ["ctrl+shift+s"], run: () => (state.dialog.value = "save"), group: "File" },
  { name: "gallery", words: "Examples", keys: ["ctrl+shift+o"], run: () => (state.dialog.value = "gallery"), group: "File" },
  { name: "export", words: "Export", keys: ["ctrl+e"], run: () => (state.dialog.value = "export"), group: "File" },
  { name: "share", words: "Share", keys: ["ctrl+shift+l"], run: () => attempt(files.share()), group: "File" },
  { name: "fit", words: "Show all", keys: ["f"], run: state.frameAll, group: "View" },
  { name: "closer", words: "Zoom in", keys: ["+", "="], run: zoomBy(1.25), group: "View" },
  { name: "further", words: "Zoom out", keys: ["-"], run: zoomBy(0.8), group: "View" },
  { name: "grid", words: "Grid", keys: ["#"], run: () => (state.grid.value = !state.grid.value), group: "View" },
  { name: "snap", words: "Snap to grid", keys: ["s"], run: () => { state.snapping.value = !state.snapping.value; state.status.value = state.snapping.value ? "Points snap to the grid." : "Points go where you put them."; }, group: "View" },
  { name: "guide", words: "First build", keys: ["b"], run: () => (state.guide.value = !state.guide.value), group: "View" },
  { name: "help", words: "Keys", keys: ["?"], run: () => (state.dialog.value = "help"), group: "View" },
];

export const action = (name: string): Action => ACTIONS.find((each) => each.name === name)!;

/** How a key is written on the page. */
export function shown(key: string): string {
  const signs: Record<string, string> = { " ": "Space", arrowleft: "←", arrowright: "→", arrowup: "↑", arrowdown: "↓" };
  return key.split(/\+(?!$)/).map((part) => signs[part] ?? (part.length === 1 ? part.toUpperCase() : part[0]!.toUpperCase() + part.slice(1))).join(" ");
}

/** The action of a key. */
export function actionOf(event: KeyboardEvent): Action | null {
  const key = event.key.toLowerCase();
  const held = `${event.ctrlKey || event.metaKey ? "ctrl+" : ""}${event.altKey ? "alt+" : ""}`;
  return ACTIONS.find(({ keys }) => keys.includes(`${held}${event.shiftKey && held ? "shift+" : ""}${key}`) || (!held && keys.includes(key))) ?? null;
}

export const hint = computed(() => TOOLS[tool.value].hint);
