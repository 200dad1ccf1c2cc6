// The top line: what is open, the file actions, undo and redo.

import { action, shown } from "../actions";
import * as state from "../state";
import { dark } from "../view/canvas";
import { TextField } from "./number";

export function Header() {
  const document = state.history.value.present;
  const rename = (title: string): void => {
    if (title !== (document.title ?? "")) state.act("Name the machine", (made) => ({ ...made, title }));
  };
  return (
    <header class="header">
      <h1>Detent</h1>
      <TextField class="title" label="Title" value={document.title ?? ""} placeholder="Untitled machine" onSet={rename} />
      <span class="where" data-unsaved={state.unsaved.value}>
        {state.file.value.path ?? ""} {state.unsaved.value ? "· not saved" : state.file.value.path ? "· saved" : ""}
      </span>
      <div class="spread" />
      <Button name="undo" off={!state.history.value.past.length && !state.waiting.value.length} />
      <Button name="redo" off={!state.history.value.future.length && !state.withdrawn.value} />
      <i class="rule" />
      {["new", "gallery", "open", "save", "export", "share"].map((name) => (
        <Button key={name} name={name} />
      ))}
      <i class="rule" />
      <button type="button" onClick={() => (dark.value = !dark.value)} aria-pressed={dark.value} title="Light or dark">
        {dark.value ? "Light" : "Dark"}
      </button>
      <Button name="help" />
    </header>
  );
}

function Button({ name, off = false }: { name: string; off?: boolean }) {
  const own = action(name);
  return (
    <button type="button" data-action={name} disabled={off} onClick={own.run} title={`${own.words} (${shown(own.keys[0]!)})`}>
      {own.words}
    </button>
  );
}

