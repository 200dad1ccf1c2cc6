// Draw a link: press at its first point and release at its second, or click both. With Shift each click
// adds one more point; Enter or a click without Shift ends it. A point that lands on another is joined to it;
// one that lands on the body of a link is pinned to it there.

import { addLink, type Onto } from "../core/commands";
import { split } from "../core/model";
import { linkOperations } from "../core/operations";
import { distance, type Point } from "../core/place";
import type { Mechanism } from "../document";
import type { Ghost } from "../view/paint";
import type { Bench, Press, Tool } from "./tool";

interface Corner {
  at: Point;
  onto: Onto;
}

type State = { kind: "idle"; at: Point | null } | { kind: "drawing"; corners: Corner[]; next: Corner; pressed: boolean };

export class LinkTool implements Tool {
  readonly hint = "Draw a link: press at one end, release at the other. End on a point or on a link to join it. Shift adds more points.";
  private state: State = { kind: "idle", at: null };

  constructor(private readonly bench: Bench) {}

  down({ at }: Press): void {
    const corner = this.corner(at);
    if (this.state.kind === "idle") this.state = { kind: "drawing", corners: [corner], next: corner, pressed: true };
    else this.state = { ...this.state, next: corner };
  }

  move({ at }: Press): void {
    if (this.state.kind === "idle") this.state = { kind: "idle", at };
    else this.state = { ...this.state, next: this.corner(at) };
  }

  up({ at, shift }: Press): void {
    if (this.state.kind !== "drawing") return;
    const corner = this.corner(at);
    const last = this.state.corners[this.state.corners.length - 1]!;
    const stayed = distance(last.at, corner.at) < this.bench.reach();
    const first = this.state.pressed && this.state.corners.length === 1;
    if (stayed) {
      // A click, not a drag: the next click is the other end.
      if (first) this.state = { ...this.state, pressed: false };
      return;
    }
    const corners = [...this.state.corners, corner];
    this.state = { kind: "drawing", corners, next: corner, pressed: false };
    if (!shift) this.finish();
  }

  cancel(): void {
    this.state = { kind: "idle", at: null };
  }

  finish(): void {
    if (this.state.kind === "drawing" && this.state.corners.length > 1) {
      const { corners } = this.state;
      const before = Object.keys(this.bench.document().parts ?? {});
      const [points, onto] = [corners.map((c) => c.at), corners.map((c) => c.onto)];
      const draw = (document: Mechanism): Mechanism => addLink(document, points, onto);
      const made = draw(this.bench.document());
      this.bench.operate("Draw a link", linkOperations(this.bench.document(), points, onto), draw);
      this.bench.select(Object.keys(made.parts ?? {}).filter((name) => !before.includes(name)));
    }
    this.cancel();
  }

  ghost(): Ghost {
    if (this.state.kind === "idle") {
      const { at, onto } = this.state.at ? this.corner(this.state.at) : { at: null, onto: null };
      return { snap: at && onto ? { at, words: typeof onto === "string" ? "start here: joined" : `start here: pinned to ${onto.part}` } : null };
    }
    const { corners, next } = this.state;
    return {
      points: [...corners.map((c) => c.at), next.at],
      snap: next.onto && next.at !== corners[0]!.at ? { at: next.at, words: typeof next.onto === "string" ? "join here" : `pin it to ${next.onto.part} here` } : null,
    };
  }

  private corner(at: Point): Corner {
    const [spot] = this.bench.near(at);
    if (spot) return { at: spot.at, onto: spot.ref };
    const body = this.bench.bodyAt(at);
    const first = this.state.kind === "drawing" ? this.state.corners[0]!.onto : null;
    const begun = first && (typeof first === "string" ? split(first)[0] : first.part);
    return body && body.part !== begun ? { at: body.at, onto: { part: body.part } } : { at: this.bench.snapped(at), onto: null };
  }
}
