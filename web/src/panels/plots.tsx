// Plots over the drive: place, speed, acceleration of a point, forces on joints. uPlot is loaded when asked for.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { axisOf, type Driven } from "../core/axis";
import { num } from "../core/model";
import { extentOf } from "../core/place";
import type { Mechanism } from "../document";
import { ask, words } from "../server";
import * as state from "../state";
import { dark } from "../view/canvas";
import { DARK, LIGHT } from "../view/palette";
import { NumberField, short } from "./number";

/** A number, or several; an object is a force without bound. */
type Row = number | (number | object | null)[] | object | null;

interface Motion extends Driven {
  markers: Record<string, [number, number][]>;
  velocities: Record<string, ([number, number] | null)[]>;
  accelerations: Record<string, ([number, number] | null)[]>;
  forces: Record<string, Row[]>;
  force_components: Record<string, string[]>;
  words: [label: string, value: string][];
}

type What = "markers" | "velocities" | "accelerations" | "forces";
const ROUNDING = 1e-12; // of the largest number beside it
const WHAT: [What, string][] = [
  ["markers", "place"],
  ["velocities", "speed"],
  ["accelerations", "acceleration"],
  ["forces", "forces"],
];

const what = signal<What>("velocities");
const marker = signal("");
const motion = signal<{ of: Mechanism; made: Motion } | null>(null);
const trouble = signal("");

async function analyse(document: Mechanism): Promise<void> {
  if (motion.value?.of === document) return;
  if (!Object.keys(document.drives ?? {}).length) {
    trouble.value = "Plots need a drive: press D and click the joint that should turn.";
    return;
  }
  trouble.value = "";
  try {
    const made = await ask<Motion>("analyse", { document }, "analyse");
    if (made && document === state.history.value.present) {
      motion.value = { of: document, made };
    }
  } catch (error) {
    trouble.value = words(error);
  }
}

/** A force on a point [N], or none any more. */
function load(ref: string, force: number[] | null): void {
  state.act(force ? `Load ${ref}` : `No load on ${ref}`, (document) => {
    const { [ref]: _, ...others } = document.ask?.move?.loads ?? {};
    const move = { ...document.ask?.move, loads: force ? { ...others, [ref]: force } : others };
    return { ...document, ask: { ...document.ask, move } };
  });
}

export function Plots() {
  const document = state.history.value.present;
  useEffect(() => void analyse(document), [document]);
  const made = motion.value?.of === document ? motion.value.made : null;
  const table = made?.[what.value] ?? {};
  const names = Object.keys(table);
  const name = names.includes(marker.value) ? marker.value : (names.find((each) => state.selected.value.has(each)) ?? liveliest(table));
  const refs = Object.keys(made?.markers ?? {});
  return (
    <section aria-labelledby="plots-head">
      <h2 id="plots-head">Plots</h2>
      <div class="row">
        <select aria-label="Quantity" value={what.value} onChange={(event) => (what.value = event.currentTarget.value as What)}>
          {WHAT.map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
        <select aria-label="Of" value={name} onChange={(event) => (marker.value = event.currentTarget.value)}>
          {names.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
      {trouble.value && !made && <p class="note">{trouble.value}</p>}
      {made && what.value === "forces" && (
        <>
          {!names.length && <p class="note">Forces need a load to carry: choose a point, and it is pushed down with {oneOf(document)}.</p>}
          <Loads document={document} refs={refs} first={liveliest(made.markers)} />
        </>
      )}
      {made && name && made.inputs.length > 0 && <Chart motion={made} rows={table[name] as Row[]} names={seriesNames(made, what.value, name)} label={`${name}, ${what.value}`} scale={scaleWords(document, made, what.value, name)} />}
      {made && <Told words={made.words} />}
    </section>
  );
}

/** The whole answer beside the curves, which are of its positions: where it stops, its extremes, what is left out. */
function Told({ words }: { words: Motion["words"] }) {
  return (
    <dl class="told" aria-label="The answer in words">
      {words.map(([label, value], k) => (
        <div key={k}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function lengthUnit(document: Mechanism): string {
  const unit = document.units ?? "m";
  return unit === "1" ? "length" : unit;
}

/** Of forces: in a document of any consistent set of units none is named. */
function forceUnit(document: Mechanism): string {
  return document.units === "1" ? "" : "N";
}

const oneOf = (document: Mechanism): string => `1 ${forceUnit(document)}`.trim();

/** What the numbers of a plot are, at the positions of the drive, and over what they run. */
function scaleWords(document: Mechanism, motion: Motion, what: What, name: string): string {
  const length = lengthUnit(document);
  const { over, per } = axisOf(motion);
  if (what === "forces") return `${name}: ${(motion.force_components[name] ?? []).join(", ")}, over ${over}`;
  const units = { markers: length, velocities: `${length} per ${per}`, accelerations: `${length} per ${per}, per ${per}` };
  return `${name} [${units[what]}], over ${over}`;
}

/** Of each curve of a plot; a force's components have the names of the record (`torque on crank [N m]`). */
function seriesNames({ force_components }: Motion, what: What, name: string): string[] {
  return what === "forces" ? (force_components[name] ?? []).map((each) => each.split(" on ")[0]!) : ["x", "y"];
}

/** Forces on points: what there is can be changed and taken away, and a point can be loaded. */
function Loads({ document, refs, first }: { document: Mechanism; refs: string[]; first: string }) {
  const given = Object.entries(document.ask?.move?.loads ?? {});
  const free = refs.filter((ref) => !given.some(([loaded]) => loaded === ref));
  const chosen = free.find((ref) => state.selected.value.has(ref)) ?? (free.includes(first) ? first : (free[0] ?? ""));
  const pick = useRef<HTMLSelectElement>(null);
  return (
    <>
      {given.map(([ref, force]) => (
        <div class="card" key={ref}>
          <h3>Load on {ref}</h3>
          {["x", "y"].map((axis, k) => (
            <NumberField key={axis} label={`Force ${axis}`} value={num(force[k])} unit={forceUnit(document)} onSet={(value) => load(ref, force.map((old, j) => (j === k ? value : num(old))))} />
          ))}
          <button type="button" onClick={() => load(ref, null)}>
            Take the load away
          </button>
        </div>
      ))}
      {chosen && (
        <div class="row note">
          <select ref={pick} aria-label="Point to load" value={chosen}>
            {free.map((ref) => (
              <option key={ref}>{ref}</option>
            ))}
          </select>
          <button type="button" data-action="load" onClick={() => load(pick.current!.value, [0, -1])}>
            Load it with {oneOf(document)}
          </button>
        </div>
      )}
    </>
  );
}

/** Of several the one that changes most: a pin on the ground has nothing to show. */
function liveliest(table: Record<string, Row[]>): string {
  const range = (rows: Row[]): number => {
    const known = rows.filter((row) => row !== null);
    return extentOf(known.map((row) => [numberOf(row, 0) ?? 0, numberOf(row, 1) ?? 0]));
  };
  const ranked = Object.entries(table).sort(([, a], [, b]) => range(b) - range(a));
  return ranked[0]?.[0] ?? "";
}

/** One of a row's numbers; null where there is none, or no bound. */
function numberOf(row: Row, k: number): number | null {
  const value = Array.isArray(row) ? row[k] : k ? null : row;
  return typeof value === "number" ? value : null;
}

/** What the legend says of a curve's number: its digits however small it is, and zero where it is rounding beside the others. */
function readIn(columns: readonly (readonly (number | null)[])[]): (chart: unknown, value: number | null, series: number, position: number | null) => string {
  const largest = columns.flat().reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
  const digits = (value: number): string => short(Math.abs(value) < ROUNDING * largest ? 0 : value);
  return (_chart, value, _series, position) => (position === null ? "--" : value === null ? "" : digits(value));
}

function Chart({ motion: given, rows, names, label, scale }: { motion: Motion; rows: Row[]; names: string[]; label: string; scale: string }) {
  const own = useRef<HTMLDivElement>(null);
  const night = dark.value;
  useEffect(() => {
    let chart: { destroy(): void } | null = null;
    let gone = false;
    void import("uplot").then(({ default: UPlot }) => {
      if (gone || !own.current) return;
      const theme = night ? DARK : LIGHT;
      const across = axisOf(given);
      const columns = names.map((_, k) => across.order.map((position) => numberOf(rows[position]!, k)));
      const values = (_: unknown, ticks: (number | null)[]): string[] => ticks.map((tick) => String(tick ?? "")); // uPlot's own have three decimals
      const axis = { stroke: theme.quiet, grid: { stroke: theme.axis, width: 1 }, ticks: { stroke: theme.axis }, values };
      const wide = (_: unknown, ticks: string[] | null): number => Math.max(56, 24 + 7 * Math.max(0, ...(ticks ?? []).map((tick) => tick.length)));
      chart = new UPlot(
        {
          width: own.current.clientWidth,
          height: 220,
          scales: { x: { time: false } },
          axes: [axis, { ...axis, size: wide }],
          series: [{ label: across.label, value: readIn([across.at]) }, ...names.map((each, k) => ({ label: each, stroke: theme.hues[k]!.line, width: 2, dash: k ? [6, 3] : [], value: readIn(columns) }))],
        },
        [across.at, ...columns],
        own.current,
      );
    });
    return () => {
      gone = true;
      chart?.destroy();
    };
  }, [given, rows, night]);
  return (
    <figure class="chart">
      <figcaption>{scale}</figcaption>
      <div ref={own} role="img" aria-label={`Plot of ${label}. ${scale}`} />
    </figure>
  );
}
