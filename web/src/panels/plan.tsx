// The plan: in which order the positions are found, and which of it needs Newton.

import { isOnlyRun } from "../core/words";
import * as state from "../state";

export function Plan() {
  const explanation = state.report.value?.explanation;
  const plan = explanation?.plan ?? [];
  const newton = plan.reduce((sum, line) => sum + line.unknowns, 0);
  return (
    <section aria-labelledby="plan-head">
      <h2 id="plan-head">How it is solved</h2>
      {plan.length === 0 && <p class="note">{isOnlyRun(state.history.value.present) ? "A torque leads through no positions, so there is nothing to plan: the machine is run." : "There is a plan once a joint is driven (D)."}</p>}
      <ol class="plan">
        {plan.map((line, k) => (
          <li key={k}>
            {line.step} <b>{line.parts.join(", ")}</b>
            {line.unknowns > 0 && <em> {line.unknowns} found by Newton</em>}
          </li>
        ))}
      </ol>
      {plan.length > 0 && (
        <p class="note">{newton === 0 ? "All of it in closed form." : `In all ${newton === 1 ? "one unknown is" : `${newton} unknowns are`} found by Newton, the rest in closed form.`}</p>
      )}
    </section>
  );
}
