// The workbench: connects to the server and shows the page.
import { signal } from "@preact/signals";
import { render } from "preact";
import "./main.css";
import { Wire } from "./wire";

interface Hello {
  version: string;
  workspace: string;
  file: string | null;
}

const connected = signal(false);
const hello = signal<Hello | null>(null);

function App() {
  return (
    <main data-connected={connected.value}>
      <h1>Detent {hello.value?.version}</h1>
      <p>{hello.value?.workspace}</p>
    </main>
  );
}

const wire = new Wire(
  () => undefined,
  (now) => (connected.value = now),
);
wire.ask("hello").then((answer) => (hello.value = answer as Hello));
render(<App />, document.getElementById("app")!);
