// A number as a person types it: with a comma or a point, as a fraction, with a unit of its own.

/** Lengths that may be typed, in metres. */
export const METRES: Record<string, number> = { m: 1, cm: 0.01, mm: 0.001, in: 0.0254, '"': 0.0254 };
/** Angles that may be typed, in degrees. */
const DEGREES: Record<string, number> = { "\u00b0": 1, deg: 1, rad: 180 / Math.PI };

const TYPED = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:\s*\/\s*(\d+\.?\d*))?\s*([a-z"\u00b0]*)$/i;

/** The number in the field's unit, or null where the words are not a number. */
export function read(typed: string, unit: string): number | null {
  const found = TYPED.exec(typed.trim().replace(",", "."));
  if (!found) return null;
  const [, above, below, own] = found;
  const plain = Number(above) / (below === undefined ? 1 : Number(below));
  const scale = scaleOf(own!.toLowerCase(), unit);
  return Number.isFinite(plain) && scale !== null ? Number((plain * scale).toPrecision(15)) : null;
}

function scaleOf(own: string, unit: string): number | null {
  if (!own || own === unit) return 1;
  for (const known of [METRES, DEGREES]) if (own in known && unit in known) return known[own]! / known[unit]!;
  return null;
}
