// The workbench: connects to the server and shows the page.

import { effect } from "@preact/signals";
import { render } from "preact";
import { hint } from "./actions";
import * as files from "./files";
import "./keys";
import "./main.css";
import { Dialogs } from "./panels/dialogs";
import { Guide } from "./panels/guide";
import { Header } from "./panels/header";
import { Machine } from "./panels/machine";
import { Plan } from "./panels/plan";
import { Player } from "./panels/player";
import { Plots } from "./panels/plots";
import { Run } from "./panels/run";
import { Outlook } from "./panels/outlook";
import { Selected } from "./panels/selected";
import { Toolbar } from "./panels/toolbar";
import { whereIs } from "./core/model";
import { attempt, lettingGo, looked, watch } from "./server";
import * as state from "./state";
import { Canvas, dark, pageOf, painted } from "./view/canvas";

const SHEETS = [
  ["machine", "Machine"],
  ["run", "Run"],
  ["outlook", "Outlook"],
  ["selected", "Selected"],
  ["plan", "Plan"],
  ["plots", "Plots"],
] as const;

function Sidebar() {
  const now = state.sheet.value;
  return (
    <aside class="sidebar" aria-label="Panels">
      <div class="tabs" role="tablist">
        {SHEETS.map(([name, words]) => (
          <button key={name} type="button" role="tab" aria-selected={now === name} data-sheet={name} onClick={() => (state.sheet.value = name)}>
            {words}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel">
        {now !== "machine" && !((now === "run" || now === "outlook") && state.said.value.tone === "idle") && <Brief />}
        {now === "machine" && <Machine />}
        {now === "run" && <Run />}
        {now === "outlook" && <Outlook />}
        {now === "selected" && <Selected />}
        {now === "plan" && <Plan />}
        {now === "plots" && <Plots />}
      </div>
    </aside>
  );
}

/** The verdict in one line, whatever else is shown. */
function Brief() {
  const { tone, headline, detail, remedy } = state.said.value;
  return (
    <div class={`verdict brief ${tone}`} data-verdict={tone}>
      <strong>{headline}</strong>
      {(tone === "warn" || tone === "bad") && detail && <p>{detail}</p>}
      {tone !== "good" && remedy && <p class="remedy">{remedy}</p>}
    </div>
  );
}

function App() {
  return (
    <main class="page" data-connected={state.connected.value && state.hello.value !== null}>
      <Header />
      <Toolbar />
      <div class="stage" onDragOver={(event) => event.preventDefault()} onDrop={dropped}>
        <Canvas />
        <Guide />
        <Player />
        <p id="canvas-help" class="hidden">
          Arrow keys move a crosshair, Enter clicks there. N goes through parts and joints. Press ? for all keys.
        </p>
      </div>
      <Sidebar />
      <footer class="status" aria-live="polite">
        <span id="status">{state.status.value || hint.value}</span>
        <span class="spread" />
        {state.thinking.value && <em class="thinking">thinking …</em>}
        {!state.connected.value && (
          <b>{state.shutOut.value ? "Detent was started again and does not know this page: open the address that it printed last. Your work is kept here." : "The server is away; your work is kept here. Trying again …"}</b>
        )}
        {state.unkept.value && <b>Your work is not kept on the disk. {state.unkept.value}</b>}
        <span>{state.hello.value ? `Detent ${state.hello.value.version}` : ""}</span>
      </footer>
      <Dialogs />
    </main>
  );
}

function dropped(event: DragEvent): void {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) attempt(files.bring(file));
}

effect(() => void (document.documentElement.dataset["theme"] = dark.value ? "dark" : "light"));

declare global {
  interface Window {
    /** What tests may ask of the page. */
    detentView: {
      toPage(x: number, y: number): readonly [number, number];
      document(): unknown;
      /** changes that wait for the server */
      waiting(): number;
      poses(): unknown;
      painted(): number;
      paintMs(): number;
      place(ref: string): unknown;
      settled(): boolean;
      curves(): unknown;
      hint(): string | null;
      gap(): string | null;
    };
  }
}

window.detentView = {
  toPage: (x, y) => pageOf(document.getElementById("drawing") as HTMLCanvasElement, [x, y]),
  document: () => state.history.value.present,
  waiting: () => state.waiting.value.length,
  poses: () => state.poses.value,
  painted: () => painted.count,
  paintMs: () => painted.ms / Math.max(1, painted.count),
  place: (ref) => whereIs(state.model.value, state.poses.value, ref),
  curves: () => state.curves.value,
  hint: () => state.ghost.value.snap?.words ?? null,
  gap: () => state.ghost.value.words ?? null,
  settled: () => looked.value === state.history.value.present && !lettingGo.count && !state.waiting.value.length,
};

render(<App />, document.getElementById("app")!);
attempt(files.atStart());
watch();
files.watchAddress();
