// A machine over time: the server runs it, says what it is at meanwhile, and can be told to stop; the page plays
// what came out. A jam is a result; what is wrong with the document is shown with its place and its remedy.

import { computed, signal } from "@preact/signals";
import { nearestIn } from "./core/axis";
import { num } from "./core/model";
import type { Pose3 } from "./core/place";
import { runsOverTime } from "./core/words";
import type { Mechanism } from "./document";
import { Work } from "./job";
import * as play from "./play";
import * as state from "./state";

export type Table = Record<string, number[]>;
export type Told = [label: string, value: string][];
export type Tabled = { label: string; said: string; head: string[]; rows: string[][] };

interface Stop {
  time: number;
  cause: string;
  detail?: string;
}

export interface RunEvent {
  time: number;
  kind: string;
  subjects?: string[];
  joint?: string;
  before?: string[];
  after?: string[];
  impulse?: number;
}

export interface Ran {
  /** of the frames [s], and of the numbers */
  times: number[];
  rows: number[];
  poses: Record<string, Pose3[]>;
  states: Table;
  velocities: Table;
  /** by joint: rad, or the document's unit */
  state_units: Record<string, string>;
  energy: Table;
  /** of both models: the penalty run's */
  other: { states: Table; velocities: Table; energy: Table; stop: Stop } | null;
  events: RunEvent[];
  stop: Stop;
  steps: number;
  method: string;
  units: { time: string; energy: string };
  words: Told;
  tables: Tabled[];
}

export const METHODS = ["rigid", "penalty", "both"] as const;
export type Method = (typeof METHODS)[number];
export type Asked = { until: number; method: Method };

/** A time for documents that say none [s]. */
const UNTIL = 10;
/** A run is played as fast as it goes, unless that is over before it is seen, or lasts too long: then in so many seconds. */
const SEEN = [2, 60] as const;
const PLAYED = 12;

/** Both models at once: a choice of the page, for which the document has no word. */
const both = signal(false);
const work = new Work<Ran>("run");
export const { job, trouble } = work;
export const cancel = (): void => work.cancel();
const last = signal<{ of: Mechanism; asked: Asked; made: Ran; film: play.Film } | null>(null);

const present = computed(() => state.history.value.present);
/** What a run is asked for. */
export const asked = computed<Asked>(() => {
  const { until, method } = present.value.ask?.run ?? {};
  return { until: num(until, UNTIL), method: both.value ? "both" : method === "penalty" ? "penalty" : "rigid" };
});
/** The run of the document as it is, and as it is asked for now. */
export const current = computed(() => {
  const ran = last.value;
  const same = ran && ran.of === present.value && ran.asked.method === asked.value.method && ran.asked.until === asked.value.until;
  return same ? ran : null;
});

/** Whether Play means the run. */
export const isPlayed = computed(() => runsOverTime(present.value) || (current.value !== null && play.film.value === current.value.film && state.live.value !== null));

export function ask(change: Partial<Asked>): void {
  const { until, method } = change;
  both.value = method === undefined ? both.value : method === "both";
  const run = { ...(until === undefined ? {} : { until }), ...(method === undefined || method === "both" ? {} : { method }) };
  if (!Object.keys(run).length) return;
  const label = until === undefined ? `Run by the ${method} model` : `Run for ${until}`;
  state.act(label, (document) => ({ ...document, ask: { ...document.ask, run: { ...document.ask?.run, ...run } } }));
}

/** Run it, then play what came out. */
export async function start(): Promise<void> {
  if (job.value || !(await state.changes.idle())) return;
  const [document, wanted] = [present.value, asked.value];
  state.sheet.value = "run";
  play.stop();
  state.status.value = "Running it …";
  const made = await work.ask(document, wanted);
  if (made === null) state.status.value = "The run was stopped.";
  else if (typeof made === "string") state.status.value = `It does not run: ${made}`;
  else took(document, wanted, made);
}

function took(document: Mechanism, wanted: Asked, made: Ran): void {
  const film = filmOf(document, made);
  last.value = { of: document, asked: wanted, made, film };
  play.load(film);
  const slower = film.at[film.at.length - 1]! / (made.times[made.times.length - 1] || 1);
  const pace = slower > 1 ? `${factor(slower)} times slower than it goes.` : slower < 1 ? `${factor(1 / slower)} times faster than it goes.` : "";
  state.status.value = `${ended(made)}.${pace && ` It is played ${pace}`}`;
  play.play();
}

const factor = (value: number): string => String(Number(value.toPrecision(2)));

function filmOf(of: Mechanism, made: Ran): play.Film {
  const end = made.times[made.times.length - 1] ?? 0;
  const stretch = end >= SEEN[0] && end <= SEEN[1] ? 1 : PLAYED / (end || 1);
  const digits = Math.max(0, 4 - Math.floor(Math.log10(end || 1)));
  const unit = made.units.time && ` ${made.units.time}`;
  return { of, poses: made.poses, at: made.times.map((time) => time * stretch), end: "stop", reads: (k) => `${(made.times[k] ?? 0).toFixed(Math.min(digits, 9))}${unit}` };
}

/** How it ended, in a few words. */
export function ended({ stop, units }: Ran): string {
  const when = `${Number(stop.time.toPrecision(4))}${units.time && ` ${units.time}`}`;
  if (stop.cause === "done") return `It ran for ${when}`;
  if (stop.cause === "jam") return `It jams at ${when}`;
  if (stop.cause === "blocked") return `It is blocked at ${when}`;
  return stop.cause === "interrupted" ? `The run was given up at ${when}` : `It stops at ${when} (${stop.cause})`;
}

/** The machine at a time of its run. */
export function showAt(time: number): void {
  const ran = current.value;
  if (!ran) return;
  play.pause();
  play.load(ran.film);
  play.show(nearestIn(ran.made.times, time));
}

/** The time that is shown; null where the machine is as drawn. */
export const now = computed(() => (current.value && play.film.value === current.value.film ? current.value.made.times[play.position.value]! : null));

/** Play or pause the run; one that was not made yet is made first. */
export function toggle(): void {
  if (play.playing.value) return play.pause();
  if (!current.value) return void start();
  play.load(current.value.film);
  play.play();
}
