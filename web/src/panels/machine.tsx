// The machine in words: can it move, why or why not, and what a method would do, line by line.

import { counts } from "../core/counts";
import { commandLine, questionsOf } from "../core/questions";
import { isLinkage, list } from "../core/words";
import { parts } from "../core/model";
import { attempt } from "../server";
import * as state from "../state";
import { Told } from "./told";

/** Of the explanation: joints that its shapes make and why, which freedoms are not used, what can touch, what stays open. */
const FOUND = new Set(["found", "compared", "dropped", "can touch", "subsystems", "elementary", "states", "loose", "seen", "open"]);

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
      {parts(state.history.value.present).length > 0 && !isLinkage(state.history.value.present) && <Questions />}
      {gaps.length > 0 && (
        <p class="note">
          As drawn {gaps.length === 1 ? `the joint ${gaps[0]!.joint} is` : `${gaps.length} joints are`} open; they are closed by least motion when it moves.
        </p>
      )}
      <dl class="facts">
        {counts(state.history.value.present, explanation).map(([what, count]) => (
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
      {!isLinkage(state.history.value.present) && <Told words={(explanation?.told ?? []).filter(([label]) => FOUND.has(label))} />}
      {isLinkage(state.history.value.present) && <Breaking />}
    </section>
  );
}

/** What a command line would name this document by; null where no file holds it as it is. */
function nameOf(): string | null {
  const { path, example, begun } = state.file.value;
  if (path && !state.unsaved.value) return path;
  return example && begun === state.history.value.present ? example : null;
}

/** Commands to be copied, for what the page does not answer itself. */
function Questions() {
  const { verbs, planned } = questionsOf(state.history.value.present, state.hello.value?.verbs ?? []);
  const name = nameOf();
  const copy = (line: string): void =>
    attempt(
      navigator.clipboard.writeText(line).then(
        () => void (state.status.value = `Copied: ${line}`),
        () => void (state.status.value = "The browser does not let the page copy: mark the line and press Ctrl C."),
      ),
    );
  return (
    <div class="card questions">
      <h3>Ask on the command line</h3>
      {!name && <p class="note">Save it first (Ctrl S): the command names its file.</p>}
      <ul>
        {verbs.map((verb) => (
          <li key={verb} class="row">
            <code>{commandLine(verb, name ?? "FILE")}</code>
            <button type="button" disabled={!name} onClick={() => copy(commandLine(verb, name!))} aria-label={`Copy ${commandLine(verb, name ?? "FILE")}`}>
              Copy
            </button>
          </li>
        ))}
      </ul>
      {name && state.file.value.path && <p class="note">In the folder {state.hello.value?.workspace}</p>}
      {planned.length > 0 && (
        <p class="note">
          {list(planned)} {planned.length > 1 ? "are" : "is"} planned: the document asks for {planned.length > 1 ? "them" : "it"}, and this version has no such verb yet.
        </p>
      )}
    </div>
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
