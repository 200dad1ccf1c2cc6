// A first machine in five steps: each is done when the drawing shows it, and the next appears.

import { computed } from "@preact/signals";
import { action } from "../actions";
import { drives, joints, jointsAt, markers, parts, split } from "../core/model";
import type { Mechanism } from "../document";
import * as play from "../play";
import * as state from "../state";

interface Step {
  words: string;
  how(document: Mechanism): string;
  tool(document: Mechanism): string;
  done(document: Mechanism): boolean;
}

const links = (document: Mechanism): number => parts(document).filter(([, part]) => !part.fixed).length;
const joinedLinks = (document: Mechanism): number =>
  joints(document).filter(([, joint]) => joint.between.every((ref) => !document.parts?.[split(ref)[0]]?.fixed)).length;
const groundedPoints = (document: Mechanism): number =>
  parts(document)
    .filter(([, part]) => !part.fixed)
    .flatMap(([name, part]) => markers(part).map(([marker]) => `${name}.${marker}`))
    .filter((ref) => jointsAt(document, ref).some(([, joint]) => joint.between.some((other) => document.parts?.[split(other)[0]]?.fixed))).length;

let played = false;

const APART = "It is not joined yet: take Move (V) and pull its end onto the other link's end, until it says: join here.";

export const STEPS: readonly Step[] = [
  { words: "Draw a short crank", how: () => "Take Link (L). Press on the page, pull a little, release.", tool: () => "link", done: (d) => links(d) >= 1 },
  { words: "Draw a long link from its end", how: (d) => (links(d) >= 2 ? APART : "Start on the crank's end: the circle says that they will be joined."), tool: (d) => (links(d) >= 2 ? "select" : "link"), done: (d) => links(d) >= 2 && joinedLinks(d) >= 1 },
  { words: "Draw a rocker from there", how: (d) => (links(d) >= 3 ? APART : "Start on the free end, and come back down."), tool: (d) => (links(d) >= 3 ? "select" : "link"), done: (d) => links(d) >= 3 && joinedLinks(d) >= 2 },
  { words: "Ground both outer ends", how: () => "Take Ground (G) and click the crank's and the rocker's free ends.", tool: () => "ground", done: (d) => groundedPoints(d) >= 2 },
  { words: "Drive the crank, and play", how: (d) => (drives(d).length ? "It is driven: now press Space, or Play." : "Take Drive (D), click the crank's grounded pin, then press Space."), tool: (d) => (drives(d).length ? "play" : "drive"), done: (d) => drives(d).length >= 1 && (played ||= play.playing.value) },
];

const at = computed(() => {
  const document = state.history.value.present;
  const next = STEPS.findIndex((step) => !step.done(document));
  return next < 0 ? STEPS.length : next;
});

export function Guide() {
  if (!state.guide.value) return null;
  const now = at.value;
  const document = state.history.value.present;
  return (
    <aside class="guide" aria-label="First build">
      <button type="button" class="close" aria-label="Close the guide" onClick={() => (state.guide.value = false)}>
        ×
      </button>
      <h2>{now === STEPS.length ? "A working crank-rocker" : "Build a first machine"}</h2>
      <ol>
        {STEPS.map((step, k) => (
          <li key={k} value={k + 1} class={k < now ? "done" : k === now ? "now" : ""} aria-current={k === now ? "step" : undefined}>
            <b>{step.words}</b>
            {k === now && <p>{step.how(document)}</p>}
            {k === now && (
              <button type="button" onClick={action(step.tool(document)).run}>
                {step.tool(document) === "play" ? "" : "Take "}
                {action(step.tool(document)).words}
              </button>
            )}
          </li>
        ))}
      </ol>
      {now === STEPS.length && <p>Pull any link while it rests. Press T and click a point to see the curve it draws.</p>}
      <p class="note">
        Or begin with <button type="button" onClick={action("gallery").run}>an example</button>
      </p>
    </aside>
  );
}
