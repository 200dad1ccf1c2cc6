// Files: new, open, save, import, export, share, recover. The server writes; a download is the browser's.

import { empty } from "./core/commands";
import { LONGEST, pack, unpack } from "./core/share";
import { isLinkage } from "./core/words";
import type { Mechanism } from "./document";
import { ask, attempt, draft, takeLeft, words, type Left } from "./server";
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
  else if (made?.file?.startsWith("example:")) await openExample(made.file.slice("example:".length));
  else if (made?.file) await open(made.file);
  else {
    state.guide.value = true;
    if (made?.drafts.length) state.status.value = "Work that was never saved is kept in this folder: press Ctrl O to get it back.";
  }
}

/** After a reload: what was drawn here, saved or not. */
async function comeBack(left: Left, drafts: state.Hello["drafts"]): Promise<boolean> {
  if (left.unsaved && drafts.some((each) => each.draft === left.draft)) {
    await recover(left.draft);
    draft.name = left.draft; // that page is gone: this one goes on with its draft
    state.modified.value = left.modified;
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
  state.begins(document, null, null);
  state.status.value = "Opened from the link.";
}

window.addEventListener("hashchange", () => {
  const fragment = fragmentOf(location.hash);
  if (fragment) attempt(openShared(fragment));
});

export function create(document: Mechanism = empty()): void {
  state.begins(document, null, null);
  state.status.value = document.title ? `${document.title}. Pull any link, or press Space to play.` : "A new page.";
}

export async function open(path: string): Promise<void> {
  const made = await ask<Opened>("open", { path });
  if (!made) return;
  state.begins(made.document, made.path, made.modified);
  state.status.value = `Opened ${made.path}.`;
  if (!made.draft) return;
  const { document } = made.draft;
  state.act("Recover unsaved changes", () => document);
  state.status.value = `Opened ${made.path} with changes that were not saved: they were kept. Undo brings back the file as saved.`;
}

export async function openExample(name: string): Promise<void> {
  const made = await ask<{ document: Mechanism }>("example", { name });
  if (!made) return;
  state.begins(made.document, null, null);
  state.status.value = `${made.document.title ?? name}.${isLinkage(made.document) ? " Pull any link, or press Space to play." : ""}`;
}

export async function recover(name: string): Promise<void> {
  const made = await ask<{ path: string | null; document: Mechanism }>("recover", { draft: name });
  if (!made) return;
  state.begins(made.document, null, null);
  state.path.value = made.path;
  state.status.value = "Recovered. Save it to keep it under a name.";
}

export async function save(as?: string, replace = false): Promise<void> {
  const path = as ?? state.path.value;
  if (!path) {
    state.dialog.value = "save";
    return;
  }
  state.status.value = "Saving …";
  if (!(await state.changes.idle())) return;
  const document = state.history.value.present;
  // A name that is new here must be new on the disk too, unless the person has said to replace it.
  const known = path === state.path.value && state.modified.value !== null ? state.modified.value : replace ? null : 0;
  try {
    const made = await ask<{ path: string; modified: number }>("save", { path, document, ...(known === null ? {} : { modified: known }) });
    if (!made) return;
    state.path.value = made.path;
    state.modified.value = made.modified;
    state.savedAs.value = document;
    state.status.value = `Saved as ${made.path}.`;
    await ask("discard", { draft: draft.name }).catch(() => undefined);
  } catch (error) {
    state.status.value = `Not saved: ${words(error)}`;
  }
}

export async function bring(file: File): Promise<void> {
  const answer = await fetch(`/api/import?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
  const made = (await answer.json()) as { document?: Mechanism; problems?: Problem[] };
  if (!made.document) throw new Refused(made.problems ?? []);
  state.begins(made.document, null, null);
  state.status.value = `Imported ${file.name}.`;
}

export async function send(kind: string): Promise<void> {
  if (!(await state.changes.idle())) return;
  const document = state.history.value.present;
  const name = (state.path.value ?? document.title ?? "machine").replace(/\.(json|toml)$/, "") || "machine";
  state.status.value = `Making the ${kind.toUpperCase()} …`;
  const answer = await fetch(`/api/export?kind=${kind}&name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ document, poses: state.poses.value }),
  });
  if (!answer.ok) throw new Refused(((await answer.json()) as { problems: Problem[] }).problems);
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
  const fragment = await pack(state.history.value.present);
  if (fragment.length > LONGEST) {
    state.status.value = "This model is too large for a link. Export it as JSON and send the file.";
    return;
  }
  history.replaceState(null, "", `#model=${fragment}`);
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  const how = copied ? "It is copied: send it" : "Copy it and send it";
  state.status.value = `The address of this page now holds the whole model. ${how} to somebody who runs Detent; there it is pasted under Open.`;
}
