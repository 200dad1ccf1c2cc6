// A machine over time: for how long and by which model it runs, how it ended, plots, events, the answer in words.

import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { num } from "../core/model";
import * as files from "../files";
import * as run from "../run";
import type { Ran, RunEvent } from "../run";
import { attempt } from "../server";
import * as state from "../state";
import type { Row } from "../core/rows";
import { Chart, Choose } from "./chart";
import { NumberField } from "./number";
import { Told } from "./told";
import { Progress, Table, Trouble } from "./work";

const METHODS: Record<run.Method, string> = { rigid: "rigid", penalty: "penalty: parts yield", both: "both, compared" };
const MOST_EVENTS = 300;
const longEnough = (value: number): string | null => (value > 0 ? null : "A run takes more than 0.");

export function Run() {
  const ran = run.current.value;
  return (
    <section aria-labelledby="run-head">
      <h2 id="run-head">Run</h2>
      <Asking />
      {run.job.value && <Progress {...run.job.value} doing="Running" name="run-cancel" onCancel={run.cancel} />}
      <Trouble headline="It does not run" problems={run.trouble.value} />
      {ran && <Result {...ran.made} />}
    </section>
  );
}

function Asking() {
  const { until, method } = run.asked.value;
  const time = state.history.value.present.units === "1" ? "" : "s";
  return (
    <>
      <NumberField label="For" value={until} unit={time} wrong={longEnough} onSet={(value) => run.ask({ until: value })} />
      <label class="field">
        <span>Contacts</span>
        <select aria-label="Contacts" value={method} onChange={(event) => run.ask({ method: event.currentTarget.value as run.Method })}>
          {run.METHODS.map((name) => (
            <option key={name} value={name}>
              {METHODS[name]}
            </option>
          ))}
        </select>
      </label>
      {!run.job.value && (
        <div class="row">
          <button type="button" class="primary" data-action="run" disabled={state.isBlank(state.history.value.present)} onClick={() => attempt(run.start())}>
            {run.current.value ? "Run it again" : "Run it"}
          </button>
          {run.current.value && (
            <button type="button" class="boxed" data-action="run-csv" onClick={() => attempt(files.send("csv"))}>
              Table (CSV)
            </button>
          )}
        </div>
      )}
    </>
  );
}

function Result(made: Ran) {
  return (
    <>
      <div class={`verdict ${made.stop.cause === "done" ? "good" : "warn"}`} data-ended={made.stop.cause}>
        <strong>{run.ended(made)}</strong>
        {made.stop.detail && <p>{made.stop.detail}.</p>}
      </div>
      <Curves made={made} />
      <Events events={made.events} time={made.units.time} />
      <Told words={made.words} />
      {made.tables.map((table) => (
        <Table key={table.label} {...table} />
      ))}
    </>
  );
}

type What = "states" | "velocities" | "energy";
const WHAT: [What, string][] = [
  ["states", "position"],
  ["velocities", "speed"],
  ["energy", "energy"],
];
/** What is stored is far more than what comes and goes. */
const ALL = "all but stored";
const what = signal<What>("states");
const chosen = signal("");

function Curves({ made }: { made: Ran }) {
  const names = Object.keys(made[what.value]);
  const offered = what.value === "energy" && !made.other ? [ALL, ...names] : names;
  const name = offered.includes(chosen.value) ? chosen.value : (offered[0] ?? "");
  const curves = useMemo(() => curvesOf(made, what.value, name), [made, what.value, name]);
  return (
    <>
      <Choose what={what} kinds={WHAT} name={name} names={offered} onName={(each) => (chosen.value = each)} />
      {name && <Chart {...curves} now={run.now} onPick={run.showAt} />}
    </>
  );
}

/** A plot at the rows of the answer; angles in degrees, of both models both. */
function curvesOf(made: Ran, what: What, name: string): { across: { at: number[]; order: number[]; label: string }; rows: Row[]; names: string[]; label: string; scale: string } {
  const time = made.units.time;
  const turns = what !== "energy" && made.state_units[name] === "rad";
  const kinds = name === ALL ? Object.keys(made.energy).filter((kind) => kind !== "stored") : [name];
  const tables = made.other ? [made[what], made.other[what]] : [made[what]];
  const columns = tables.flatMap((table) => kinds.map((kind) => table[kind] ?? []));
  const unit = what === "energy" ? made.units.energy : turns ? "°" : (made.state_units[name] ?? "");
  const per = what === "velocities" && unit && time ? `${unit}/${time}` : unit;
  const scale = turns ? 180 / Math.PI : 1;
  return {
    across: { at: made.rows, order: made.rows.map((_, k) => k), label: time ? `time ${time}` : "time" },
    rows: made.rows.map((_, k) => columns.map((column) => num(column[k]) * scale)),
    names: made.other ? ["rigid", "penalty"] : kinds,
    label: `${name}, ${what}`,
    scale: `${name === ALL ? "energy" : name}${per ? ` [${per}]` : ""}, over time${time ? ` [${time}]` : ""}`,
  };
}

function Events({ events, time }: { events: RunEvent[]; time: string }) {
  if (!events.length) return <p class="note">No events: nothing came to touch.</p>;
  const now = run.now.value;
  const listed = events.slice(0, MOST_EVENTS);
  const reached = now === null ? -1 : listed.findLastIndex((event) => event.time <= now);
  return (
    <>
      <h3>
        {events.length === 1 ? "1 event" : `${events.length} events`}
        {time && `, at [${time}]`}
      </h3>
      <ol class="events" aria-label="Events">
        {listed.map((event, k) => (
          <li key={k}>
            <button type="button" aria-current={k === reached} title={[event.time, ...(event.before ?? []), ...(event.after ?? [])].join(", ")} onClick={() => run.showAt(event.time)}>
              <span>{Number(event.time.toPrecision(5))}</span>
              <span>{event.kind}</span>
              <span>{(event.subjects ?? []).join(" : ") || event.joint}</span>
            </button>
          </li>
        ))}
      </ol>
      {events.length > listed.length && <p class="note">And {events.length - listed.length} more, which are not listed.</p>}
    </>
  );
}
