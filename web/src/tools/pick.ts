// Tools of one click on a point: ground it, drive its joint, change its joint's type, trace its curve.

import { FORMS, groundedBy, nextForm } from "../core/commands";
import { drives, jointsAt, split } from "../core/model";
import type { Spot } from "../view/hit";
import type { Ghost } from "../view/paint";
import type { Point } from "../core/place";
import { driveJoint, groundPoints, toggleJoint } from "./edits";
import type { Bench, Press, Tool } from "./tool";

abstract class PickTool implements Tool {
  abstract readonly hint: string;
  /** what a click here would do */
  protected abstract words(spots: Spot[]): string;
  protected abstract readonly nothing: string;
  private over: Point | null = null;

  constructor(protected readonly bench: Bench) {}

  protected abstract pick(spots: Spot[]): void;

  down(): void {}

  move({ at }: Press): void {
    this.over = at;
  }

  up({ at }: Press): void {
    const found = this.bench.near(at);
    if (found.length) this.pick(found);
    else this.bench.say(this.nothing);
  }

  cancel(): void {
    this.over = null;
  }

  finish(): void {}

  ghost(): Ghost {
    const found = this.over ? this.bench.near(this.over) : [];
    const [spot] = found;
    return { snap: spot ? { at: spot.at, words: this.words(found) } : null };
  }

  /** The joint at a spot: of a pin with several, the one to the ground first. */
  protected jointAt(spots: Spot[]): string | null {
    const document = this.bench.document();
    const found = spots.flatMap((spot) => jointsAt(document, spot.ref));
    const grounded = found.find(([, joint]) => joint.between.some((ref) => document.parts?.[split(ref)[0]]?.fixed));
    return (grounded ?? found[0])?.[0] ?? null;
  }
}

export class GroundTool extends PickTool {
  readonly hint = "Ground: click a point to pin it to the ground; click again to let it go.";
  protected words([spot]: Spot[]): string {
    return spot && groundedBy(this.bench.document(), spot.ref) ? "let this point go" : "ground this point";
  }
  protected readonly nothing = "There is no point here. Click the end of a link to ground it.";

  protected pick([spot]: Spot[]): void {
    const document = this.bench.document();
    const moving = spot && !document.parts?.[spot.part]?.fixed ? spot : null;
    if (!moving) return this.bench.say("This point belongs to the ground already.");
    const held = groundedBy(document, moving.ref);
    groundPoints(this.bench, [moving.ref], held ? "Let a point go" : "Ground a point");
  }
}

export class DriveTool extends PickTool {
  readonly hint = "Drive: click a joint and it will turn (or slide) when you play.";
  protected words(found: Spot[]): string {
    const joint = this.jointAt(found);
    if (!joint) return "joined to nothing";
    return this.isDriven(joint) ? "take its drive away" : "drive this joint";
  }
  protected readonly nothing = "There is no joint here. Click a pin that joins two links, or one on the ground.";

  protected pick(found: Spot[]): void {
    const joint = this.jointAt(found);
    if (!joint) return this.bench.say("This point is not joined to anything yet: ground it (G) or join a link to it first.");
    driveJoint(this.bench, joint, `${joint} is driven now. Press Space to play.`);
  }

  private isDriven(joint: string): boolean {
    return drives(this.bench.document()).some(([, drive]) => drive.joint === joint);
  }
}

export class JointTool extends PickTool {
  readonly hint = "Joint type: click a pin and it slides along a slot; click again for a slide that does not turn, and again for a pin.";
  protected words(found: Spot[]): string {
    const joint = this.jointAt(found);
    const to = joint && nextForm(this.bench.document(), joint);
    return to ? `make it a ${FORMS[to]}` : "no pin and no slide";
  }
  protected readonly nothing = "There is no joint here.";

  protected pick(found: Spot[]): void {
    const joint = this.jointAt(found);
    if (!joint) return this.bench.say("This point is not joined to anything yet.");
    this.bench.select([`joint:${joint}`]);
    toggleJoint(this.bench, joint);
  }
}

export class TraceTool extends PickTool {
  readonly hint = "Trace: click a point to see the curve it draws as the drive plays.";
  protected words(): string {
    return "trace this point";
  }
  protected readonly nothing = "There is no point here. Add one with Edit points (E), then trace it.";

  protected pick([spot]: Spot[]): void {
    if (spot) this.bench.toggleTrace(spot.ref);
  }
}

export class PanTool implements Tool {
  readonly hint = "Pan: pull the drawing about. The wheel zooms; so do + and −.";
  private from: Point | null = null;

  constructor(private readonly bench: Bench) {}

  down({ at }: Press): void {
    this.from = at;
  }
  move({ at }: Press): void {
    if (this.from) this.bench.pan(this.from, at);
  }
  up(): void {
    this.from = null;
  }
  cancel(): void {
    this.from = null;
  }
  finish(): void {}
  ghost(): Ghost {
    return {};
  }
}
