// How the page reads documents and what it asks of the server's editor: documents in, for each where its parts
// and joints are, and every operation that a hand can ask for, with the document that is shown meanwhile.

import { readFileSync } from "node:fs";
import { setPoses } from "../src/core/commands";
import { begin } from "../src/core/history";
import { coordinate, drawnPoses, drives, endFrame, joints, markers, parts } from "../src/core/model";
import type { Operation } from "../src/core/operations";
import type { Poses } from "../src/core/place";
import type { Mechanism } from "../src/document";
import { deleteAll, detach, driveJoint, groundPoints, renamePart, toggleJoint } from "../src/tools/edits";
import { LinkTool } from "../src/tools/link";
import { spots } from "../src/view/hit";
import { drag, PaperBench } from "./bench";

interface Asked {
  label: string;
  operations: Operation[];
  shown: Mechanism;
}

function asked(document: Mechanism, hand: (bench: PaperBench) => void): Asked[] {
  const bench = new PaperBench();
  bench.history = begin(document);
  hand(bench);
  const [step] = bench.history.past;
  return step && bench.operations.length ? [{ label: step.label, operations: bench.operations, shown: bench.document() }] : [];
}

function hands(document: Mechanism): ((bench: PaperBench) => void)[] {
  const all = spots(document, drawnPoses(document));
  return [
    ...parts(document).flatMap(([name]) => [
      (bench: PaperBench) => renamePart(bench, name, "renamed"),
      (bench: PaperBench) => deleteAll(bench, [name]),
      (bench: PaperBench) => bench.operate(`Paste ${name}`, [{ do: "paste", parts: [name], by: [1, 2], from: document }], (made) => made),
    ]),
    ...all.flatMap(({ ref, at: [x, y] }) => [
      (bench: PaperBench) => groundPoints(bench, [ref]),
      (bench: PaperBench) => deleteAll(bench, [ref]),
      (bench: PaperBench) => drag(new LinkTool(bench), [x, y], [x + 17, y + 29]),
    ]),
    ...joints(document).flatMap(([name]) => [
      (bench: PaperBench) => toggleJoint(bench, name),
      (bench: PaperBench) => detach(bench, name),
      (bench: PaperBench) => driveJoint(bench, name),
      (bench: PaperBench) => deleteAll(bench, [`joint:${name}`]),
    ]),
    ...drives(document).map(([name]) => (bench: PaperBench) => deleteAll(bench, [`drive:${name}`])),
  ];
}

/** Every part a little aside, each by another way. */
function aside(poses: Poses): Poses {
  return Object.fromEntries(Object.entries(poses).map(([name, [x, y, turn]], k) => [name, [x + 0.5 + k, y - 0.25 * k, turn + 0.125 * (k + 1)]]));
}

const documents = JSON.parse(readFileSync(0, "utf8")) as Mechanism[];
const answers = documents.map((document) => {
  const poses = drawnPoses(document);
  const moved = aside(poses);
  return {
    poses,
    markers: Object.fromEntries(parts(document).map(([name, part]) => [name, Object.fromEntries(markers(part))])),
    ends: Object.fromEntries(joints(document).map(([name, joint]) => [name, [endFrame(document, poses, joint, 0), endFrame(document, poses, joint, 1)]])),
    coordinates: Object.fromEntries(joints(document).map(([name, joint]) => [name, coordinate(document, poses, joint)])),
    asked: hands(document).flatMap((hand) => asked(document, hand)),
    moved,
    placed: setPoses(document, moved),
  };
});
process.stdout.write(JSON.stringify(answers));
