// The page's side of the conversation: every change is put to the server, its answer shown; a grab's plan
// is fetched and executed here; what has no plan is pulled there.

import { effect, signal } from "@preact/signals";
import type { Change } from "./core/changes";
import { isTiedToWorld, setPoses } from "./core/commands";
import { drawnPoses, isPlanar, jointsOf } from "./core/model";
import type { Operation } from "./core/operations";
import { distance, toWorld, type Point, type Pose3, type Poses } from "./core/place";
import { hasCourse, lengthWords, type Problem, type Report } from "./core/words";
import type { Mechanism } from "./document";
import { Pull, type GrabAnswer } from "./plan/pull";
import * as state from "./state";
import type { Hand } from "./tools/tool";
import { REACH } from "./view/camera";
import type { Outlines } from "./view/outlines";
import { Refused, SUPERSEDED, Wire } from "./wire";

export const wire = new Wire(
  (now, shutOut) => {
    state.connected.value = now;
    state.shutOut.value = shutOut;
  },
  (slow) => (state.thinking.value = slow),
);

export async function ask<T>(what: string, fields: Record<string, unknown> = {}, channel?: string): Promise<T | null> {
  const answer = await wire.ask(what, fields, channel);
  return answer === SUPERSEDED ? null : (answer as T);
}

/** The first problem as a sentence. */
export function words(error: unknown): string {
  if (!(error instanceof Refused)) return error instanceof Error ? error.message : String(error);
  const [first] = error.problems;
  if (!first) return "The server refused, without saying why.";
  const problem = first.at ? `${first.at}: ${first.problem}` : capital(first.problem);
  return [problem, capital(first.remedy)].filter(Boolean).map(ended).join(" ");
}

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
const ended = (words: string): string => (/[.?!]$/.test(words) ? words : `${words}.`);

/** Ask for an action of the person; what goes wrong is said in the status line. */
export function attempt(doing: Promise<unknown>): void {
  doing.catch((error) => (state.status.value = words(error)));
}

type Edited = Report & { poses?: Poses; parts?: Outlines; turned?: boolean; modified?: number; unkept?: Problem };

/** Autosave and look again shortly after the last change, so that a burst of edits is one question. */
const SETTLE_MS = 60;
/** What was on this page when it was last left, by reload or by address; read once. */
export interface Left {
  draft: string;
  path: string | null;
  modified: number | null;
  hash: string;
  unsaved: boolean;
}
const LEFT = "detent-left";
export function takeLeft(): Left | null {
  const kept = sessionStorage.getItem(LEFT);
  // A tab that is duplicated must not find it: two pages would keep their work in one draft.
  sessionStorage.removeItem(LEFT);
  return kept ? (JSON.parse(kept) as Left) : null;
}
window.addEventListener("pagehide", () => {
  if (state.isBlank(state.history.value.present)) return;
  const { draft, path, modified } = state.file.value;
  const left: Left = { draft, path, modified, hash: location.hash, unsaved: state.unsaved.value };
  sessionStorage.setItem(LEFT, JSON.stringify(left));
});

export function watch(): void {
  let timer = 0;
  effect(() => {
    const document = state.history.value.present;
    clearTimeout(timer);
    timer = window.setTimeout(() => attempt(look(document)), SETTLE_MS);
  });
}

/** A drawing that another takes the place of is kept as it was; what only came from elsewhere is there still. */
state.leaving.left = (document, { draft, path }, precious) => {
  attempt(precious ? ask("draft", { draft, ...(path ? { path } : {}), document }) : ask("discard", { draft }));
};

/** Autosaves of this page, by name. */
const autosaved = new Set<string>();

/** The document that the report is about. */
export const looked = signal<Mechanism | null>(null);

async function look(document: Mechanism): Promise<void> {
  const worth = !state.isBlank(document) && state.unsaved.value;
  const { draft, path } = state.file.value;
  const kept = worth ? { draft, ...(path ? { path } : {}) } : {};
  if (worth) autosaved.add(draft);
  const made = await ask<Edited>("edit", { document, ...kept }, "edit");
  if (!made || document !== state.history.value.present) return;
  const first = state.report.value === null;
  state.outlines.value = made.parts ?? {};
  state.placed.value = made.poses ?? {};
  state.turned.value = made.turned ?? false;
  state.report.value = made;
  state.unkept.value = made.unkept ? words(new Refused([made.unkept])) : "";
  looked.value = document;
  // Back at the file as saved: what was undone must not come back with the next opening. Edits are answered in order,
  // so that every autosave before this one is written by now.
  if (!state.isBlank(document) && !worth && autosaved.delete(draft)) await ask("discard", { draft });
  // What has shapes reaches farther than the points by which it was framed at first.
  const shaped = Object.values(state.outlines.value).some(({ layers }) => layers.length);
  if (first && (shaped || !isPlanar(document))) state.frameAll();
  await Promise.all([course(document, first), trace(document)]);
}

/** Whether the drives come to their end: followed aside, and told when it is known. */
async function course(document: Mechanism, first: boolean): Promise<void> {
  const report = state.report.value;
  if (!report?.explanation || report.out_of_reach || !hasCourse(document)) return;
  const made = await wire.ask("course", { document }, "course", true).catch(() => null);
  if (!made || made === SUPERSEDED || state.report.value !== report) return;
  const { stops_short, reach } = made as { stops_short: string; reach: Record<string, Pose3[]> };
  if (first && !state.live.value) state.frameReach(reach);
  state.report.value = { ...report, stops_short };
}

/** Curves of the traced points, over the drive. */
async function trace(document: Mechanism): Promise<void> {
  const points = traces(document).flatMap((ref) => {
    const [part, marker] = ref.split(".") as [string, string];
    const given = document.parts?.[part]?.markers?.[marker];
    return given ? [{ part, point: (Array.isArray(given) ? given : given.at).map(Number).slice(0, 2) }] : [];
  });
  if (!points.length || !Object.keys(document.drives ?? {}).length) {
    state.curves.value = [];
    return;
  }
  const made = await ask<{ curves: Point[][] }>("curves", { document, points }, "curves").catch(() => ({ curves: [] }));
  if (made && document === state.history.value.present) state.curves.value = made.curves;
}

export function traces(document: Mechanism): string[] {
  const given = document.view?.["traces"];
  return Array.isArray(given) ? given.map(String) : [];
}

state.refusal.words = words;

/** Operations of the server's editor, as one step; until it has answered, the document is shown as `shown` makes it. */
export function operate(label: string, operations: Operation[], shown: (document: Mechanism) => Mechanism, more: Partial<Change> = {}): void {
  if (!operations.length) return;
  state.change({ label, shown, done: (document) => edited(document, operations), ...more });
}

async function edited(document: Mechanism, operations: Operation[]): Promise<Mechanism | null> {
  const answer = await ask<{ document: Mechanism }>("operate", { document, operations });
  return answer?.document ?? null;
}

/** A setter that puts parts elsewhere, or turns markers; what ties them to the world is loosened first. */
export function actMarked(label: string, change: (document: Mechanism) => Mechanism): void {
  if (!isTiedToWorld(state.shown.value)) return state.act(label, change);
  state.change({ label, shown: change, done: async (document) => change(await marked(document)) });
}

async function marked(document: Mechanism): Promise<Mechanism> {
  if (!isTiedToWorld(document) || !isPlanar(document)) return document;
  return (await edited(document, [{ do: "place", poses: {} }])) ?? document;
}

/**
 * A change that leaves joints open is closed by least motion before it is kept; where it cannot be, it is refused.
 * `lost` says of the closed document why what was typed does not hold in it: then it is refused, too.
 */
export function actClosed(label: string, change: (document: Mechanism) => Mechanism, lost: (document: Mechanism) => string | null = () => null): void {
  if (!Object.keys(state.shown.value.joints ?? {}).length || !isPlanar(state.shown.value)) return state.act(label, change);
  state.change({
    label,
    shown: change,
    done: async (before) => {
      const document = change(await marked(before));
      const answer = await ask<{ poses: Poses }>("operate", { document, operation: "close" });
      const closed = answer && setPoses(document, answer.poses);
      const why = closed && lost(closed);
      if (why) throw new Refused([{ at: "", problem: why, remedy: "" }]);
      return closed;
    },
  });
}

/** A part is turned to a direction; the joints follow from where they are, or it is refused with how far it can turn. */
export function actTurned(label: string, part: string, turned: (document: Mechanism) => Mechanism): void {
  if (!jointsOf(state.shown.value, part).length || !isPlanar(state.shown.value)) return state.act(label, turned);
  state.change({
    label,
    shown: (document) => document,
    done: async (before) => {
      const document = await marked(before);
      const turn = drawnPoses(turned(document))[part]![2];
      const answer = await ask<{ poses: Poses }>("operate", { document, operation: "turn", part, turn });
      return answer && setPoses(document, answer.poses);
    },
  });
}

/** Two points are pulled together by the server and joined; where they cannot be, nothing is done and it says why. */
export function actJoined(label: string, change: (document: Mechanism) => Mechanism, first: string, second: string): void {
  state.change({
    label,
    shown: change,
    done: async (document) => {
      const answer = await ask<{ done: boolean; why: string; document: Mechanism }>("operate", { document: change(await marked(document)), operation: "join", first, second });
      if (answer && !answer.done) state.status.value = `Not joined: ${ended(answer.why)}`;
      return answer?.done ? answer.document : null;
    },
  });
}

/** What is said of a pull beyond a limit, by what the document wants done there. */
const BEYOND = {
  searching: "This is as far as it goes: its links are in line, at the end of their reach, or a joint is at its limit.",
  limiting: "It cannot follow there: it stays at the last position that closed.",
  stretching: "It cannot follow there",
};

/** What to say of a pull that is stuck, or with `stretching` has a gap that is shown: its length, in words too. */
function beyond(document: Mechanism, policy: keyof typeof BEYOND, gap: number, stuck: boolean): string {
  if (policy !== "stretching") return stuck ? BEYOND[policy] : "";
  if (gap * state.camera.value.scale <= REACH) return "";
  return `${BEYOND[policy]}: ${lengthWords(document, gap)} stay open along the dashed line.`;
}

/** Hands let go of whose last answer is still on its way. */
export const lettingGo = { count: 0 };

/** A hand on the linkage. The first frames wait for the plan; after that none waits for anybody. */
export function grab(part: string, point: Point): Hand {
  let document = state.history.value.present;
  const policy = document.ask?.move?.breaking ?? "searching";
  let pull: Pull | null = null;
  let target: Point | null = null;
  let moved: Poses | null = null;
  let onServer = false;
  let fetching = false;
  let released = false;
  let short = "";
  let done: ((poses: Poses | null) => void) | null = null;

  const fetch = async (cuts: boolean): Promise<void> => {
    if (fetching || released) return;
    fetching = true;
    try {
      if (cuts) {
        await state.changes.idle(); // what was just drawn may be what is pulled
        document = state.history.value.present;
      }
      const from = moved ?? state.poses.value;
      const made = await ask<GrabAnswer>("grab", { document, poses: from, part, point, cuts });
      if (!made) return;
      if (made.kind === "held") state.status.value = ended(capital(made.why));
      else if (made.plan) {
        const own = (pull = new Pull({ ...made, plan: made.plan }, part, point));
        if (made.kind === "curve") void prove(own, { document, poses: made.poses, part, point, cuts });
      }
      else onServer = true;
    } catch (error) {
      state.status.value = words(error);
    } finally {
      fetching = false;
    }
    if (target) follow(false);
    if (released && !onServer) finish();
  };

  /** How far the driven joint goes is proved meanwhile; what is known of it holds from then on. */
  const prove = async (own: Pull, fields: Record<string, unknown>): Promise<void> => {
    const made = await wire.ask("stretch", fields, "stretch", true).catch(() => null);
    if (made && made !== SUPERSEDED) own.knows((made as { stretch: [number | null, number | null] }).stretch);
  };

  const finish = (): void => {
    const tell = done;
    done = null;
    if (!tell) return;
    lettingGo.count--;
    state.live.value = null;
    tell(document === state.history.value.present ? moved : null);
    if (short) state.status.value = short;
  };

  /**
   * At a limit of the driven coordinate another joint leads on: a fresh plan from here, once a pull. It has
   * no cuts: the dyads inside a cut have dead points of their own, which the linkage passes.
   */
  const follow = (again: boolean): void => {
    if (!target) return;
    if (pull) {
      const made = pull.to(target);
      const stuck = made.limit || !made.reached;
      short = beyond(document, policy, distance(toWorld(made.poses[part]!, point), target), stuck);
      if (!(stuck && policy === "limiting")) show(made.poses);
      if (made.limit && again) void fetch(false);
      else state.status.value = short;
    } else if (onServer) void dragThere();
  };

  const dragThere = async (): Promise<void> => {
    const fields = { document, poses: moved ?? state.poses.value, part, point, target };
    try {
      const made = await ask<{ poses: Poses; reached: boolean; going: boolean }>("drag", fields, "drag");
      if (!made) return; // a later place of the pointer is on its way
      show(made.poses);
      if (made.going && !released) return await dragThere(); // a long way takes several answers
      short = beyond(document, policy, distance(toWorld(made.poses[part]!, point), fields.target!), !made.reached);
      state.status.value = short;
    } catch (error) {
      state.status.value = words(error);
    }
    if (released) finish();
  };

  const show = (poses: Poses): void => {
    moved = poses;
    state.live.value = poses;
  };

  void fetch(true);
  return {
    to(at: Point): void {
      target = at;
      follow(true);
    },
    release(then: (poses: Poses | null) => void): void {
      released = true;
      lettingGo.count++;
      done = then;
      // Before the plan came, or with a pull still on its way, the last word is the answer's.
      if (!fetching && !onServer) finish();
      else if (!fetching && onServer) void dragThere();
    },
  };
}
