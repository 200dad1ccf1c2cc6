// A tool is a state machine of one gesture. It sees the drawing and acts through the bench; it knows no
// page, so that a test drives it with plain calls.

import type { Change } from "../core/changes";
import type { Operation } from "../core/operations";
import type { Mechanism } from "../document";
import type { Point, Poses } from "../core/place";
import type { Ghost } from "../view/paint";
import type { Spot } from "../view/hit";

export interface Press {
  at: Point;
  shift: boolean;
}

/** A hand on a part, from press to release. */
export interface Hand {
  to(target: Point): void;
  /** Let go; `done` hears the poses where it is then, null where nothing moved. */
  release(done: (poses: Poses | null) => void): void;
}

export interface Bench {
  document(): Mechanism;
  poses(): Poses;
  /** points within the pointer's reach, nearest first */
  near(at: Point): Spot[];
  partAt(at: Point): string | null;
  /** the link whose body is there and could be pinned, and the place on its middle line */
  bodyAt(at: Point): { part: string; at: Point } | null;
  /** how near counts as the same place, in drawing units */
  reach(): number;
  /** how far a pointer may go, in drawing units, before it pulls */
  still(): number;
  /** a frame of a drive that is shown becomes the drawing: a hand begins from what it sees */
  stay(): void;
  /** a point of the grid, where snapping is on */
  snapped(at: Point): Point;
  extent(): number;
  selected(): ReadonlySet<string>;
  select(names: readonly string[], add?: boolean): void;
  /** a change that is a setter's alone */
  act(label: string, change: (document: Mechanism) => Mechanism): void;
  /** operations of the server's editor; until it has answered, the document is shown as `shown` makes it */
  operate(label: string, operations: Operation[], shown: (document: Mechanism) => Mechanism, more?: Partial<Change>): void;
  /** act where parts are put elsewhere */
  actMarked(label: string, change: (document: Mechanism) => Mechanism): void;
  /** act, and let the server close the joints first */
  actClosed(label: string, change: (document: Mechanism) => Mechanism): void;
  /** let the server pull two points together and join them */
  actJoined(label: string, change: (document: Mechanism) => Mechanism, first: string, second: string): void;
  preview(document: Mechanism | null): void;
  grab(part: string, point: Point): Hand;
  pan(from: Point, to: Point): void;
  say(words: string): void;
  toggleTrace(ref: string): void;
}

export interface Tool {
  readonly hint: string;
  down(press: Press): void;
  move(press: Press): void;
  up(press: Press): void;
  /** Escape: forget what was begun */
  cancel(): void;
  /** Enter: finish what was begun */
  finish(): void;
  ghost(): Ghost;
}
