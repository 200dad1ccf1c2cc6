// What long work shows: that it is being done, what it was refused for, and the tables of its answer.

import { useEffect, useState } from "preact/hooks";
import type { Tabled } from "../run";
import type { Problem } from "../wire";

/** What the server is at, and for how long; `name` of the button that gives it up. */
export function Progress({ words, since, doing, name, onCancel }: { words: string; since: number; doing: string; name: string; onCancel(): void }) {
  const [now, tick] = useState(Date.now());
  useEffect(() => {
    const clock = setInterval(() => tick(Date.now()), 500);
    return () => clearInterval(clock);
  }, []);
  return (
    <div class="progress" role="status">
      <progress aria-label={doing} />
      <p class="note">
        {words || doing.toLowerCase()} … {Math.max(0, Math.round((now - since) / 1000))} s
      </p>
      <button type="button" class="boxed" data-action={name} onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

export function Trouble({ headline, problems }: { headline: string; problems: readonly Problem[] }) {
  return (
    <>
      {problems.map(({ at, problem, remedy }, k) => (
        <div class="verdict bad" role="alert" key={k} data-trouble>
          <strong>{headline}</strong>
          <p>
            {at && <code>{at}</code>} {problem}.
          </p>
          {remedy && <p class="remedy">{remedy}</p>}
        </div>
      ))}
    </>
  );
}

export function Table({ label, said, head, rows }: Tabled) {
  return (
    <details class="table">
      <summary>
        {label} {said && <span class="note">{said}</span>}
      </summary>
      <div>
        <table>
          <thead>
            <tr>
              {head.map((each) => (
                <th key={each} scope="col">
                  {each}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, k) => (
              <tr key={k}>
                {row.map((cell, j) => (
                  <td key={j}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
