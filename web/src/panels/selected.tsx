// What is selected, in numbers that can be edited: lengths, angles, places, joints, drives.

import { directSlide, FORMS, movePoint, setDrive, setLength, turnPart, type Form } from "../core/commands";
import { angle, coordinate, drawnPoses, drives, endFrame, hasLine, jointsOf, markers, num, split, whereIs } from "../core/model";
import { wrongName } from "../core/names";
import type { Units } from "../core/operations";
import { angleOf, distance, type Point } from "../core/place";
import type { Drive, Joint, Mechanism } from "../document";
import { massWords } from "../core/words";
import { bench } from "../bench";
import { deleteAll, detach, driveJoint, groundPoints, renamePart, toggleJoint } from "../tools/edits";
import * as state from "../state";
import { dropBackground, kept, placeBackground } from "../view/background";
import { aboveZero, NumberField, short, TextField } from "./number";
import { actClosed, actTurned } from "../server";

const DEG = 180 / Math.PI;
const UNITS: Record<string, string> = { "1": "", m: "m", mm: "mm", in: "in" };

const unit = (): string => UNITS[state.shown.value.units ?? "m"] ?? "";

export function Selected() {
  const names = [...state.selected.value];
  return (
    <section aria-labelledby="selected-head">
      <h2 id="selected-head">Selected</h2>
      {names.length === 0 && <Page />}
      {names.length > 3 && <p class="note">{names.length} things. Pull to move them together, Delete to remove them.</p>}
      {names.slice(0, 3).map((name) => (
        <One key={name} name={name} />
      ))}
    </section>
  );
}

function One({ name }: { name: string }) {
  if (name.startsWith("joint:")) return <JointCard name={name.slice(6)} />;
  return name.includes(".") ? <PointCard ref_={name} /> : <PartCard name={name} />;
}

/** On an empty page nothing has a size; else the person says what stays. */
function setUnits(units: Units): void {
  if (state.isBlank(state.shown.value)) return state.act("Units", (document) => ({ ...document, units }));
  state.wantedUnits.value = units;
  state.dialog.value = "units";
}

function Page() {
  const document = state.shown.value;
  return (
    <>
      <p class="note">Nothing. Click a link, a point or a joint; or press N to go through them.</p>
      <label class="field">
        <span>Lengths in</span>
        <select value={document.units ?? "m"} onChange={(event) => {
            const chosen = event.currentTarget.value as Units;
            event.currentTarget.value = document.units ?? "m"; // until it is done
            setUnits(chosen);
          }}
        >
          <option value="mm">millimetres</option>
          <option value="m">metres</option>
          <option value="in">inches</option>
          <option value="1">any unit</option>
        </select>
      </label>
      {kept.value && <Picture {...kept.value} />}
    </>
  );
}

function Picture({ at: [x, y], width }: { at: [number, number]; width: number }) {
  return (
    <div class="card">
      <h3>The picture under the drawing</h3>
      <NumberField label="Width" value={width} unit={unit()} wrong={aboveZero} onSet={(wide) => placeBackground({ width: wide })} />
      <NumberField label="Left edge x" value={x} unit={unit()} onSet={(next) => placeBackground({ at: [next, y] })} />
      <NumberField label="Lower edge y" value={y} unit={unit()} onSet={(next) => placeBackground({ at: [x, next] })} />
      <button type="button" onClick={dropBackground}>
        Take it away
      </button>
    </div>
  );
}

function PartCard({ name }: { name: string }) {
  const document = state.shown.value;
  const part = document.parts?.[name];
  if (!part) return null;
  const points = markers(part);
  const [first] = points;
  const pairs = points.slice(1).map(([other, frame], k) => [points[k]![0], other, distance(pointOf(points[k]![1]), pointOf(frame))] as const);
  const here = (marker: string) => whereIs(document, state.calmPoses.value, `${name}.${marker}`)!;
  const loose = !jointsOf(document, name).length && !part.fixed;
  const rename = (next: string): void => {
    const wrong = wrongName(next, document.parts);
    if (wrong) state.status.value = `Not done: ${wrong}`;
    else renamePart(bench, name, next);
  };
  return (
    <div class="card">
      <label class="field">
        <span>{part.fixed ? "Ground" : "Link"}</span>
        <TextField label="Name" value={name} onSet={rename} />
      </label>
      {pairs.map(([a, b, length]) => (
        <NumberField key={a + b} label={`${a} to ${b}`} value={length} unit={unit()} wrong={aboveZero} onSet={(value) => bench.actClosed(`Length of ${name}`, (made) => setLength(made, name, a, b, value))} />
      ))}
      {first && points[1] && !part.fixed && (
        <NumberField label="Direction" value={angleOf(here(first[0]), here(points[1][0])) * DEG} unit="°" onSet={(value) => actTurned(`Turn ${name}`, name, (made) => turnPart(made, name, value / DEG))} />
      )}
      {!part.fixed && <p class="note">{massWords(document, name)}</p>}
      {loose && <p class="note">Joined to nothing yet.</p>}
      <button type="button" onClick={() => deleteAll(bench, [name])}>
        Delete
      </button>
    </div>
  );
}

/** What was typed holds to this part of the machine's extent, and of a radian. */
const HELD = 1e-9;

const pointOf = ([x, y]: readonly number[]): Point => [x!, y!];

function PointCard({ ref_ }: { ref_: string }) {
  const document = state.shown.value;
  const at = whereIs(document, state.calmPoses.value, ref_);
  if (!at) return null;
  const lost = (next: Point) => (made: Mechanism): string | null => {
    const there = whereIs(made, drawnPoses(made), ref_)!;
    return distance(there, next) <= HELD * state.extent() ? null : `the joints bring ${ref_} to ${short(there[0])}, ${short(there[1])}: change a length, or let a joint go`;
  };
  const move = (next: Point): void => actClosed(`Move ${ref_}`, (made) => movePoint(made, ref_, next), lost(next));
  return (
    <div class="card">
      <h3>Point {ref_}</h3>
      <NumberField label="x" value={at[0]} unit={unit()} onSet={(x) => move([x, at[1]])} />
      <NumberField label="y" value={at[1]} unit={unit()} onSet={(y) => move([at[0], y])} />
      <button type="button" onClick={() => groundPoints(bench, [ref_])}>
        Ground it
      </button>
      <button type="button" onClick={() => bench.toggleTrace(ref_)}>
        Trace it
      </button>
      <button type="button" onClick={() => deleteAll(bench, [ref_])}>
        Delete
      </button>
    </div>
  );
}

/** Where a joint is: in step with the canvas and the player, so that it is drawn anew by itself. */
function NowAt({ document, joint, slides }: { document: Mechanism; joint: Joint; slides: boolean }) {
  const value = coordinate(document, state.poses.value, joint);
  return <>{`; now at ${slides ? `${value.toPrecision(5)} ${unit()}` : `${(value * DEG).toFixed(1)}°`}`}</>;
}

function JointCard({ name }: { name: string }) {
  const document = state.shown.value;
  const joint = document.joints?.[name];
  if (!joint) return null;
  const driven = drives(document).find(([, drive]) => drive.joint === name);
  const found = joint.type === "infer" ? state.report.value?.explanation?.joints?.find((each) => each.name === name && each.inferred) : undefined;
  const slides = joint.type === "prismatic";
  const forms = (Object.keys(FORMS) as Form[]).filter((form) => form !== joint.type && Object.hasOwn(FORMS, joint.type));
  const direct = (turn: number): void => {
    const lost = (made: Mechanism): string | null => {
      const now = endFrame(made, drawnPoses(made), made.joints![name]!, 0)[2];
      return Math.abs(Math.sin(now - turn)) <= HELD ? null : `the joints turn the line to ${short(now * DEG)}°: turn its link instead`;
    };
    actClosed(`Turn the line of ${name}`, (made) => directSlide(made, name, turn), lost);
  };
  const moving = joint.between.find((ref) => !document.parts?.[split(ref)[0]]?.fixed);
  return (
    <div class="card">
      <h3>
        Joint {name}: {found ? `${FORMS[found.type as Form] ?? found.type}, found from the shapes` : (FORMS[joint.type as Form] ?? joint.type)}
      </h3>
      {found && <p class="note">{found.why}</p>}
      <p class="note">
        between {joint.between.join(" and ")}
        {(slides || joint.type === "revolute") && <NowAt document={document} joint={joint} slides={slides} />}
      </p>
      {hasLine(joint) && (
        <NumberField label="Line at" value={endFrame(document, state.calmPoses.value, joint, 0)[2] * DEG} unit="°" onSet={(turn) => direct(turn / DEG)} />
      )}
      {forms.map((form) => (
        <button key={form} type="button" onClick={() => toggleJoint(bench, name, form)}>
          Make it a {FORMS[form]}
        </button>
      ))}
      {(slides || joint.type === "revolute") && (
        <button type="button" onClick={() => driveJoint(bench, name)}>
          {driven ? "Take the drive away" : "Drive it"}
        </button>
      )}
      {moving && (
        <button type="button" onClick={() => bench.toggleTrace(moving)}>
          Trace it
        </button>
      )}
      <button type="button" onClick={() => detach(bench, name)}>
        Take apart
      </button>
      {driven && <DriveFields name={driven[0]} drive={driven[1]} slides={slides} />}
    </div>
  );
}

const wholeSteps = (value: number): string | null => (Number.isInteger(value) && value >= 1 ? null : "Steps are counted: give a whole number, 1 or more.");

/** Positions that the file lists one by one: the first few, and how many. */
function listedWords(name: string, positions: number[], of: string): string {
  const few = positions.slice(0, MOST_LISTED).map(short).join(", ") + (positions.length > MOST_LISTED ? ", …" : "");
  return `${name} goes through ${positions.length === 1 ? "the one position" : `the ${positions.length} positions`} that the file lists [${of || "length"}]: ${few}.`;
}

const MOST_LISTED = 8;

function DriveFields({ name, drive, slides }: { name: string; drive: Drive; slides: boolean }) {
  const scale = slides ? 1 : DEG;
  const set = (key: "from" | "to", value: number): void => {
    const change: Partial<Drive> = slides ? { [key]: value } : { [key]: undefined, [`${key}_deg`]: value };
    state.act(`Range of ${name}`, (document) => setDrive(document, name, change));
  };
  const read = (key: "from" | "to"): number =>
    slides ? num(drive[key]) : angle(drive[key], key === "from" ? drive.from_deg : drive.to_deg) * scale;
  const listed = drive.inputs?.map((value) => num(value) * scale) ?? drive.inputs_deg?.map((value) => num(value));
  if (listed) return <p class="note">{listedWords(name, listed, slides ? unit() : "°")}</p>;
  if (![drive.from, drive.from_deg, drive.to, drive.to_deg].some((end) => end !== undefined)) return <p class="note">{name} gives a torque or a force; it goes through no positions.</p>;
  return (
    <>
      <NumberField label="Drive from" value={read("from")} unit={slides ? unit() : "°"} onSet={(value) => set("from", value)} />
      <NumberField label="to" value={read("to")} unit={slides ? unit() : "°"} onSet={(value) => set("to", value)} />
      <NumberField label="in steps" value={drive.steps ?? 1} unit="" wrong={wholeSteps} onSet={(value) => state.act("Steps", (document) => setDrive(document, name, { steps: value }))} />
    </>
  );
}
