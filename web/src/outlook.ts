// The long run of a machine: the server looks for what repeats, how it drifts and when it ends; the page shows its answer.

import { computed, signal } from "@preact/signals";
import type { Mechanism } from "./document";
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
}

const work = new Work<Outlook>("outlook");
export const { job, trouble } = work;
export const cancel = (): void => work.cancel();
const last = signal<{ of: Mechanism; made: Outlook } | null>(null);

/** The outlook of the document as it is. */
export const current = computed(() => (last.value?.of === state.history.value.present ? last.value.made : null));

export async function start(): Promise<void> {
  if (job.value || !(await state.changes.idle())) return;
  const document = state.history.value.present;
  state.sheet.value = "outlook";
  state.status.value = "Looking ahead …";
  const made = await work.ask(document);
  if (made === null) state.status.value = "The outlook was stopped.";
  else if (typeof made === "string") state.status.value = `It has no outlook: ${made}`;
  else {
    last.value = { of: document, made };
    state.status.value = `${made.headline}: ${made.reason}.`;
  }
}
