// A number to edit: shown short, kept as typed, taken with Enter or on leaving. Arrows step it.

import { useState } from "preact/hooks";
import { METRES, read } from "../core/numbers";
import * as state from "../state";

interface Given {
  label: string;
  value: number;
  unit: string;
  onSet(value: number): void;
}

export function NumberField({ label, value, unit, onSet }: Given) {
  const [typed, setTyped] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const take = (): void => {
    if (typed === null) return;
    const given = read(typed, unit);
    setWrong(given === null);
    if (given === null) state.status.value = `${typed.trim() || "Nothing"} is not a number${unit ? ` in ${unit}` : ""}: write 12, 3/4${unit in METRES ? ", 2.5 cm" : ""}.`;
    else if (given !== value) onSet(given);
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
          aria-invalid={wrong}
          aria-label={`${label}${unit ? ` in ${unit}` : ""}`}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === "Enter") take();
            if (event.key === "Escape") setTyped(null);
          }}
        />
        <i>{unit}</i>
      </span>
    </label>
  );
}

/** Six digits say enough on the page; the document keeps all. */
export function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
