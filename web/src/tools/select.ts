// Select and move: press on a link and pull it, and the linkage follows; pull a point onto another and
// they are joined; press beside everything and draw a box to select many.

import { join, partners, setPoses, shift } from "../core/commands";
import { drawnPoses, jointsAt, jointsOf, whereIs } from "../core/model";
import { AT_HOME, distance, toPart, toWorld, type Point } from "../core/place";
import { lengthWords } from "../core/words";
import { spots, type Spot } from "../view/hit";
import type { Mechanism } from "../document";
import type { Ghost } from "../view/paint";
import type { Bench, Hand, Press, Tool } from "./tool";

type State =
  | { kind: "idle" }
  | { kind: "pressed"; press: Point; from: Point; part: string; spot: Spot | null }
  | { kind: "pulling"; off: Point; from: Point; at: Point; hand: Hand; part: string; held: Point; spot: Spot | null; onto: Spot | null }
  | { kind: "shifting"; off: Point; from: Point; at: Point; parts: string[]; spot: Spot | null; onto: Spot | null }
  | { kind: "box"; from: Point; at: Point };

/** A joint made by pulling: the points must be one to this part of the machine's extent. */
const ONE_PLACE = 1e-6;

export class SelectTool implements Tool {
  readonly hint = "Pull any link and the machine follows. Pull a free point onto another to join them.";
  private state: State = { kind: "idle" };

  constructor(private readonly bench: Bench) {}

  down({ at, shift: add }: Press): void {
    const [spot] = this.bench.near(at);
    const part = spot?.part ?? this.bench.partAt(at);
    if (!part) {
      this.state = { kind: "box", from: at, at };
      if (!add) this.bench.select([]);
      return;
    }
    const joint = spot && jointsAt(this.bench.document(), spot.ref)[0];
    const name = joint ? `joint:${joint[0]}` : spot ? spot.ref : part;
    if (!this.bench.selected().has(spot ? name : part)) this.bench.select([name], add);
    this.state = { kind: "pressed", press: at, from: spot?.at ?? at, part, spot: spot ?? null };
  }

  move({ at }: Press): void {
    const state = this.state;
    // A hand that presses is never quite still: a click moves nothing.
    if (state.kind === "pressed" && distance(state.press, at) > this.bench.still()) this.begin(state);
    if (this.state.kind === "box") this.state = { ...this.state, at };
    if (this.state.kind === "pulling" || this.state.kind === "shifting") this.follow(this.state, at);
  }

  up(press: Press): void {
    this.move(press);
    const state = this.state;
    this.state = { kind: "idle" };
    if (state.kind === "box") this.choose(state.from, state.at);
    if (state.kind === "pulling") this.letGo(state);
    if (state.kind === "shifting") this.put(state);
  }

  cancel(): void {
    if (this.state.kind === "pulling") this.state.hand.release(() => undefined);
    this.bench.preview(null);
    this.state = { kind: "idle" };
  }

  finish(): void {}

  ghost(): Ghost {
    const state = this.state;
    if (state.kind === "box") return { box: [state.from, state.at] };
    if (state.kind !== "pulling" && state.kind !== "shifting") return {};
    const snap = state.onto ? { at: state.onto.at, words: "join here" } : null;
    if (state.kind === "shifting") return { snap };
    const now = toWorld(this.bench.poses()[state.part] ?? AT_HOME, state.held);
    const gap = distance(now, state.at);
    if (gap <= this.bench.reach()) return { snap };
    return { snap, pull: [now, state.at], words: lengthWords(this.bench.document(), gap) };
  }

  /** A part that no joint holds is moved as it is; any other is pulled, and the joints decide. */
  private begin({ press, from, part, spot }: State & { kind: "pressed" }): void {
    this.bench.stay();
    // The point stays as far from the pointer as it was taken hold of.
    const off = difference(press, from);
    const document = this.bench.document();
    const chosen = [...this.bench.selected()].filter((name) => Object.hasOwn(document.parts ?? {}, name));
    const together = chosen.includes(part) ? chosen : [part];
    const loose = together.every((name) => !jointsOf(document, name).length && !document.parts?.[name]?.fixed);
    if (loose) {
      this.state = { kind: "shifting", off, from, at: from, parts: together, spot, onto: null };
      return;
    }
    const held = toPart(this.bench.poses()[part] ?? AT_HOME, from);
    this.state = { kind: "pulling", off, from, at: from, hand: this.bench.grab(part, held), part, held, spot, onto: null };
  }

  private follow(state: State & { kind: "pulling" | "shifting" }, pointer: Point): void {
    const at: Point = [pointer[0] + state.off[0], pointer[1] + state.off[1]];
    const onto = state.spot && !jointsAt(this.bench.document(), state.spot.ref).length ? this.other(state.spot, at) : null;
    const target = onto?.at ?? (state.kind === "shifting" && state.spot ? this.bench.snapped(at) : at);
    this.state = { ...state, at: target, onto };
    if (state.kind === "pulling") state.hand.to(target);
    else this.bench.preview(shift(this.bench.document(), state.parts, difference(state.from, target)));
  }

  /** A point of another part that a free one may be joined to. */
  private other(spot: Spot, at: Point): Spot | null {
    const document = this.bench.document();
    const joined = new Set([spot.ref, ...partners(document, spot.ref)]);
    return this.bench.near(at).find((near) => near.part !== spot.part && !joined.has(near.ref)) ?? null;
  }

  private letGo({ hand, spot, onto }: State & { kind: "pulling" }): void {
    hand.release((poses) => {
      const move = (document: Mechanism): Mechanism => (poses ? setPoses(document, poses) : document);
      if (spot && onto) this.join(move, spot, onto);
      else if (move(this.bench.document()) !== this.bench.document()) this.bench.actMarked("Move", move);
    });
  }

  private put({ from, at, parts, spot, onto }: State & { kind: "shifting" }): void {
    this.bench.preview(null);
    const move = (document: Mechanism): Mechanism => shift(document, parts, difference(from, at));
    if (spot && onto) this.join(move, spot, onto);
    else this.bench.act("Move", move);
  }

  /** Joined where they meet; where the joints keep them apart, the server pulls both machines together. */
  private join(move: (document: Mechanism) => Mechanism, spot: Spot, onto: Spot): void {
    const moved = move(this.bench.document());
    const poses = drawnPoses(moved);
    const [a, b] = [whereIs(moved, poses, onto.ref), whereIs(moved, poses, spot.ref)];
    const meet = a && b && distance(a, b) <= ONE_PLACE * this.bench.extent();
    if (meet) this.bench.actMarked("Move and join", (document) => join(move(document), onto.ref, spot.ref));
    else this.bench.actJoined("Move and join", move, onto.ref, spot.ref);
  }

  private choose(from: Point, to: Point): void {
    const [left, right] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])];
    const [low, high] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];
    if (right - left < this.bench.reach() && high - low < this.bench.reach()) return;
    const document = this.bench.document();
    if (!Object.keys(document.parts ?? {}).length) return this.bench.say("Nothing is drawn yet. Take Link (L), then press and pull.");
    const within = new Set(
      spots(document, this.bench.poses())
        .filter(({ at: [x, y] }) => x >= left && x <= right && y >= low && y <= high)
        .map((spot) => spot.part)
        .filter((part) => !document.parts?.[part]?.fixed),
    );
    if (within.size) this.bench.select([...within], true);
  }
}

function difference([ax, ay]: Point, [bx, by]: Point): Point {
  return [bx - ax, by - ay];
}
