// The machine in words: can it move, why or why not, and what a method would do, line by line.

import { counts } from "../core/counts";
import { parts } from "../core/model";
import * as state from "../state";

export function Machine() {
  const { tone, headline, detail, remedy } = state.said.value;
  const explanation = state.report.value?.explanation;
  const gaps = (state.report.value?.gaps ?? []).filter((gap) => gap.distance > 1e-6 * state.extent());
  return (
    <section aria-labelledby="machine-head">
      <h2 id="machine-head">This machine</h2>
      <div class={`verdict ${tone}`} role="status" data-verdict={tone}>
        <strong>{headline}</strong>
        {detail && <p>{detail}</p>}
        {remedy && <p class="remedy">{remedy}</p>}
      </div>
      {gaps.length > 0 && (
        <p class="note">
          As drawn {gaps.length === 1 ? `the joint ${gaps[0]!.joint} is` : `${gaps.length} joints are`} open; they are closed by least motion when it moves.
        </p>
      )}
      <dl class="facts">
        {counts(state.history.value.present).map(([what, count]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{count}</dd>
          </div>
        ))}
        {explanation && parts(state.history.value.present).length > 0 && (
          <div>
            <dt>degrees of freedom</dt>
            <dd>{explanation.mobility.actual ?? explanation.mobility.gruebler ?? "not counted"}</dd>
          </div>
        )}
      </dl>
      {explanation && parts(state.history.value.present).length > 0 && <p class="note">{explanation.mobility.why}.</p>}
      {explanation?.redundant.map((each, k) => (
        <p class="note" key={k}>
          {each.why}.
        </p>
      ))}
      <Breaking />
    </section>
  );
}

const POLICIES = [
  ["searching", "go there and stop"],
  ["limiting", "stay where it closed"],
  ["stretching", "go on, show the gap"],
] as const;

function Breaking() {
  const document = state.history.value.present;
  const now = document.ask?.move?.breaking ?? "searching";
  const choose = (breaking: (typeof POLICIES)[number][0]): void =>
    state.act(`At a limit: ${breaking}`, (made) => ({ ...made, ask: { ...made.ask, move: { ...made.ask?.move, breaking } } }));
  return (
    <label class="field">
      <span>At a limit</span>
      <select value={now} onChange={(event) => choose(event.currentTarget.value as typeof now)}>
        {POLICIES.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
