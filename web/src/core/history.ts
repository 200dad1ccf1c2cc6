// Undo and redo of everything: documents are never changed in place, so a step is the document before it.

import type { Mechanism } from "../document";

export interface Step {
  label: string;
  document: Mechanism;
  /** where that document is kept, of a step to another document altogether */
  file?: KeptAs;
}

/** Where a document is kept. */
export interface KeptAs {
  /** its file in the workspace */
  path: string | null;
  /** when that was last written or read */
  modified: number | null;
  /** the document as it is there */
  saved: Mechanism | null;
  /** the document as it came: from a file, an example, a template, a link */
  begun: Mechanism | null;
  /** the shipped example that it came from */
  example: string | null;
  /** the name that it is kept under until it is saved */
  draft: string;
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

/** A step to another document: undo comes back to this one, and to where it is kept. */
export function replaced(history: History, label: string, document: Mechanism, file: KeptAs): History {
  const past = [...history.past, { label, document: history.present, file }].slice(-MOST_STEPS);
  return { past, present: document, future: [] };
}

/** `file`: where the present document is kept, for the way back. */
export function undo(history: History, file?: KeptAs): History {
  const last = history.past[history.past.length - 1];
  if (!last) return history;
  return {
    past: history.past.slice(0, -1),
    present: last.document,
    future: [{ label: last.label, document: history.present, ...(last.file ? { file } : {}) }, ...history.future],
  };
}

export function redo(history: History, file?: KeptAs): History {
  const [next, ...rest] = history.future;
  if (!next) return history;
  const step = { label: next.label, document: history.present, ...(next.file ? { file } : {}) };
  return { past: [...history.past, step], present: next.document, future: rest };
}
