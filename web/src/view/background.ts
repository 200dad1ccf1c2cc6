// A picture to trace, under the grid: kept in the document's view as a data address, scaled to the drawing.

import { computed, effect, signal } from "@preact/signals";
import * as state from "../state";
import type { Point } from "../core/place";

interface Kept {
  source: string;
  at: [number, number];
  width: number;
}

const loaded = signal<{ source: string; image: HTMLImageElement } | null>(null);
/** As the document has it; a document may come from anywhere, so that only a whole picture of its own counts. */
export const kept = computed<Kept | null>(() => {
  const given = state.history.value.present.view?.["background"] as Partial<Kept> | null | undefined;
  const whole =
    typeof given?.source === "string" &&
    given.source.startsWith("data:image/") &&
    [given.width, ...(Array.isArray(given.at) && given.at.length === 2 ? given.at : [NaN])].every(Number.isFinite);
  return whole ? (given as Kept) : null;
});

effect(() => {
  const source = kept.value?.source;
  if (!source || loaded.value?.source === source) return;
  const image = new Image();
  image.onload = () => (loaded.value = { source, image });
  image.onerror = () => (state.status.value = "The picture under the drawing cannot be shown: it is not an image that browsers read.");
  image.src = source;
});

export const background = computed(() => {
  const own = kept.value;
  const shown = loaded.value;
  if (!own || shown?.source !== own.source) return null;
  const { image } = shown;
  const at: Point = own.at;
  return { image, at, width: own.width, height: (own.width * image.naturalHeight) / Math.max(1, image.naturalWidth) };
});

export const hasBackground = computed(() => kept.value !== null);

/** Largest picture that is kept in a document [bytes]. */
const LARGEST = 3_000_000;

export function setBackground(file: File): void {
  if (file.size > LARGEST) {
    state.status.value = "This picture is larger than 3 MB. Make it smaller first.";
    return;
  }
  const reader = new FileReader();
  reader.onload = () => {
    const { x, y, scale } = state.camera.value;
    const width = (0.6 * state.size.value.width) / scale;
    const value: Kept = { source: String(reader.result), at: [x - width / 2, y - width / 3], width };
    state.act("Lay a picture under the drawing", (document) => ({ ...document, view: { ...document.view, background: value } }));
  };
  reader.readAsDataURL(file);
}

/** Where its lower left corner is, and how wide it is. */
export function placeBackground(change: Partial<Pick<Kept, "at" | "width">>): void {
  const background = { ...kept.value, ...change };
  state.act("Place the picture", (document) => ({ ...document, view: { ...document.view, background } }));
}

export function dropBackground(): void {
  state.act("Take the picture away", (document) => {
    const { background: _, ...view } = document.view ?? {};
    return { ...document, view };
  });
}
