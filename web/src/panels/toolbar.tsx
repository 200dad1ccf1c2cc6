// The tools, in words with their keys, down the left side.

import { ACTIONS, shown, type Action } from "../actions";
import { tool } from "../bench";

const ICONS: Record<string, string> = {
  select: "M5 3l13 8-6 1.5L9 19z",
  link: "M6 18L18 6M6 18a2.5 2.5 0 1 1-.1-.1M18 6a2.5 2.5 0 1 1-.1-.1",
  ground: "M12 5l6 10H6zM5 19h14M12 5a1.5 1.5 0 1 1 .1 0",
  joint: "M4 16h16M8 12h8v8H8zM12 7a2.5 2.5 0 1 1 .1 0",
  drive: "M18 8a7 7 0 1 0 1 6M18 3v5h-5",
  edit: "M4 20l4-1L19 8l-3-3L5 16z",
  trace: "M3 17c3-12 7-12 9-5s6 6 9-6",
  pan: "M12 3v18M3 12h18M12 3l-2 2M12 3l2 2M12 21l-2-2M12 21l2-2M3 12l2-2M3 12l2 2M21 12l-2-2M21 12l-2 2",
};

export function Toolbar() {
  const tools = ACTIONS.filter((each) => each.group === "Tools");
  return (
    <nav class="toolbar" aria-label="Tools">
      {tools.map((each) => (
        <ToolButton key={each.name} action={each} />
      ))}
    </nav>
  );
}

function ToolButton({ action }: { action: Action }) {
  const on = tool.value === action.name;
  return (
    <button type="button" class={on ? "tool on" : "tool"} aria-pressed={on} data-tool={action.name} onClick={action.run} title={`${action.words} (${shown(action.keys[0]!)})`}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={ICONS[action.name]} />
      </svg>
      <span>{action.words}</span>
      <kbd>{shown(action.keys[0]!)}</kbd>
    </button>
  );
}
