// The long run of a machine: the server looks for what repeats, how it drifts and when it ends; the page shows its answer.

import { computed, signal } from "@preact/signals";
import type { Entry } from "./core/ahead";
import type { AskOutlook, Mechanism } from "./document";
import * as files from "./files";
import { Work } from "./job";
import type { Tabled, Told } from "./run";
import * as state from "./state";

export interface Outlook {
  verdict: "repeats" | "ends" | "at_rest" | "undecided";
  headline: string;
  reason: string;
  words: Told;
  tables: Tabled[];
  /** an SVG, where there is a pattern to draw */
  picture: string | null;
  /** the table of `detent outlook --csv`, where there is one */
  csv: string | null;
}

const work = new Work<Outlook>("outlook");
export const { job, trouble } = work;
export const cancel = (): void => work.cancel();
const last = signal<{ of: Mechanism; beside: string; made: Outlook } | null>(null);

const present = computed(() => state.history.value.present);
export const asked = computed<AskOutlook>(() => present.value.ask?.outlook ?? {});
/** A sound machine to compare with: a file of the folder, or an example; empty where none is asked for. */
export const beside = signal("");
/** The outlook of the document as it is, beside what it is compared with now. */
export const current = computed(() => (last.value?.of === present.value && last.value.beside === beside.value ? last.value.made : null));

/** Ask for what was typed, or for nothing any more; what is wrong with it, in words. */
export function ask<Key extends keyof AskOutlook>(key: Key, entry: Entry<NonNullable<AskOutlook[Key]>>, text: string): string | null {
  const value = text ? entry.read(text) : undefined;
  if (value && typeof value === "object" && "wrong" in value) return value.wrong;
  state.act(text ? `Ask the outlook for ${key}` : `Ask the outlook for no ${key}`, (document) => {
    const { [key]: _, ...others } = document.ask?.outlook ?? {};
    return { ...document, ask: { ...document.ask, outlook: value === undefined ? others : { ...others, [key]: value } } };
  });
  return null;
}

export async function start(): Promise<void> {
  if (job.value || !(await state.changes.idle())) return;
  const [document, sound] = [present.value, beside.value];
  state.sheet.value = "outlook";
  state.status.value = "Looking ahead …";
  const made = await work.ask(document, sound ? { beside: await files.lookInto(sound) } : {});
  if (made === null) state.status.value = "The outlook was stopped.";
  else if (typeof made === "string") state.status.value = `It has no outlook: ${made}`;
  else {
    last.value = { of: document, beside: sound, made };
    state.status.value = `${made.headline}: ${made.reason}.`;
  }
}

/** The table of the answer as a file. */
export function send(): void {
  const table = current.value?.csv;
  if (!table) return;
  const name = `${files.nameOf(present.value)}_outlook.csv`;
  files.download(new Blob([table], { type: "text/csv" }), name);
  state.status.value = `Exported ${name}.`;
}
