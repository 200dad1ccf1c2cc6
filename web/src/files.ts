// Files: new, open, save, import, export, share, recover. The server writes; a download is the browser's.

import { effect, signal } from "@preact/signals";
import { empty } from "./core/commands";
import { LONGEST, pack, unpack } from "./core/share";
import { isLinkage, runsOverTime } from "./core/words";
import type { Mechanism } from "./document";
import * as run from "./run";
import { ask, attempt, takeLeft, words, type Left } from "./server";
import * as state from "./state";
import type { Problem } from "./wire";
import { Refused } from "./wire";

interface Opened {
  path: string;
  document: Mechanism;
  modified: number;
  draft?: { draft: string; document: Mechanism; modified: number };
}

export async function atStart(): Promise<void> {
  const made = await ask<state.Hello>("hello");
  state.hello.value = made;
  const left = takeLeft();
  const shared = fragmentOf(location.hash);
  if (left && left.hash === location.hash && (await comeBack(left, made?.drafts ?? []))) return;
  if (shared) await openShared(shared);
  else if (made?.file?.startsWith(EXAMPLE)) await openExample(made.file.slice(EXAMPLE.length));
  else if (made?.file) await open(made.file);
  else {
    state.guide.value = state.isBlank(state.history.value.present); // a template may have been quicker than the answer
    if (made?.drafts.length) state.status.value = "Work that was never saved is kept in this folder: press Ctrl O to get it back.";
  }
}

/** After a reload: what was drawn here, saved or not. */
async function comeBack(left: Left, drafts: state.Hello["drafts"]): Promise<boolean> {
  if (left.unsaved && drafts.some((each) => each.draft === left.draft)) {
    await recover(left.draft);
    // That page is gone: this one goes on with its draft.
    state.file.value = { ...state.file.value, draft: left.draft, modified: left.modified };
    state.status.value = "As you left it.";
  }
  else if (left.path) await open(left.path);
  else return false;
  return true;
}

/** The model in an address, or in its part after `#`. */
export function fragmentOf(address: string): string | null {
  return new URLSearchParams(address.slice(address.indexOf("#") + 1)).get("model");
}

export async function openShared(fragment: string): Promise<void> {
  const document = await unpack(fragment).catch(() => null);
  if (!document) {
    state.status.value = "The link is damaged: its model cannot be read. Ask for it again.";
    return;
  }
  // A link may come from anybody: the page shows only what the server finds sound.
  const checked = await ask<{ problems: Problem[] }>("check", { document });
  if (checked?.problems.length) throw new Refused(checked.problems);
  begin(document, "Open a link");
  holds = document;
  state.status.value = `Opened from the link.${back()}`;
}

/** The document that the page's address holds. */
let holds: Mechanism | null = null;

/** An address says what is on the page, or nothing: as soon as that is another document, its model goes. */
export function watchAddress(): void {
  effect(() => {
    const present = state.history.value.present;
    if (holds && present !== holds && fragmentOf(location.hash)) {
      window.history.replaceState(null, "", location.pathname);
      holds = null;
    }
  });
}

/** Another document takes the place of this one, when what waits for the server is done. */
function begin(document: Mechanism, label: string, from: Parameters<typeof state.begins>[2] = {}): void {
  kept = state.precious.value;
  state.begins(document, label, from);
}
let kept = false;
/** What is said where a drawing that no file holds was on the page before. */
const back = (): string => (kept ? " Undo (Ctrl Z) brings back what was here; it is kept under Open, too." : "");

window.addEventListener("hashchange", () => {
  const fragment = fragmentOf(location.hash);
  if (fragment) attempt(openShared(fragment));
});

export async function create(document: Mechanism = empty()): Promise<void> {
  await state.changes.idle();
  begin(document, document.title ? `Begin with ${document.title}` : "A new page");
  state.status.value = (document.title ? `${document.title}. Pull any link, or press Space to play.` : "A new page.") + back();
}

/** Files of the folder, and examples, as they were listed last. */
export const found = signal<{ path: string; modified: number }[]>([]);
export const examples = signal<{ name: string; title: string; picture: string }[]>([]);

export async function listFolder(): Promise<void> {
  found.value = (await ask<{ files: typeof found.value }>("list"))?.files ?? [];
}

export async function listExamples(): Promise<void> {
  if (examples.value.length) return;
  examples.value = ((await (await fetch("/api/examples")).json()) as { examples: typeof examples.value }).examples;
}

const EXAMPLE = "example:";

/** The document of a file of the folder, or of an example (`example:crank`), which does not come onto the page. */
export async function lookInto(name: string): Promise<Mechanism | null> {
  const made = name.startsWith(EXAMPLE) ? await ask<Opened>("example", { name: name.slice(EXAMPLE.length) }) : await ask<Opened>("open", { path: name });
  return made?.document ?? null;
}

export async function open(path: string): Promise<void> {
  const made = await ask<Opened>("open", { path });
  if (!made) return;
  await state.changes.idle();
  begin(made.document, `Open ${path}`, { path: made.path, modified: made.modified });
  state.status.value = `Opened ${path}.${back()}`;
  if (!made.draft) return;
  const { document } = made.draft;
  state.act("Recover unsaved changes", () => document);
  state.status.value = `Opened ${made.path} with changes that were not saved: they were kept. Undo brings back the file as saved.`;
}

export async function openExample(name: string): Promise<void> {
  const made = await ask<{ document: Mechanism }>("example", { name });
  if (!made) return;
  await state.changes.idle();
  begin(made.document, `Open ${name}`, { example: name });
  state.status.value = `${made.document.title ?? name}.${isLinkage(made.document) ? ` Pull any link, or press Space to ${runsOverTime(made.document) ? "run it" : "play"}.` : runsOverTime(made.document) ? " Press Space to run it." : ""}${back()}`;
}

export async function recover(name: string): Promise<void> {
  const made = await ask<{ path: string | null; document: Mechanism }>("recover", { draft: name });
  if (!made) return;
  await state.changes.idle();
  begin(made.document, "Recover", { path: made.path, saved: null, begun: null });
  state.status.value = `Recovered. Save it to keep it under a name.${back()}`;
}

export async function save(as?: string, replace = false): Promise<void> {
  const path = as ?? state.file.value.path;
  if (!path) {
    state.dialog.value = "save";
    return;
  }
  state.status.value = "Saving …";
  if (!(await state.changes.idle())) return;
  const document = state.history.value.present;
  // A name that is new here must be new on the disk too, unless the person has said to replace it.
  const { path: before, modified, draft } = state.file.value;
  const known = path === before && modified !== null ? modified : replace ? null : 0;
  try {
    const made = await ask<{ path: string; modified: number }>("save", { path, document, ...(known === null ? {} : { modified: known }) });
    if (!made) return;
    state.file.value = { ...state.file.value, path: made.path, modified: made.modified, saved: document };
    state.status.value = `Saved as ${made.path}.`;
    await ask("discard", { draft }).catch(() => undefined);
  } catch (error) {
    state.status.value = `Not saved: ${words(error)}`;
  }
}

export async function bring(file: File, units?: string): Promise<void> {
  const most = state.hello.value?.limits.file ?? Infinity;
  if (file.size > most) {
    state.status.value = `${file.name} has ${megabytes(file.size)}: at most ${megabytes(most)} can be read. Leave out what the machine does not need, or split it.`;
    return;
  }
  const query = `name=${encodeURIComponent(file.name)}${units ? `&units=${units}` : ""}`;
  const answer = await fetch(`/api/import?${query}`, { method: "POST", body: file });
  let made: { document?: Mechanism };
  try {
    made = await problemsOr<{ document?: Mechanism }>(answer);
  } catch (error) {
    // A drawing that does not say its unit: the person does.
    if (units || !(error instanceof Refused) || error.problems[0]?.at !== "units") throw error;
    state.unitless.value = file;
    state.dialog.value = "import";
    return;
  }
  if (!made.document) throw new Refused([]);
  await state.changes.idle();
  begin(made.document, `Import ${file.name}`);
  state.status.value = `Imported ${file.name}.${back()}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

/** What an answer holds; one that is refused is thrown, in words also where it is not ours. */
async function problemsOr<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  let made: (T & { problems?: Problem[] }) | null = null;
  try {
    made = JSON.parse(text) as T & { problems?: Problem[] };
  } catch {
    made = null;
  }
  if (answer.ok && made) return made;
  throw new Refused(made?.problems ?? [{ at: "", problem: `the server refuses: ${text.trim().slice(0, 200) || answer.status}`, remedy: "" }]);
}

/** What a file made of the document is called, without its ending. */
export const nameOf = (document: Mechanism): string => (state.file.value.path ?? document.title ?? "machine").replace(/\.(json|toml)$/, "") || "machine";

export async function send(kind: string): Promise<void> {
  if (!(await state.changes.idle())) return;
  const document = state.history.value.present;
  const name = nameOf(document);
  state.status.value = `Making the ${kind.toUpperCase()} …`;
  const answer = await fetch(`/api/export?kind=${kind}&name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ document, poses: state.poses.value, ...(run.isPlayed.value ? { run: run.asked.value } : {}) }),
  });
  if (!answer.ok) await problemsOr(answer);
  download(await answer.blob(), `${name}.${kind}`);
  state.status.value = `Exported ${name}.${kind}.`;
}

export function download(blob: Blob, name: string): void {
  const link = window.document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export async function share(): Promise<void> {
  if (!(await state.changes.idle())) return;
  const document = state.history.value.present;
  const fragment = await pack(document);
  if (fragment.length > LONGEST) {
    state.status.value = "This model is too large for a link. Export it as JSON and send the file.";
    return;
  }
  if (document !== state.history.value.present) return; // changed while it was packed
  holds = document;
  history.replaceState(null, "", `#model=${fragment}`);
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  const how = copied ? "It is copied: send it" : "Copy it and send it";
  state.status.value = `The address of this page now holds the whole model. ${how} to somebody who runs Detent; there it is pasted under Open.`;
}
