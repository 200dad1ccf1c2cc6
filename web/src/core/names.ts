// Names for what is made: short, and never one that is taken.

/** link, link2, … : the first that is free. */
export function fresh(stem: string, taken: Record<string, unknown> | undefined): string {
  if (!(taken && stem in taken)) return stem;
  for (let k = 2; ; k++) if (!(`${stem}${k}` in taken)) return `${stem}${k}`;
}

/** A, B, …, Z, A2, … : the first that is free. */
export function letter(taken: Record<string, unknown> | undefined): string {
  for (let round = 1; ; round++) {
    for (let k = 0; k < 26; k++) {
      const name = String.fromCharCode(65 + k) + (round === 1 ? "" : String(round));
      if (!(taken && name in taken)) return name;
    }
  }
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** What is wrong with a name, in words; null where it will do. */
export function wrongName(name: string, taken: Record<string, unknown> | undefined): string | null {
  if (!NAME.test(name)) return "A name is a letter, then letters, digits, _ or -.";
  return taken && name in taken ? `There is a ${name} already.` : null;
}
