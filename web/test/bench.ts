// A bench without a page, driven in sentences of pointer events.

import { begin, record, undo, type History } from "../src/core/history";
import { empty, join } from "../src/core/commands";
import { drawnPoses } from "../src/core/model";
import type { Point, Poses } from "../src/core/place";
import type { Operation } from "../src/core/operations";
import type { Mechanism } from "../src/document";
import type { Bench, Tool } from "../src/tools/tool";
import { bodyAt, near, partAt } from "../src/view/hit";

export class PaperBench implements Bench {
  history: History = begin(empty());
  words: string[] = [];
  chosen: ReadonlySet<string> = new Set();
  previewed: Mechanism | null = null;
  /** What a pull answers; the server is not here. */
  pulled: Poses | null = null;
  traced: string[] = [];
  operations: Operation[] = [];

  document = (): Mechanism => this.history.present;
  poses = (): Poses => drawnPoses(this.previewed ?? this.history.present);
  near = (at: Point) => near(this.document(), this.poses(), at, this.reach());
  partAt = (at: Point) => partAt(this.document(), this.poses(), {}, at, this.reach());
  bodyAt = (at: Point) => bodyAt(this.document(), this.poses(), {}, at, 2);
  reach = () => 3;
  still = () => 1;
  stay = () => undefined;
  snapped = ([x, y]: Point): Point => [Math.round(x), Math.round(y)];
  extent = () => 100;
  selected = () => this.chosen;
  select = (names: readonly string[], add = false) => void (this.chosen = new Set(add ? [...this.chosen, ...names] : names));
  act = (label: string, change: (document: Mechanism) => Mechanism) => void (this.history = record(this.history, label, change(this.document())));
  /** What the server is asked; it is not here, so the document is what is shown meanwhile. */
  operate = (label: string, operations: Operation[], shown: (document: Mechanism) => Mechanism, more?: { said?: string }) => {
    this.operations.push(...operations);
    if (more?.said) this.words.push(more.said);
    this.act(label, shown);
  };
  actMarked = this.act;
  actClosed = this.act;
  actJoined = (label: string, change: (document: Mechanism) => Mechanism, first: string, second: string) =>
    this.act(label, (document) => join(change(document), first, second));
  preview = (document: Mechanism | null) => void (this.previewed = document);
  grab = () => ({ to: () => undefined, release: (done: (poses: Poses | null) => void) => done(this.pulled) });
  pan = () => undefined;
  say = (words: string) => void this.words.push(words);
  toggleTrace = (ref: string) => void this.traced.push(ref);
  undo = () => void (this.history = undo(this.history));
}

export function drag(tool: Tool, from: Point, ...via: Point[]): void {
  tool.down({ at: from, shift: false });
  for (const at of via) tool.move({ at, shift: false });
  tool.up({ at: via[via.length - 1] ?? from, shift: false });
}

export function click(tool: Tool, at: Point, shift = false): void {
  tool.move({ at, shift });
  tool.down({ at, shift });
  tool.up({ at, shift });
}
