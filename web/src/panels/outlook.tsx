// The long run: what repeats, how it drifts, what comes on top, when it ends; in words, a picture and tables.

import { useEffect } from "preact/hooks";
import { COUNT, EXPECTATION, HORIZON, MOMENTS } from "../core/ahead";
import * as files from "../files";
import * as outlook from "../outlook";
import { attempt } from "../server";
import * as state from "../state";
import { EntryField } from "./number";
import { Told } from "./told";
import { Progress, Table, Trouble } from "./work";

export function Outlook() {
  const made = outlook.current.value;
  return (
    <section aria-labelledby="outlook-head">
      <h2 id="outlook-head">Outlook</h2>
      {!made && <p class="note">What repeats, how it drifts, what comes on top of it, when it ends and why: told from a few simulated moments.</p>}
      <Asking />
      {outlook.job.value && <Progress {...outlook.job.value} doing="Looking ahead" name="outlook-cancel" onCancel={outlook.cancel} />}
      <Trouble headline="It has no outlook" problems={outlook.trouble.value} />
      {made && <Result {...made} />}
    </section>
  );
}

function Asking() {
  const { until, at, patterns, expect } = outlook.asked.value;
  const made = outlook.current.value;
  const time = state.history.value.present.units === "1" ? "" : "s";
  return (
    <>
      <EntryField label="Horizon" unit={time} value={HORIZON.shown(until)} placeholder="no end" onSet={(text) => outlook.ask("until", HORIZON, text)} />
      <EntryField label="States at" unit={time} value={MOMENTS.shown(at)} placeholder="such as 500; 1000" onSet={(text) => outlook.ask("at", MOMENTS, text)} />
      <EntryField label="Simulate" unit="patterns at most" value={COUNT.shown(patterns)} placeholder="50" onSet={(text) => outlook.ask("patterns", COUNT, text)} />
      <EntryField label="Expected" value={EXPECTATION.shown(expect)} placeholder="such as minima=2" onSet={(text) => outlook.ask("expect", EXPECTATION, text)} />
      <Beside />
      {!outlook.job.value && (
        <div class="row">
          <button type="button" class="primary" data-action="outlook" disabled={state.isBlank(state.history.value.present)} onClick={() => attempt(outlook.start())}>
            {made ? "Look ahead again" : "Look ahead"}
          </button>
          {made?.csv && (
            <button type="button" class="boxed" data-action="outlook-csv" onClick={outlook.send}>
              Table (CSV)
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** A sound machine, where this one may have a fault: the answer says where it first departs from it. */
function Beside() {
  useEffect(() => attempt(Promise.all([files.listFolder(), files.listExamples()])), []);
  const here = files.found.value.filter(({ path }) => /\.(json|toml)$/.test(path));
  return (
    <label class="field">
      <span>Beside</span>
      <select class="beside" aria-label="Beside" value={outlook.beside.value} onChange={(event) => (outlook.beside.value = event.currentTarget.value)}>
        <option value="">no other machine</option>
        {here.length > 0 && (
          <optgroup label="In this folder">
            {here.map(({ path }) => (
              <option key={path} value={path}>
                {path}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label="Examples">
          {files.examples.value.map(({ name, title }) => (
            <option key={name} value={`example:${name}`}>
              {title}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

function Result(made: outlook.Outlook) {
  return (
    <>
      <div class={`verdict ${made.verdict === "repeats" ? "good" : "warn"}`} data-outlook={made.verdict}>
        <strong>{made.headline}</strong>
        <p>{made.reason}.</p>
      </div>
      {made.picture && <img class="drawn" alt="The long run: extremes, durations and processes by pattern, and one pattern" src={`data:image/svg+xml,${encodeURIComponent(made.picture)}`} />}
      <Told words={made.words} />
      {made.tables.map((table, k) => (
        <Table key={k} {...table} />
      ))}
    </>
  );
}
