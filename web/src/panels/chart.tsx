// One plot: curves over an axis, read where the pointer is, and the choice of what it shows. uPlot is loaded when the first one is shown.

import { effect, type ReadonlySignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import type { Axis } from "../core/axis";
import { notDrawn, numberOf, type Row } from "../core/rows";
import { dark } from "../view/canvas";
import { DARK, LIGHT } from "../view/palette";
import { short } from "./number";

const ROUNDING = 1e-12; // of the largest number beside it
const HEIGHT = 220; // [px]

/** What the legend says of a curve's number: its digits however small it is, and zero where it is rounding beside the others. */
function readIn(columns: readonly (readonly (number | null)[])[]): (chart: unknown, value: number | null, series: number, position: number | null) => string {
  const largest = columns.flat().reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
  const digits = (value: number): string => short(Math.abs(value) < ROUNDING * largest ? 0 : value);
  return (_chart, value, _series, position) => (position === null ? "--" : value === null ? "" : digits(value));
}

interface Choice<What extends string> {
  what: Signal<What>;
  kinds: [What, string][];
  /** of what, by name: the chosen one, and all */
  name: string;
  names: string[];
  onName(name: string): void;
}

/** What a plot shows, and of what. */
export function Choose<What extends string>({ what, kinds, name, names, onName }: Choice<What>) {
  return (
    <div class="row">
      <select aria-label="Quantity" value={what.value} onChange={(event) => (what.value = event.currentTarget.value as What)}>
        {kinds.map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      <select aria-label="Of" value={name} onChange={(event) => onName(event.currentTarget.value)}>
        {names.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </div>
  );
}

interface Given {
  across: Pick<Axis, "at" | "order" | "label">;
  rows: readonly Row[];
  names: string[];
  label: string;
  scale: string;
  /** where the machine is on the axis, marked by a line */
  now?: ReadonlySignal<number | null>;
  /** a click on the plot, at this place of the axis */
  onPick?(at: number): void;
}

export function Chart({ across, rows, names, label, scale, now, onPick }: Given) {
  const own = useRef<HTMLDivElement>(null);
  const night = dark.value;
  useEffect(() => {
    let undo: (() => void) | null = null;
    let gone = false;
    void import("uplot").then(({ default: UPlot }) => {
      if (gone || !own.current) return;
      const theme = night ? DARK : LIGHT;
      const columns = names.map((_, k) => across.order.map((position) => numberOf(rows[position]!, k)));
      const values = (_: unknown, ticks: (number | null)[]): string[] => ticks.map((tick) => String(tick ?? "")); // uPlot's own have three decimals
      const axis = { stroke: theme.quiet, grid: { stroke: theme.axis, width: 1 }, ticks: { stroke: theme.axis }, values };
      const wide = (_: unknown, ticks: string[] | null): number => Math.max(56, 24 + 7 * Math.max(0, ...(ticks ?? []).map((tick) => tick.length)));
      const chart = new UPlot(
        {
          width: own.current.clientWidth,
          height: HEIGHT,
          scales: { x: { time: false } },
          axes: [axis, { ...axis, size: wide }],
          series: [{ label: across.label, value: readIn([across.at]) }, ...names.map((each, k) => ({ label: each, stroke: theme.hues[k]!.line, width: 2, dash: k ? [6, 3] : [], value: readIn(columns) }))],
        },
        [across.at, ...columns],
        own.current,
      );
      undo = alive(chart, own.current, now, onPick);
    });
    return () => {
      gone = true;
      undo?.();
    };
  }, [across, rows, night]);
  const missing = notDrawn(across, rows, names.length, short);
  return (
    <figure class="chart">
      <figcaption>{scale}; straight between samples</figcaption>
      {missing && <p class="note">Not drawn: {missing}.</p>}
      <div ref={own} role="img" aria-label={`Plot of ${label}. ${scale}`} />
    </figure>
  );
}

/** The plot is as wide as its panel, marks where the machine is, and takes clicks; gives what ends it. */
function alive(chart: uPlot, panel: HTMLElement, now: Given["now"], onPick: Given["onPick"]): () => void {
  const line = window.document.createElement("i");
  line.className = "now";
  chart.over.append(line);
  const mark = (): void => {
    const at = now?.value ?? null;
    line.hidden = at === null;
    if (at !== null) line.style.left = `${chart.valToPos(at, "x")}px`;
  };
  const unmark = effect(mark);
  const sizes = new ResizeObserver(() => {
    if (panel.clientWidth && panel.clientWidth !== chart.width) chart.setSize({ width: panel.clientWidth, height: HEIGHT });
    mark();
  });
  sizes.observe(panel);
  if (onPick) {
    chart.over.style.cursor = "pointer";
    chart.over.addEventListener("click", (event) => onPick(chart.posToVal(event.offsetX, "x")));
  }
  return () => {
    unmark();
    sizes.disconnect();
    chart.destroy();
  };
}
