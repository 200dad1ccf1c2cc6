// A number, a name or a text that stands for something, to edit: taken with Enter or on leaving. What is refused is
// not left standing: the field shows again what holds, and the status line says why.

import { useState } from "preact/hooks";
import { METRES, read } from "../core/numbers";
import * as state from "../state";

interface Given {
  label: string;
  value: number;
  unit: string;
  /** what is wrong with a number, in words */
  wrong?(value: number): string | null;
  onSet(value: number): void;
}

/** A length that must be one. */
export const aboveZero = (value: number): string | null => (value > 0 ? null : "A length must be more than 0.");

/** What an input needs that is taken when it is left; Escape leaves it as it was. */
function useTyped(shown: string, onTake: (typed: string) => void) {
  const [typed, setTyped] = useState<string | null>(null);
  const take = (): void => {
    if (typed === null) return;
    onTake(typed);
    setTyped(null);
  };
  return {
    value: typed ?? shown,
    "data-typed": typed !== null,
    onInput: (event: { currentTarget: HTMLInputElement }) => setTyped(event.currentTarget.value),
    onBlur: take,
    onKeyDown: (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
      if (event.key === "Enter") event.currentTarget.blur(); // which takes it; the next key is the page's
      if (event.key === "Escape") setTyped(null);
    },
  };
}

/** Whether what was typed is wrong: it is said in the status line, and the field is marked. */
function useWrong(): [boolean, (why: string | null) => boolean] {
  const [wrong, setWrong] = useState(false);
  const says = (why: string | null): boolean => {
    setWrong(why !== null);
    if (why !== null) state.status.value = `Not done: ${why}`;
    return why !== null;
  };
  return [wrong, says];
}

export function NumberField({ label, value, unit, wrong: wrongOf, onSet }: Given) {
  const [wrong, isWrong] = useWrong();
  const typing = useTyped(short(value), (typed) => {
    const given = read(typed, unit);
    const why =
      given === null
        ? `${typed.trim() || "Nothing"} is not a number${unit ? ` in ${unit}` : ""}: write 12, 3/4${unit in METRES ? ", 2.5 cm" : ""}.`
        : (wrongOf?.(given) ?? null);
    if (!isWrong(why) && given !== value && typed !== short(value)) onSet(given!);
  });
  return (
    <label class="field">
      <span>{label}</span>
      <span class="number">
        <input type="text" inputMode="decimal" {...typing} aria-invalid={wrong} aria-label={`${label}${unit ? ` in ${unit}` : ""}`} />
        <i>{unit}</i>
      </span>
    </label>
  );
}

interface GivenEntry {
  label: string;
  /** empty where nothing is asked */
  value: string;
  placeholder: string;
  unit?: string;
  /** takes it, or says what is wrong with it */
  onSet(text: string): string | null;
}

/** A text that stands for something, and may be left empty. */
export function EntryField({ label, value, placeholder, unit, onSet }: GivenEntry) {
  const [wrong, isWrong] = useWrong();
  const typing = useTyped(value, (typed) => void isWrong(typed.trim() === value ? null : onSet(typed.trim())));
  return (
    <label class="field">
      <span>{label}</span>
      <span class="number entry">
        <input type="text" {...typing} placeholder={placeholder} aria-invalid={wrong} aria-label={`${label}${unit ? ` in ${unit}` : ""}`} />
        {unit && <i>{unit}</i>}
      </span>
    </label>
  );
}

interface GivenText {
  label: string;
  value: string;
  placeholder?: string;
  class?: string;
  onSet(value: string): void;
}

/** A name to edit. */
export function TextField({ label, value, onSet, ...more }: GivenText) {
  const typing = useTyped(value, (typed) => void (typed !== value && onSet(typed)));
  return <input {...more} {...typing} aria-label={label} />;
}

/** Six digits say enough on the page; the document keeps all. */
export function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
