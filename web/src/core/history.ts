// Undo and redo of everything: documents are never changed in place, so a step is the document before it.

import type { Mechanism } from "../document";

export interface Step {
  label: string;
  document: Mechanism;
}

export interface History {
  past: readonly Step[];
  present: Mechanism;
  future: readonly Step[];
}

const MOST_STEPS = 500;

export function begin(document: Mechanism): History {
  return { past: [], present: document, future: [] };
}

/** A step; one with the same non-empty `merge` label as the last joins it (a nudge held down is one step). */
export function record(history: History, label: string, document: Mechanism, merge = false): History {
  if (document === history.present) return history;
  const last = history.past[history.past.length - 1];
  const joins = merge && last?.label === label && history.future.length === 0;
  const past = joins ? history.past : [...history.past, { label, document: history.present }].slice(-MOST_STEPS);
  return { past, present: document, future: [] };
}

export function undo(history: History): History {
  const last = history.past[history.past.length - 1];
  if (!last) return history;
  return {
    past: history.past.slice(0, -1),
    present: last.document,
    future: [{ label: last.label, document: history.present }, ...history.future],
  };
}

export function redo(history: History): History {
  const [next, ...rest] = history.future;
  if (!next) return history;
  return { past: [...history.past, { label: next.label, document: history.present }], present: next.document, future: rest };
}
