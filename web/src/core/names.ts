// Names for what is made: short, and never one that is taken.

/** Whether a table has an entry of this name, whatever every object has. */
function has(taken: Record<string, unknown> | undefined, name: string): boolean {
  return taken !== undefined && Object.hasOwn(taken, name);
}

/** link, link2, … : the first that is free. */
export function fresh(stem: string, taken: Record<string, unknown> | undefined): string {
  if (!has(taken, stem)) return stem;
  for (let k = 2; ; k++) if (!has(taken, `${stem}${k}`)) return `${stem}${k}`;
}

/** A, B, …, Z, A2, … : the first that is free. */
export function letter(taken: Record<string, unknown> | undefined): string {
  for (let round = 1; ; round++) {
    for (let k = 0; k < 26; k++) {
      const name = String.fromCharCode(65 + k) + (round === 1 ? "" : String(round));
      if (!has(taken, name)) return name;
    }
  }
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** as `detent.foundation.names` has it */
const LONGEST = 200;

/** What is wrong with a name, in words; null where it will do. */
export function wrongName(name: string, taken: Record<string, unknown> | undefined): string | null {
  if (!NAME.test(name)) return "A name is an ASCII letter, then ASCII letters, digits, _ or -.";
  if (name.length > LONGEST) return `A name has at most ${LONGEST} letters; this one has ${name.length}.`;
  return has(taken, name) ? `There is a ${name} already.` : null;
}
