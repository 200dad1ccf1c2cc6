// Edit points: pull a point to another place on its link, and the link changes its shape; click on a link
// to add a point. Where the link is in a loop, the joints are closed again before the change is kept.

import { addPoint, movePoint } from "../core/commands";
import { distance, type Point } from "../core/place";
import type { Spot } from "../view/hit";
import type { Ghost } from "../view/paint";
import type { Bench, Press, Tool } from "./tool";

type State = { kind: "idle" } | { kind: "moving"; press: Point; pulled: boolean; spot: Spot; at: Point } | { kind: "adding"; part: string; at: Point };

export class EditTool implements Tool {
  readonly hint = "Edit points: pull a point to reshape its link; click on a link to add a point.";
  private state: State = { kind: "idle" };

  constructor(private readonly bench: Bench) {}

  down({ at }: Press): void {
    const [spot] = this.bench.near(at);
    const part = spot ? null : this.bench.partAt(at);
    if (spot) this.state = { kind: "moving", press: at, pulled: false, spot, at: spot.at };
    else if (part) this.state = { kind: "adding", part, at };
    if (spot) this.bench.select([spot.ref]);
  }

  move({ at }: Press): void {
    if (this.state.kind !== "moving") return;
    const { press, spot } = this.state;
    if (!this.state.pulled && distance(press, at) <= this.bench.still()) return;
    const place = this.bench.snapped([at[0] + spot.at[0] - press[0], at[1] + spot.at[1] - press[1]]);
    this.state = { ...this.state, pulled: true, at: place };
    this.bench.preview(movePoint(this.bench.document(), this.state.spot.ref, place));
  }

  up(): void {
    const state = this.state;
    this.cancel();
    if (state.kind === "adding") this.bench.act("Add a point", (document) => addPoint(document, state.part, state.at));
    if (state.kind !== "moving" || distance(state.at, state.spot.at) === 0) return;
    this.bench.actClosed("Reshape", (document) => movePoint(document, state.spot.ref, state.at));
  }

  cancel(): void {
    this.state = { kind: "idle" };
    this.bench.preview(null);
  }

  finish(): void {}

  ghost(): Ghost {
    return this.state.kind === "moving" ? { snap: { at: this.state.at, words: this.state.spot.ref } } : {};
  }
}
