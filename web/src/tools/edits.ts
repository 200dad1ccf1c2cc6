// Edits that tools, keys and panels share: each is one step, done by the server's editor.

import { addDrive, FORMS, ground, groundedBy, hidden, nextForm, ofItsCoordinate, otherForm, type Form } from "../core/commands";
import { drives } from "../core/model";
import { driveOperations, remove, toggle, type Operation } from "../core/operations";
import { list } from "../core/words";
import type { Bench } from "./tool";

/** Pin points to the ground; one that is pinned already is let go. */
export function groundPoints(bench: Bench, refs: readonly string[], label = "Ground a point"): void {
  const held = refs.map((ref) => groundedBy(bench.document(), ref));
  const operations = refs.map((ref, k): Operation => (held[k] ? { do: "detach", joint: held[k]! } : { do: "ground", marker: ref }));
  bench.operate(label, operations, (document) =>
    refs.reduce((shown, ref, k) => (held[k] ? hidden(shown, [`joint:${held[k]}`]) : ground(shown, ref)), document),
  );
}

/** Drive a joint; one that is driven already is let go. */
export function driveJoint(bench: Bench, joint: string, said?: string): void {
  const document = bench.document();
  const operations = driveOperations(document, joint, bench.extent());
  const had = drives(document).find(([, drive]) => drive.joint === joint);
  if (!operations.length) return bench.say(`The joint ${joint} cannot be driven: only pins and slides can.`);
  const extent = bench.extent();
  if (had) bench.operate(`No drive at ${joint}`, operations, (shown) => hidden(shown, [`drive:${had[0]}`]));
  else bench.operate(`Drive ${joint}`, operations, (shown) => addDrive(shown, joint, extent), { said });
}

/** A pin becomes a pin in a slot, that a slide, that a pin again; or what is asked for. */
export function toggleJoint(bench: Bench, joint: string, to: Form | null = nextForm(bench.document(), joint)): void {
  if (!to) return bench.say(`The joint ${joint} has no other form: only pins, pins in slots and slides have.`);
  const gone = ofItsCoordinate(bench.document(), joint);
  const was = bench.document().joints![joint]!.type as Form;
  bench.operate(`Make ${joint} a ${FORMS[to]}`, [toggle(bench.document(), joint, to)], (document) => otherForm(document, joint, to), {
    said: `${joint} is a ${FORMS[to]} now${gone.length ? `, without its ${list(gone)}: those were of the ${FORMS[was]} (undo brings them back)` : ""}.`,
  });
}

/** Delete what is named: parts (I), points (I.A), joints (joint:A), drives (drive:x). */
export function deleteAll(bench: Bench, names: readonly string[]): void {
  const label = `Delete ${names.map((name) => name.replace(/^\w+:/, "")).join(", ")}`;
  bench.operate(label, [remove(names)], (document) => hidden(document, names));
}

/** Take a joint apart. */
export function detach(bench: Bench, joint: string): void {
  bench.operate(`Take joint ${joint} apart`, [{ do: "detach", joint }], (document) => hidden(document, [`joint:${joint}`]));
}

/** Another name for a part. */
export function renamePart(bench: Bench, name: string, to: string): void {
  bench.operate(`Rename ${name}`, [{ do: "rename", path: `parts.${name}`, to }], (document) => document, { after: () => bench.select([to]) });
}
