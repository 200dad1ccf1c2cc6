// The long run: what repeats, how it drifts, what comes on top, when it ends; in words, a picture and tables.

import * as outlook from "../outlook";
import { attempt } from "../server";
import * as state from "../state";
import { Told } from "./told";
import { Progress, Table, Trouble } from "./work";

export function Outlook() {
  const made = outlook.current.value;
  return (
    <section aria-labelledby="outlook-head">
      <h2 id="outlook-head">Outlook</h2>
      {!made && <p class="note">What repeats, how it drifts, what comes on top of it, when it ends and why: told from a few simulated moments.</p>}
      {!outlook.job.value && (
        <div class="row">
          <button type="button" class="primary" data-action="outlook" disabled={state.isBlank(state.history.value.present)} onClick={() => attempt(outlook.start())}>
            {made ? "Look ahead again" : "Look ahead"}
          </button>
        </div>
      )}
      {outlook.job.value && <Progress {...outlook.job.value} doing="Looking ahead" name="outlook-cancel" onCancel={outlook.cancel} />}
      <Trouble headline="It has no outlook" problems={outlook.trouble.value} />
      {made && <Result {...made} />}
    </section>
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
