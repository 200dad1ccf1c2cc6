// A number or a name to edit: taken with Enter or on leaving. What is refused is not left standing: the field
// shows again what holds, and the status line says why.

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

export function NumberField({ label, value, unit, wrong: wrongOf, onSet }: Given) {
  const [typed, setTyped] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const take = (): void => {
    if (typed === null) return;
    const given = read(typed, unit);
    const why =
      given === null
        ? `${typed.trim() || "Nothing"} is not a number${unit ? ` in ${unit}` : ""}: write 12, 3/4${unit in METRES ? ", 2.5 cm" : ""}.`
        : (wrongOf?.(given) ?? null);
    setWrong(why !== null);
    if (why !== null) state.status.value = `Not done: ${why}`;
    else if (given !== value && typed !== short(value)) onSet(given!);
    setTyped(null);
  };
  return (
    <label class="field">
      <span>{label}</span>
      <span class="number">
        <input
          type="text"
          inputMode="decimal"
          value={typed ?? short(value)}
          data-typed={typed !== null}
          aria-invalid={wrong}
          aria-label={`${label}${unit ? ` in ${unit}` : ""}`}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.currentTarget.blur(); // which takes it; the next key is the page's
            if (event.key === "Escape") setTyped(null);
          }}
        />
        <i>{unit}</i>
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
  const [typed, setTyped] = useState<string | null>(null);
  const take = (): void => {
    if (typed === null) return;
    setTyped(null);
    if (typed !== value) onSet(typed);
  };
  return (
    <input
      {...more}
      value={typed ?? value}
      data-typed={typed !== null}
      aria-label={label}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur(); // which takes it; the next key is the page's
        if (event.key === "Escape") setTyped(null);
      }}
    />
  );
}

/** Six digits say enough on the page; the document keeps all. */
export function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
