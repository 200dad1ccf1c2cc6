// Rows of a record as a plot has them: numbers, what has no number, and what has no bound.

import type { Axis } from "./axis";

/** A number, or several; an object is a force without bound. */
export type Row = number | (number | object | null)[] | object | null;

/** One of a row's numbers; null where there is none, or no bound. */
export function numberOf(row: Row, k: number): number | null {
  const value = Array.isArray(row) ? row[k] : k ? null : row;
  return typeof value === "number" ? value : null;
}

const MOST_PLACES = 3; // of what is not drawn, by themselves

/** Where curves have nothing to draw, which their ends and gaps do not tell: forces without bound, speeds at a dead point. */
export function notDrawn(across: Pick<Axis, "at" | "order" | "label">, rows: readonly Row[], count: number, short: (value: number) => string): string {
  const [name, unit = ""] = across.label.split(" ");
  const given = (row: Row, k: number): unknown => (Array.isArray(row) ? row[k] : k ? null : row);
  const unbounded = (row: Row, k: number): boolean => typeof given(row, k) === "object" && given(row, k) !== null;
  const where = (missing: (row: Row) => boolean): string => {
    const at = across.at.filter((_, k) => missing(rows[across.order[k]!]!));
    if (at.length > MOST_PLACES) return `${at.length} places`;
    const places = at.map((place) => `${short(place)}${unit && unit !== "°" ? " " : ""}${unit}`).join(", ");
    return at.length ? `${name} ${places}` : "";
  };
  const curves = [...Array(count).keys()];
  const open = where((row) => curves.some((k) => unbounded(row, k)));
  const none = where((row) => curves.some((k) => numberOf(row, k) === null) && !curves.some((k) => unbounded(row, k)));
  return [open && `without bound at ${open}`, none && `no number at ${none}`].filter(Boolean).join("; ");
}
