// Which key does what, wherever the focus is: a field keeps the keys that edit its text, a button reached with
// Tab keeps Space and Enter, and everything else is the page's.

import { actionOf, type Action } from "./actions";
import * as state from "./state";

/** Whether the focus was put where it is by a pointer: then Space is not meant for that button. */
let byPointer = false;
window.addEventListener("pointerdown", () => (byPointer = true), true);
window.addEventListener("keydown", (event) => event.key === "Tab" && (byPointer = false), true);
// A list chosen from with the pointer has done its work: the next Space plays.
window.addEventListener("change", (event) => byPointer && event.target instanceof HTMLSelectElement && event.target.blur());

const TEXT = "input:not([type=range]):not([type=file]), textarea";

window.addEventListener("keydown", (event) => {
  if (event.defaultPrevented) return;
  // The browser closes a dialog only once it is shown and tells of it a task later; the key before that and the
  // key after it must not be lost.
  if (event.key === "Escape" && state.dialog.value && !event.isComposing) {
    event.preventDefault();
    return void (state.dialog.value = null);
  }
  const target = event.target as HTMLElement;
  const action = actionOf(event);
  if (!action) return;
  // The browser's own Save and Open would only confuse, also over a dialog.
  if (state.dialog.value) return void (action.group === "File" && event.preventDefault());
  if (target.closest(TEXT) ? isOfField(event, action, target) : isOfControl(event, target)) return;
  event.preventDefault();
  if (target.closest(`${TEXT}, button`) && event.key !== "Tab") target.blur(); // a number just typed counts first
  action.run();
});

/** Keys that a field of text keeps: all that write, and undo while something typed is not taken yet. */
function isOfField(event: KeyboardEvent, { name, group }: Action, field: HTMLElement): boolean {
  if (!event.ctrlKey && !event.metaKey) return true;
  if (name === "undo" || name === "redo") return field.dataset["typed"] === "true";
  return group !== "File";
}

function isOfControl(event: KeyboardEvent, target: HTMLElement): boolean {
  if (event.ctrlKey || event.metaKey) return false;
  if (target.closest("select")) return true;
  if (target.closest("input")) return event.key !== " "; // the slider: arrows move it
  const presses = event.key === " " || event.key === "Enter";
  return presses && target.closest("button") !== null && !(byPointer && event.key === " ");
}
