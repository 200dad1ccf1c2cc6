// Playing: frames of poses, one after another. A drive is swept once by the server, a run over time comes from
// `run.ts`. Nothing is interpolated, so that no frame shows a link of the wrong length. Where motion should be
// reduced, few still frames are shown.

import { computed, signal } from "@preact/signals";
import { type Driven, inputWords, nearestIn } from "./core/axis";
import { drives } from "./core/model";
import { distance, type Pose3, type Poses } from "./core/place";
import { whyStill } from "./core/words";
import type { Drive, Mechanism } from "./document";
import { ask, attempt } from "./server";
import * as state from "./state";

/** What is played. */
export interface Film {
  of: Mechanism;
  poses: Record<string, Pose3[]>;
  /** when each frame is shown at speed 1 [s], rising from 0 */
  at: readonly number[];
  /** at its end: from the beginning again, back, or it stops */
  end: "round" | "back" | "stop";
  /** where the machine is in a frame, in words */
  reads(frame: number): string;
}

interface Sweep extends Driven {
  poses: Record<string, Pose3[]>;
  limit_points: { input: number; kind: string; parts: string[]; detail: string }[];
  stop: string;
  stopped_at: number | number[] | null;
  notes: string[];
}

export const playing = signal(false);
export const frame = signal(0);
export const speed = signal(1);
const loaded = signal<Film | null>(null);
/** The film of the document as it is. */
export const film = computed(() => (loaded.value?.of === state.history.value.present ? loaded.value : null));
const swept = new WeakMap<Film, Sweep>();
const shown = signal<Poses | null>(null);
export const frames = computed(() => film.value?.at.length ?? 0);
/** Where the slider stands: on the frame that is seen, else at the beginning, as the drawing does. */
export const position = computed(() => (frames.value && shown.value && state.live.value === shown.value ? frame.value : 0));
export const reading = computed(() => (frames.value ? film.value!.reads(position.value) : ""));

/** Frames of a full drive: one per degree of a full turn; six seconds at speed 1. */
const FRAMES = 360;
const SECONDS = 6;
/** With reduced motion: a still frame at a time, this far apart. */
const STILLS = 12;
const STILL_SECONDS = 0.8;
/** Of the machine's extent, and of a radian: nearer than this two poses are one. */
const ROUND = 1e-6;

export const lessMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

async function fetchSweep(): Promise<Sweep | null> {
  const document = state.history.value.present;
  const known = film.value && swept.get(film.value);
  if (known) return known;
  const all = drives(document);
  const fine = all.length === 1 && all[0]![1].joint && !all[0]![1].inputs && !all[0]![1].inputs_deg;
  const made = await ask<Sweep>("play", { document, ...(fine ? { drive: finer(all[0]![1]) } : {}) }, "play");
  if (!made || document !== state.history.value.present) return null;
  const at = made.inputs.map((_, k) => (k * SECONDS) / FRAMES);
  const end = made.stop === "done" && comesRound(made) ? "round" : "back";
  const reads = (k: number): string => wordsAt(made, k);
  swept.set(load({ of: document, poses: made.poses, at, end, reads }), made);
  return made;
}

function wordsAt(made: Sweep, k: number): string {
  const input = made.inputs[k];
  return input === undefined ? "" : inputWords(made, typeof input === "number" ? input : input[0]!);
}

function finer(drive: Drive): Drive {
  return { ...drive, steps: Math.max(FRAMES, drive.steps ?? 0) };
}

/** Take a film into the player, at its beginning. */
export function load(made: Film): Film {
  if (loaded.value !== made) frame.value = 0;
  return (loaded.value = made);
}

export function show(k: number): void {
  if (!frames.value) return;
  frame.value = Math.max(0, Math.min(frames.value - 1, k));
  shown.value = Object.fromEntries(Object.entries(film.value!.poses).map(([name, track]) => [name, track[frame.value]!])) as Poses;
  state.live.value = shown.value;
}

export function pause(): void {
  playing.value = false;
}

/** Play or pause the drives. */
export function toggle(): void {
  if (playing.value) return pause();
  if (state.waiting.value.length) return void state.changes.idle().then(toggle);
  const why = whyStill(state.history.value.present, state.said.value);
  if (why) {
    state.status.value = why;
    return;
  }
  attempt(start());
}

export function stop(): void {
  playing.value = false;
  frame.value = 0;
  state.live.value = null;
}

async function start(): Promise<void> {
  const made = await fetchSweep();
  if (!made) return;
  if (!made.inputs.length) {
    state.status.value = "The drive cannot start from here: the linkage does not close at its first position.";
    return;
  }
  if (made.inputs.length === 1) {
    show(0);
    state.status.value = made.stop === "done" ? "The drive has one position, which is shown: there is nothing to play." : `${limitWords(made)}.`;
    return;
  }
  state.status.value = made.stop === "done" ? "" : `${limitWords(made)}. It plays back and forth as far as it goes.`;
  play();
}

/** Play what is loaded, from where it stands. */
export function play(): void {
  const made = film.value;
  if (!made || made.at.length < 2) return;
  state.frameReach(made.poses);
  playing.value = true;
  const last = made.at[made.at.length - 1]!;
  let at = made.at[position.value]!;
  let way = 1;
  if (at >= last) [at, way] = made.end === "stop" ? [0, 1] : [at, -1];
  let before = performance.now();
  const turn = (now: number): void => {
    if (!playing.value || made !== film.value) {
      playing.value = false;
      return;
    }
    const seconds = Math.min(0.1, (now - before) / 1000);
    if (lessMotion()) {
      if ((now - before) / 1000 < STILL_SECONDS) return void requestAnimationFrame(turn);
      at += (way * last) / STILLS;
    } else at += way * seconds * speed.value;
    before = now;
    if (at >= last) [at, way] = made.end === "round" ? [at - last, 1] : [last, made.end === "back" ? -1 : 1];
    if (at < 0) [at, way] = [0, 1];
    show(nearestIn(made.at, at));
    if (at >= last && made.end === "stop") return pause();
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
}

/** Whether every part ends as it began, rotations apart, so that Play goes on from the beginning. */
function comesRound({ poses }: Sweep): boolean {
  return Object.values(poses).every((track) => {
    const [[x, y, turn], [lastX, lastY, lastTurn]] = [track[0]!, track[track.length - 1]!];
    return distance([x, y], [lastX, lastY]) <= ROUND * state.extent() && Math.abs(Math.sin((lastTurn - turn) / 2)) <= ROUND;
  });
}

/** Where it stops, and why, in a sentence. */
function limitWords(made: Sweep): string {
  const point = made.limit_points.find((p) => p.kind === "limit");
  const where = point ? ` at ${inputWords(made, point.input)}` : "";
  const why = point?.detail ? `: ${point.detail}` : "";
  const who = point?.parts.length ? ` (${point.parts.join(", ")})` : "";
  return `The drive cannot go all the way: it stops${where}${who}${why}`;
}
