// A hand on a linkage: from where the pointer is to where the parts are, by executing a grab's plan.
// A free point goes to the pointer. A point on a curve goes to the nearest place near by, found by
// Gauss-Newton in the driven coordinate; it never jumps to another branch segment, so nothing depends on speed.

import type { Point, Pose3, Poses } from "../core/place";
import { toWorld } from "../core/place";
import { ChangePoints } from "./change";
import { advance, WELL } from "./execute";
import { partPoses } from "./poses";
import { CUT, start, type PlanTables, type Run } from "./tables";

export interface GrabAnswer {
  kind: "held" | "curve" | "free";
  joint: string;
  why: string;
  poses: Poses;
  plan: PlanTables | null;
}

export interface Pulled {
  poses: Poses;
  /** the point is where the pointer is, or as near as its curve comes */
  reached: boolean;
  /** the plan cannot go on: another joint must lead, or a plan without cuts */
  limit: boolean;
}

const MOST_STEPS = 12;
/** Longest step of the driven coordinate: [rad], or of the size. */
const LONGEST = 0.25;
/** Difference for the curve's slope, and the step that counts as none. */
const NUDGE = 1e-6;
const STILL = 1e-7;
/** A pointer is ahead on the curve from this part of its distance on; of a step this is little. */
const AHEAD = 0.3;
const LITTLE = 0.1;
/** Ways round an edge that are tried when the straight one ends there [rad]; first and last step, of the size. */
const ROUND = [0.6, 1.1, 1.4, 1.52];
const ROUND_FIRST = 0.15;
const ROUND_LAST = 2e-3;
const MOST_ROUND = 24;

export class Pull {
  private readonly run: Run;
  private readonly change: ChangePoints;
  private here: Float64Array;
  private poses: Poses;

  constructor(
    private readonly grab: GrabAnswer & { plan: PlanTables },
    private readonly part: string,
    private readonly point: Point,
  ) {
    this.run = start(grab.plan);
    this.change = new ChangePoints(this.run);
    this.here = Float64Array.from(grab.plan.drawn);
    this.poses = grab.poses;
  }

  to(target: Point): Pulled {
    return this.grab.kind === "free" ? this.free(target) : this.along(target);
  }

  private free([x, y]: Point): Pulled {
    const unit = this.run.tables.unit;
    const goal = [x * unit, y * unit];
    let reached = this.go(goal);
    if (!reached) reached = this.round(goal);
    return this.seen(reached, !reached && this.run.tables.segments.some((segment) => segment[0] === CUT));
  }

  /** At an edge of the reach: slide along it in ever shorter steps, as far as that comes nearer. */
  private round(goal: number[]): boolean {
    const { size } = this.run.tables;
    let long = ROUND_FIRST * size;
    for (let k = 0; k < MOST_ROUND && long > ROUND_LAST * size; k++) {
      const [dx, dy] = [goal[0]! - this.here[0]!, goal[1]! - this.here[1]!];
      const far = Math.hypot(dx, dy);
      if (far < STILL * size) return true;
      const step = Math.min(long, far) / far;
      const came = ROUND.some((angle) =>
        [angle, -angle].some((turn) => {
          const c = step * Math.cos(turn), s = step * Math.sin(turn);
          return this.attempt([this.here[0]! + c * dx - s * dy, this.here[1]! + c * dy + s * dx], goal, far);
        }),
      );
      if (!came) long /= 3;
      else if (this.go(goal)) return true;
    }
    return false;
  }

  private attempt(tried: number[], goal: number[], far: number): boolean {
    const kept = this.here.slice(), state = this.run.state.slice();
    this.go(tried);
    const now = Math.hypot(goal[0]! - this.here[0]!, goal[1]! - this.here[1]!);
    if (now < far * (1 - NUDGE)) return true;
    this.run.state.set(state);
    this.go(kept);
    return false;
  }

  private along(target: Point): Pulled {
    let limit = false, ended = false;
    const scale = this.travels() ? this.run.tables.size : 1;
    let [at, slope] = this.slope(scale);
    for (let k = 0; k < MOST_STEPS; k++) {
      const gap: Point = [target[0] - at[0], target[1] - at[1]];
      const steep = slope[0] * slope[0] + slope[1] * slope[1];
      if (steep === 0) break;
      let step = (slope[0] * gap[0] + slope[1] * gap[1]) / steep;
      step = Math.max(-LONGEST * scale, Math.min(LONGEST * scale, step));
      if (Math.abs(step) < STILL * scale) break;
      const far = Math.hypot(...gap);
      // Where the pointer is ahead on the curve and only a little of the step leads nearer, the point turns back there.
      const ahead = Math.abs(slope[0] * gap[0] + slope[1] * gap[1]) > AHEAD * Math.sqrt(steep) * far;
      if (!this.shorten(step, target, far, scale)) {
        limit = this.blocked;
        ended = ahead;
        break;
      }
      ended = ahead && this.taken < LITTLE;
      [at, slope] = this.slope(scale);
    }
    return this.seen(!limit && !ended, limit);
  }

  /** How much of a step the last one took. */
  private taken = 1;

  /** What the linkage reaches of a value of the driven coordinate: a gap in its range is not stepped over. */
  private within(value: number): number {
    const [low, high] = this.stretch;
    return Math.min(high ?? Infinity, Math.max(low ?? -Infinity, value));
  }

  private blocked = false;

  /** Take the longest halving of a step that brings the point nearer. */
  private shorten(step: number, target: Point, far: number, scale: number): boolean {
    const from = this.here[0]!;
    const state = this.run.state.slice(), signs = this.run.ops.slice();
    const before = this.change.watched ? this.change.look() : null;
    this.blocked = false;
    for (let tried = step; Math.abs(tried) > STILL * scale; tried /= 2) {
      const goal = this.within(from + tried);
      const whole = this.go([goal]) && goal === from + tried;
      this.blocked ||= !whole;
      this.taken = tried / step;
      if (before && this.here[0] !== from && !this.change.settle(from, before)) {
        // A gap in the range lies between: what closes beyond it cannot be reached.
        this.blocked = true;
        this.back(from, state, signs);
        continue;
      }
      const [x, y] = this.at();
      // Creeping up to where a plan ends is not a step: it must count as blocked.
      const moves = whole || Math.abs(this.here[0]! - from) > STILL * scale;
      if (moves && Math.hypot(target[0] - x, target[1] - y) < far) return true;
      this.back(from, state, signs);
    }
    return false;
  }

  private back(from: number, state: Float64Array, signs: Int32Array): void {
    this.run.state.set(state);
    this.run.ops.set(signs);
    this.go([from]);
  }

  /** What is proved of the range, once it is. */
  knows(stretch: [number | null, number | null]): void {
    this.stretch = stretch;
  }
  private stretch: [number | null, number | null] = [null, null];

  private travels(): boolean {
    return this.run.tables.ops.some((row) => row[0] === 1 && row[3]! < 0);
  }

  /** The point, and how it moves with the driven coordinate. */
  private slope(scale: number): [Point, Point] {
    const at = this.at();
    const from = this.here[0]!;
    const state = this.run.state.slice();
    for (const nudge of [NUDGE * scale, -NUDGE * scale]) {
      const whole = this.go([from + nudge]);
      const [x, y] = this.at();
      this.run.state.set(state);
      this.go([from]);
      if (whole) return [at, [(x - at[0]) / nudge, (y - at[1]) / nudge]];
    }
    return [at, [0, 0]];
  }

  private go(goal: ArrayLike<number>): boolean {
    const { failed } = advance(this.run, this.here, goal);
    this.here = this.run.inputs.slice(0, this.run.driven);
    return failed === WELL;
  }

  private at(): Point {
    const pose = partPoses(this.run, this.poses)[this.part] as Pose3;
    return toWorld(pose, this.point);
  }

  private seen(reached: boolean, limit: boolean): Pulled {
    this.poses = partPoses(this.run, this.poses);
    return { poses: this.poses, reached, limit };
  }
}
