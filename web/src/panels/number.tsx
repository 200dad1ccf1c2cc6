// A number to edit: shown short, kept as typed, taken with Enter or on leaving. Arrows step it.

import { useState } from "preact/hooks";

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
    const given = Number(typed.replace(",", "."));
    setWrong(!Number.isFinite(given) || typed.trim() === "");
    if (Number.isFinite(given) && typed.trim() !== "" && given !== value) onSet(given);
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
