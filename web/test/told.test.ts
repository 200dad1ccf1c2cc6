import assert from "node:assert/strict";
import { test } from "node:test";
import { begin } from "../src/core/history";
import { whyNoForces } from "../src/core/words";
import type { Mechanism } from "../src/document";
import { toggleJoint } from "../src/tools/edits";
import { PaperBench } from "./bench";

const arm: Mechanism = {
  format: "detent/1",
  units: "mm",
  parts: { frame: { fixed: true, markers: { A: [0, 0] } }, arm: { markers: { A: [0, 0], B: [50, 0] } } },
  joints: { A: { type: "revolute", between: ["frame.A", "arm.A"] } },
};

function said(document: Mechanism): string {
  const bench = new PaperBench();
  bench.history = begin(document);
  toggleJoint(bench, "A", "prismatic");
  return bench.words.at(-1)!;
}

test("what goes with the form of a joint is named", () => {
  const sprung = { ...arm.joints!["A"]!, spring: { stiffness: 2 }, limits: { min_deg: -30 }, damping: 0.1 };
  const held: Mechanism = { ...arm, joints: { A: sprung }, drives: { turn: { joint: "A", from_deg: 0, to_deg: 90 } }, start: { "arm:frame": { at_deg: 5 } } };
  assert.equal(said(arm), "A is a slide now.");
  assert.match(said(held), /^A is a slide now, without its spring, limits, damping, drive and start: those were of the pin/);
});

test("a plot without forces says that it lacks a load only where there is none", () => {
  const loaded: Mechanism = { ...arm, ask: { move: { loads: { "arm.B": [0, -10] } } } };
  assert.match(whyNoForces(arm, [["left out", "contact"]], "1 N"), /need a load/);
  assert.match(whyNoForces(loaded, [["left out", "contact, forces from loads"]], "1 N"), /below tells why/);
  assert.match(whyNoForces(loaded, [["moved", "nowhere"]], "1 N"), /below tells why/);
  assert.match(whyNoForces(arm, [["left out", "contact, forces from springs"]], "1 N"), /below tells why/);
  assert.match(whyNoForces(arm, [["note", "no forces: dampers depend on how arm moves, which nothing drives"]], "1 N"), /below tells why/);
});
