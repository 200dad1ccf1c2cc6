// Plots over the drive: place, speed, acceleration of a point, forces on joints.

import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { axisOf, type Driven } from "../core/axis";
import { num } from "../core/model";
import { extentOf } from "../core/place";
import { isOnlyRun, runsOverTime, whyNoForces } from "../core/words";
import type { Mechanism } from "../document";
import { ask, words } from "../server";
import * as state from "../state";
import { numberOf, type Row } from "../core/rows";
import { Chart, Choose } from "./chart";
import { NumberField } from "./number";
import { Told } from "./told";

interface Motion extends Driven {
  markers: Record<string, [number, number][]>;
  velocities: Record<string, ([number, number] | null)[]>;
  accelerations: Record<string, ([number, number] | null)[]>;
  forces: Record<string, Row[]>;
  force_components: Record<string, string[]>;
  words: [label: string, value: string][];
}

type What = "markers" | "velocities" | "accelerations" | "forces";
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
  if (!Object.keys(document.drives ?? {}).length || isOnlyRun(document)) {
    trouble.value = runsOverTime(document) ? "Plots over time stand under Run, beside its events." : "Plots need a drive: press D and click the joint that should turn.";
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
  const across = useMemo(() => made && axisOf(made), [made]);
  const table = made?.[what.value] ?? {};
  const names = Object.keys(table);
  const name = names.includes(marker.value) ? marker.value : (names.find((each) => state.selected.value.has(each)) ?? liveliest(table));
  const refs = Object.keys(made?.markers ?? {});
  return (
    <section aria-labelledby="plots-head">
      <h2 id="plots-head">Plots</h2>
      <Choose what={what} kinds={WHAT} name={name} names={names} onName={(each) => (marker.value = each)} />
      {trouble.value && !made && <p class="note">{trouble.value}</p>}
      {made && what.value === "forces" && (
        <>
          {!names.length && <p class="note">{whyNoForces(document, made.words, oneOf(document))}</p>}
          <Loads document={document} refs={refs} first={liveliest(made.markers)} />
        </>
      )}
      {made && name && made.inputs.length > 0 && <Chart across={across!} rows={table[name] as Row[]} names={seriesNames(made, what.value, name)} label={`${name}, ${what.value}`} scale={scaleWords(document, made, what.value, name)} />}
      {made && <Told words={made.words} />}
    </section>
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
