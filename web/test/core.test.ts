import assert from "node:assert/strict";
import { COUNT, EXPECTATION, HORIZON, MOMENTS } from "../src/core/ahead";
import { counts } from "../src/core/counts";
import { commandLine, questionsOf } from "../src/core/questions";
import { test } from "node:test";
import { Changes, type Change } from "../src/core/changes";
import { addLink, directSlide, empty, ground, hidden, isTiedToWorld, join, movePoint, otherForm, setLength, setPoses, turnPart } from "../src/core/commands";
import { begin, record, redo, undo } from "../src/core/history";
import { coordinate, drawnPoses, joints, num, whereIs, whereJoint } from "../src/core/model";
import { fresh, letter, wrongName } from "../src/core/names";
import { compose, distance, hull, toPart, toWorld } from "../src/core/place";
import { read } from "../src/core/numbers";
import { pack, unpack } from "../src/core/share";
import type { Mechanism } from "../src/document";
import { TEMPLATES } from "../src/core/templates";
import { axisOf, inputWords, nearestIn } from "../src/core/axis";
import { describe, massWords, nearMiss, runsOverTime, verdict, whyStill, type Report } from "../src/core/words";
import { fit, toDrawing } from "../src/view/camera";
import { Fingers } from "../src/view/fingers";
import { lines } from "../src/view/paint";

const two = () => addLink(addLink(empty(), [[0, 0], [30, 0]]), [[30, 0], [60, 40]], ["link.B", null]);

test("numbers are read however they are written", () => {
  assert.deepEqual([num(1.5), num("3/4"), num("0.25"), num(undefined, 7)], [1.5, 0.75, 0.25, 7]);
});

test("a frame and its inverse give the point back", () => {
  const pose = [3, -2, 0.7] as const;
  const [x, y] = toPart(pose, toWorld(pose, [5, 6]));
  assert.ok(Math.hypot(x - 5, y - 6) < 1e-14);
  assert.deepEqual(compose([1, 2, 0], [3, 4, 0.5]), [4, 6, 0.5]);
});

test("the hull of a square with a point inside is the square", () => {
  assert.equal(hull([[0, 0], [2, 0], [2, 2], [0, 2], [1, 1]]).length, 4);
});

test("names are free, and wrong ones are explained", () => {
  assert.equal(fresh("link", { link: 1, link2: 1 }), "link3");
  assert.equal(letter({ A: 1, B: 1 }), "C");
  assert.match(wrongName("1x", {})!, /letter/);
  assert.match(wrongName("a", { a: 1 })!, /already/);
  assert.equal(wrongName("constructor", { a: 1 }), null);
});

test("undo and redo give the very same documents; a new step drops the future", () => {
  const [a, b, c] = [empty(), { ...empty(), title: "b" }, { ...empty(), title: "c" }];
  let history = record(record(begin(a), "b", b), "c", c);
  history = undo(undo(history));
  assert.equal(history.present, a);
  assert.equal(redo(history).present, b);
  assert.equal(record(history, "c", c).future.length, 0);
  assert.equal(undo(begin(a)).present, a);
});

test("nudges held down are one step", () => {
  let history = begin(empty());
  for (let k = 0; k < 9; k++) history = record(history, "Nudge", { ...empty(), title: String(k) }, true);
  assert.equal(history.past.length, 1);
});

test("commands never change a document in place", () => {
  const document = two();
  const before = JSON.stringify(document);
  otherForm(ground(document, "link.A"), "A");
  directSlide(document, "A", 1);
  hidden(document, ["link"]);
  setLength(document, "link", "A", "B", 99);
  movePoint(document, "link.B", [1, 1]);
  assert.equal(JSON.stringify(document), before);
});

test("a length is set along the link, wherever it stands", () => {
  const made = setLength(setPoses(two(), { link: [5, 5, 1] }), "link", "A", "B", 50);
  const poses = drawnPoses(made);
  assert.ok(Math.abs(distance(whereIs(made, poses, "link.A")!, whereIs(made, poses, "link.B")!) - 50) < 1e-12);
});

test("a direction turns a link about its first point", () => {
  const made = turnPart(two(), "link2", Math.PI / 2);
  const [a, b] = ["link2.A", "link2.B"].map((ref) => whereIs(made, drawnPoses(made), ref)!) as [readonly [number, number], readonly [number, number]];
  assert.ok(distance(a, [30, 0]) < 1e-9);
  assert.ok(Math.abs(b[0] - 30) < 1e-9 && Math.abs(b[1] - 50) < 1e-9);
});

test("a joint's coordinate is the angle since drawn", () => {
  const made = setPoses(two(), { link2: [0, 0, 0.25] });
  assert.equal(coordinate(made, drawnPoses(made), made.joints!["A"]!), 0.25);
});

test("a link that is being deleted is not shown, nor are its joints", () => {
  const made = hidden(ground(two(), "link.A"), ["link"]);
  assert.deepEqual([Object.keys(made.parts!), joints(made).length], [["link2", "ground"], 0]);
});

test("parts that are put where they are change nothing", () => {
  const document = two();
  assert.equal(setPoses(document, { link: [0, 0, 0] }), document);
  assert.notEqual(setPoses(document, { link: [1, 0, 0] }), document);
});

test("what ties parts to the world is known: points of joints, poses on markers, starts", () => {
  const document = two();
  assert.equal(isTiedToWorld(document), false);
  assert.equal(isTiedToWorld({ ...document, start: { A: { at: 1 } } }), true);
  assert.equal(isTiedToWorld({ ...document, joints: { A: { type: "revolute", between: ["link", "link2"], at: [0, 0] } } }), true);
  assert.equal(isTiedToWorld({ ...document, parts: { ...document.parts, link2: { pose: { on: "link.B" } } } }), true);
});

test("the line of a slide is its markers' to say, or the joint's where it has none", () => {
  const marked = directSlide({ ...two(), joints: { A: { type: "prismatic", between: ["link.B", "link2.A"] } } }, "A", 1);
  assert.equal(marked.joints!["A"]!.along, undefined);
  assert.deepEqual(marked.parts!["link"]!.markers!["B"], { at: [30, 0], turn: 1 });
  const given = directSlide({ ...two(), joints: { A: { type: "prismatic", between: ["link", "link2"], at: [30, 0] } } }, "A", Math.PI / 2);
  assert.deepEqual(given.joints!["A"]!.along!.map((v) => Math.round(num(v))), [0, 1]);
});

test("a joint at a point of the world goes with the part that it is seen to move", () => {
  const joint = { type: "prismatic" as const, between: ["link", "link2"], at: [30, 0], along: [0, 1] };
  const document: Mechanism = { ...two(), joints: { A: joint } };
  assert.deepEqual(whereJoint(document, drawnPoses(document), joint), [30, 0]);
  const away = { ...drawnPoses(document), link2: [0, 7, 0] as const };
  assert.deepEqual(whereJoint(document, away, joint), [30, 7]);
  assert.ok(Math.abs(coordinate(document, away, joint) - 7) < 1e-12);
});

test("joining a link to itself does nothing", () => {
  const document = two();
  assert.equal(join(document, "link.A", "link.B"), document);
});

/** A server whose answers the test gives, and a page that keeps titles for documents. */
class Desk {
  history = begin(empty());
  said: string[] = [];
  line: readonly Change[] = [];
  answers: ((document: Mechanism | null | Error) => void)[] = [];
  changes = new Changes({
    present: () => this.history.present,
    keep: ({ label, merge }, document) => void (this.history = record(this.history, label, document, merge)),
    refused: (change, error) => void this.said.push(`${change.label}: ${(error as Error).message}`),
    waiting: (line) => void (this.line = line),
    together: (doing) => doing(),
  });
  get shown(): string {
    return this.line.reduce((document, change) => change.shown(document), this.history.present).title ?? "";
  }
  get title(): string {
    return this.history.present.title ?? "";
  }
  add = (letter: string): Mechanism => ({ ...this.history.present, title: this.title + letter });
  local(letter: string): void {
    this.changes.add({ label: letter, shown: (document) => ({ ...document, title: document.title + letter }) });
  }
  served(letter: string, more: Partial<Change> = {}): void {
    const shown = (document: Mechanism): Mechanism => ({ ...document, title: document.title + letter });
    const done = (): Promise<Mechanism | null> =>
      new Promise((settle, refuse) => this.answers.push((answer) => (answer instanceof Error ? refuse(answer) : settle(answer))));
    this.changes.add({ label: letter, shown, done, ...more });
  }
  /** Answers the question that was asked first. */
  async answer(answer: Mechanism | null | Error): Promise<void> {
    this.answers.shift()!(answer);
    await new Promise((later) => setTimeout(later, 0));
  }
}

test("changes are done in the order in which they were made, whoever does them", async () => {
  const desk = new Desk();
  desk.local("a");
  assert.equal(desk.title, "a");
  desk.served("b");
  desk.local("c");
  desk.served("d");
  assert.deepEqual([desk.title, desk.shown, desk.answers.length], ["a", "abcd", 1]);
  await desk.answer(desk.add("B"));
  assert.deepEqual([desk.title, desk.shown, desk.answers.length], ["aBc", "aBcd", 1]);
  let idle = false;
  void desk.changes.idle().then((done) => (idle = done));
  await desk.answer(desk.add("D"));
  assert.deepEqual([desk.title, desk.shown, idle], ["aBcD", "aBcD", true]);
  assert.deepEqual(desk.history.past.map(({ label }) => label), ["a", "b", "c", "d"]);
});

test("undo takes back what waits, redo makes it again, and an answer that comes late is not heard", async () => {
  const desk = new Desk();
  desk.served("a");
  desk.served("b");
  assert.equal(desk.changes.undo(), "b");
  assert.equal(desk.changes.undo(), "a");
  assert.equal(desk.shown, "");
  await desk.answer(desk.add("A"));
  assert.equal(desk.title, "");
  assert.equal(desk.changes.redo(), "a");
  await desk.answer(desk.add("A"));
  assert.equal(desk.changes.redo(), "b");
  await desk.answer(desk.add("B"));
  assert.equal(desk.title, "AB");
  assert.deepEqual([desk.changes.undo(), desk.changes.redo()], [null, null]);
});

test("a change that is refused says so and keeps nothing, and what waits behind it goes on", async () => {
  const desk = new Desk();
  const after: string[] = [];
  desk.served("a", { after: () => void after.push("a") });
  desk.served("b", { after: (before, made) => void after.push(`${before.title}>${made.title}`) });
  desk.served("c");
  await desk.answer(new Error("no such part"));
  await desk.answer(desk.add("B"));
  await desk.answer(null);
  assert.deepEqual([desk.title, desk.said, after], ["B", ["a: no such part"], [">B"]]);
});

test("what waits for one document is not done to the next", async () => {
  const desk = new Desk();
  desk.served("a");
  const idle = desk.changes.idle();
  desk.changes.clear();
  assert.equal(await idle, false);
  desk.history = begin({ ...empty(), title: "new" });
  await desk.answer(empty());
  desk.local("b");
  assert.equal(desk.title, "newb");
});

test("a model comes back whole from a link's fragment", async () => {
  for (const template of TEMPLATES) {
    const made = template.make();
    assert.deepEqual(await unpack(await pack(made)), made);
  }
  await assert.rejects(unpack("nonsense"));
});

const report = (actual: number): Report => ({
  problems: [],
  gaps: [],
  stops_short: "",
  explanation: { mobility: { gruebler: actual, actual, why: "3 × 3 − 2 × 5 = −1" }, redundant: [], plan: [], words: "" },
});

test("the first mistakes are named, with what to do", () => {
  assert.match(verdict(empty(), null).remedy, /Press L/);
  assert.equal(verdict(two(), report(5)).headline, "Nothing is grounded");
  const held = ground(ground(two(), "link.A"), "link2.B");
  assert.equal(verdict(held, report(0)).headline, "It cannot move");
  assert.match(verdict(held, report(0)).detail, /3 × 3/);
  const loose = addLink(held, [[200, 0], [220, 0]]);
  assert.equal(verdict(loose, report(3)).headline, "link3 is joined to nothing");
  assert.equal(verdict(held, report(1)).tone, "good");
});

test("a machine of contacts is not judged as a linkage", () => {
  const shaped: Mechanism = { format: "detent/1", parts: { root: { shape: { circle: 1 } } }, drives: { push: { part: "root" } }, ask: { mate: {} } };
  assert.equal(verdict(shaped, report(3)).headline, "Not a plane linkage");
});

test("a linkage in space is played where it has a plan, and only there", () => {
  const plane = TEMPLATES[0]!.make();
  const space: Mechanism = { ...plane, dimension: 3, drives: { d: { joint: "A", from_deg: 0, to_deg: 90, steps: 9 } } };
  const found = report(1);
  const step = { step: "A is driven", parts: ["crank"], unknowns: 0 };
  const planned = { ...found, explanation: { ...found.explanation!, plan: [step] } };
  assert.match(verdict(space, planned).remedy, /Space to play/);
  assert.doesNotMatch(verdict(space, { ...found, explanation: { ...found.explanation!, plan: [] } }).remedy, /Space/);
});

test("a coefficient of friction does not keep a linkage from moving; with a shape that could touch it may", () => {
  const rough: Mechanism = { ...TEMPLATES[0]!.make(), touching: { friction: 0.3 } };
  assert.equal(verdict(rough, report(1)).headline, "It works");
  const [name, part] = Object.entries(rough.parts!)[0]!;
  const shaped: Mechanism = { ...rough, parts: { ...rough.parts, [name]: { ...part, shape: { circle: 1 } } } };
  assert.equal(verdict(shaped, report(1)).headline, "Not a plane linkage");
  assert.equal(verdict({ ...shaped, touching: { ignore: [`${name}:ground`] } }, report(1)).headline, "It works");
});

test("commands are named where there is such a verb, and what is asked for without one is planned", () => {
  const shaped: Mechanism = { format: "detent/1", parts: { root: { shape: { circle: 1 } } }, drives: { push: { part: "root" } }, ask: { run: {} } };
  assert.deepEqual(questionsOf(shaped, ["explain", "mate", "modes"]), { verbs: ["mate", "explain"], planned: ["run"] });
  const ahead: Mechanism = { ...shaped, ask: { run: {}, outlook: {} } };
  assert.deepEqual(questionsOf(ahead, ["run", "outlook", "explain", "mate"]), { verbs: ["mate", "explain"], planned: [] });
  assert.equal(commandLine("mate", "my part.json"), 'detent mate "my part.json"');
});

test("too many drives fight, too few leave it loose", () => {
  const driven = TEMPLATES[0]!.make();
  assert.equal(verdict(driven, report(1)).headline, "It works");
  assert.equal(verdict(driven, report(2)).headline, "Some of it is loose");
  const traced: Mechanism = { ...driven, drives: { tip: { marker: "link2.B", path: [[0, 0], [1, 1]] } } };
  assert.equal(verdict(traced, report(2)).headline, "It works");
  assert.equal(verdict(traced, report(1)).headline, "The drives fight each other");
  const [[name, drive]] = Object.entries(driven.drives!) as [[string, { joint: string }]];
  assert.equal(verdict({ ...driven, drives: { [name]: { joint: drive.joint, torque: 1 } } }, report(1)).headline, "It moves");
  const far = verdict(driven, { ...report(1), out_of_reach: "the first position cannot be reached: range: A from 0° to 9°" });
  assert.equal(far.tone, "warn");
  assert.equal(far.headline, "Its drive cannot begin");
  assert.match(far.detail, /^The first position cannot be reached.*9°\.$/);
  const short = verdict(driven, { ...report(1), stops_short: "limit at 70.6°: a link cannot follow" });
  assert.equal(short.tone, "warn");
  assert.equal(short.headline, "Its drive stops short");
  assert.match(short.detail, /limit at 70\.6°: a link cannot follow\.$/);
  const { stops_short: _, ...unknown } = report(1);
  assert.equal(verdict(driven, unknown).headline, "It moves");
  const more = { ...driven, drives: { ...driven.drives, other: { joint: "B" } } };
  assert.equal(verdict(more, report(1)).headline, "The drives fight each other");
});

test("a linkage whose drives give no positions is run, and nobody is sent to take its drive away", () => {
  const made = TEMPLATES[0]!.make();
  const [[name, { joint }]] = Object.entries(made.drives!) as [[string, { joint: string }]];
  const driven = (...drives: object[]): Mechanism => ({ ...made, drives: Object.fromEntries(drives.map((drive, k) => [`${name}${k}`, { joint, ...drive }])) });
  const range = { from_deg: 0, to_deg: 90 };
  for (const document of [driven({ torque: 0.2 }), driven({ speed_deg: 720 }), { ...driven({ torque: 0.2 }), ask: { move: {} } }]) {
    assert.equal(runsOverTime(document), true);
    assert.match(verdict(document, report(1)).remedy, /ress Space to run it\.$/);
    assert.equal(verdict(document, report(1)).headline, "It moves"); // nobody knows before it is run
    assert.doesNotMatch(verdict(document, report(2)).remedy, /\bD\b/);
    assert.doesNotMatch(verdict(document, report(2)).detail, /least motion/);
  }
  for (const document of [driven(range), driven({ ...range, torque: 0.2 }), driven({ ...range, speed_deg: 9 }), driven(range, { torque: 0.2 })]) assert.equal(runsOverTime(document), false);
  assert.match(verdict({ ...made, drives: {} }, report(1)).remedy, /press D/);
  assert.match(verdict({ ...made, ask: { run: { until: 1 } } }, report(1)).remedy, /Space to run it/);
});

test("the text alternative says what is there and what holds it", () => {
  const words = describe(TEMPLATES[0]!.make(), verdict(TEMPLATES[0]!.make(), report(1)));
  assert.match(words, /link is a link of 2 points, joined to link2 by the revolute joint A/);
  assert.match(words, /drives/);
});

const still: Report = { problems: [], gaps: [], explanation: { mobility: { gruebler: 3, actual: 3, why: "" }, redundant: [], plan: [], words: "" } };

test("ends that nearly meet are named with the length between them; joined or far ones are not", () => {
  const three = addLink(two(), [[63, 40], [70, 0]]);
  assert.deepEqual(nearMiss(three), { free: "link3.A", other: "link2.B", apart: 3 });
  const driven: Mechanism = { ...ground(ground(three, "link.A"), "link3.B"), drives: { d: { joint: "C" } } };
  assert.match(verdict(driven, still).detail, /link3\.A and link2\.B are not joined: 3 mm lie between them/);
  assert.equal(nearMiss(join(three, "link2.B", "link3.A")), null);
  assert.equal(nearMiss(addLink(two(), [[90, 40], [90, 0]])), null);
});

test("why Play would show nothing is said in the order in which a person mends it", () => {
  const say = (document: Mechanism, report: Report | null) => whyStill(document, verdict(document, report));
  assert.match(say(empty(), null)!, /^An empty page/);
  assert.match(say(two(), still)!, /^Nothing is grounded, and nothing is driven\. Press G/);
  const grounded = ground(two(), "link.A");
  assert.match(say(grounded, still)!, /^Nothing is driven yet/);
  const driven: Mechanism = { ...grounded, drives: { d: { joint: "B" } } };
  assert.equal(say(driven, still), null);
  const held = { ...still, explanation: { ...still.explanation!, mobility: { gruebler: 0, actual: 0, why: "6 - 6 = 0" } } };
  assert.match(say(driven, held)!, /^It cannot move\. Take one joint away/);
});

test("grid lines are counted where numbers can count, and left out where they cannot", () => {
  assert.deepEqual(lines(-2.5, 3.1, 1), [-2, -1, 0, 1, 2, 3]);
  assert.deepEqual(lines(1e30, 1e30 + 1e12, 1), []);
  assert.deepEqual(lines(NaN, 1, 1), []);
});

test("a drawing of any extent fits, and one beyond all numbers is left alone", () => {
  const size = { width: 800, height: 600 };
  const many = Array.from({ length: 300_000 }, (_, k) => [k, -k] as const);
  assert.equal(fit(many, size)!.x, 299_999 / 2);
  assert.equal(fit([[-1e308, 0], [1e308, 0]], size), null);
});

test("two fingers keep what lies under them: they zoom by their spread and pan by their middle", () => {
  const size = { width: 800, height: 600 };
  const fingers = new Fingers();
  let camera = { x: 10, y: 20, scale: 2 };
  fingers.down(1, [300, 300]);
  assert.equal(fingers.moved(1, [310, 300], camera, size), camera);
  fingers.moved(1, [300, 300], camera, size);
  fingers.down(2, [500, 300]);
  const [left, right] = [toDrawing(camera, size, [300, 300]), toDrawing(camera, size, [500, 300])];
  camera = fingers.moved(2, [600, 350], camera, size);
  camera = fingers.moved(1, [200, 350], camera, size);
  assert.ok(Math.abs(camera.scale - 4) < 0.2);
  assert.ok(distance(toDrawing(camera, size, [400, 350]), [(left[0] + right[0]) / 2, left[1]]) < 1e-9);
});

test("a number is read as it is typed: with a comma, as a fraction, in another unit; else it is none", () => {
  const cases: [string, string, number | null][] = [
    ["12", "mm", 12], [" 1,5 ", "mm", 1.5], ["3/4", "in", 0.75], ["2.5 cm", "mm", 25], ["1in", "mm", 25.4], ["1 m", "mm", 1000], ["-3e2", "mm", -300],
    ["90\u00b0", "\u00b0", 90], ["3.141592653589793 rad", "\u00b0", 180], ["12 kg", "mm", null], ["90\u00b0", "mm", null], ["", "mm", null], ["1e999", "mm", null], ["1/0", "mm", null], ["abc", "", null], ["7", "", 7],
  ];
  for (const [typed, unit, wanted] of cases) assert.equal(read(typed, unit), wanted, typed);
});

test("a plot runs over what was driven, in its own unit", () => {
  const over = (inputs: (number | number[])[], units: string[], times: number[] | null = null) =>
    axisOf({ inputs, coordinates: units.map((_, k) => `d${k}`), coordinate_units: units, times });
  assert.deepEqual(over([0, Math.PI], ["rad"]), { at: [0, 180], order: [0, 1], label: "drive °", over: "the drive in degrees", per: "rad of the drive" });
  assert.deepEqual(over([2, 5], ["in"]), { at: [2, 5], order: [0, 1], label: "drive in", over: "the drive [in]", per: "in of the drive" });
  assert.equal(over([2, 5], [""], [0, 1]).per, "s");
  // The axis rises: a drive that goes down is read backwards; one that goes there and back passes a coordinate twice.
  const down = over([7, 5, 2], ["mm"]);
  assert.deepEqual([down.at, down.order, down.label], [[2, 5, 7], [2, 1, 0], "drive mm"]);
  const thereAndBack = over([0, 3, 1], ["mm"]);
  assert.deepEqual([thereAndBack.at, thereAndBack.order, thereAndBack.label, thereAndBack.per], [[0, 1, 2], [0, 1, 2], "position", "mm of the drive"]);
  // A driven marker has two coordinates, both lengths; two cranks have two angles: neither is the axis.
  for (const units of [["mm", "mm"], ["rad", "in"]]) {
    const both = over([[30, 40], [40, 30]], units);
    assert.deepEqual([both.at, both.label, both.per], [[0, 1], "position", "the whole course"]);
  }
  const driven = { inputs: [], times: null };
  assert.equal(inputWords({ ...driven, coordinates: ["tip.x", "tip.y"], coordinate_units: ["mm", "mm"] }, 42.4264), "42.43 mm of tip.x");
  assert.equal(inputWords({ ...driven, coordinates: ["turn"], coordinate_units: ["rad"] }, Math.PI / 4), "45.0°");
});

test("joints that were found from shapes are counted with those that are written", () => {
  const document: Mechanism = {
    format: "detent/1",
    parts: { frame: { fixed: true }, crankshaft: {}, rod: {}, piston: {} },
    joints: { crank: { type: "infer", between: ["frame", "crankshaft"] } },
  };
  const found = ["crank", "frame_piston", "crankshaft_rod", "rod_piston"].map((name) => ({ name, inferred: true }));
  const explanation = { joints: found, mobility: { gruebler: -2, actual: 1, why: "" }, redundant: [], plan: [], words: "" };
  assert.deepEqual(counts(document, explanation)[1], ["joints (3 from shapes)", 4]);
  assert.deepEqual(counts(document)[1], ["joints", 1]);
  assert.deepEqual(counts(document, { ...explanation, joints: [{ name: "crank", inferred: false }] })[1], ["joints", 1]);
});

test("a machine runs over time where it asks for it, or where shapes and joints move it and nothing else is asked", () => {
  const shaped: Mechanism = { format: "detent/1", parts: { wheel: { shape: { circle: 1 }, density: 1 }, frame: { fixed: true } }, joints: { hub: { type: "infer", between: ["frame", "wheel"] } } };
  assert.equal(runsOverTime(shaped), true);
  assert.match(verdict(shaped, report(1)).remedy, /Space to run it/);
  assert.equal(runsOverTime({ ...shaped, ask: { explain: {} } }), true);
  assert.equal(runsOverTime({ ...shaped, ask: { mate: {} } }), false);
  assert.equal(runsOverTime({ ...shaped, drives: { turn: { joint: "hub", from_deg: 0, to_deg: 90 } } }), false);
  assert.equal(runsOverTime({ ...shaped, drives: { turn: { joint: "hub", torque: 2 } } }), true);
  assert.equal(runsOverTime(TEMPLATES[0]!.make()), false);
  assert.equal(runsOverTime({ ...TEMPLATES[0]!.make(), ask: { run: { until: 1 } } }), true);
  assert.equal(runsOverTime(empty()), false);
});

test("the frame nearest to a time is shown, at both ends too", () => {
  const row = [0, 1, 1.25, 4];
  assert.deepEqual([-1, 0.4, 0.6, 1.1, 1.2, 2.5, 2.7, 9].map((at) => nearestIn(row, at)), [0, 0, 1, 1, 2, 2, 3, 3]);
});

test("what a part weighs is told as the document says it, and where it says nothing that too", () => {
  const machine = (part: object, more: object = {}): Mechanism => ({ format: "detent/1", units: "mm", parts: { link: part }, ...more });
  const told = (part: object, more: object = {}): string => massWords(machine(part, more), "link");
  assert.equal(told({}), "Mass: not given.");
  assert.equal(told({ mass: "1/8", center: [3, 4.5], inertia: 2e-6 }), "Mass: 0.125 kg; centre at 3, 4.5; inertia 0.000002 kg m² about its centre.");
  assert.equal(told({ inertia: 200 }), "Mass: inertia 200 kg m² about its fixed pin (on a slide: its mass).");
  assert.equal(told({ inertia: 200 }, { units: "1" }), "Mass: inertia 200 about its fixed pin (on a slide: its mass).");
  assert.equal(told({ material: "steel" }, { materials: { steel: { density: 7800 } } }), "Mass: by its shape and a density of 7800 kg/m³.");
  assert.equal(told({ mass: 2, material: "steel" }, { materials: { steel: { density: 7800 } } }), "Mass: 2 kg.");
  assert.equal(told({ fixed: true, mass: 2 }), "");
});

test("what an outlook is asked for is read as it is typed, shown again as it was, and refused with a reason", () => {
  assert.deepEqual(MOMENTS.read("500; 1000"), [500, 1000]);
  assert.deepEqual(MOMENTS.read("1,5, 2 3/4"), [1.5, 2, 0.75]);
  assert.equal(MOMENTS.shown([500, "3/4"]), "500; 3/4");
  const asked = { minima: 2, duration: 7.4, verdict: "repeats", change: { wheel: -Math.PI / 5 } } as const;
  const read = EXPECTATION.read("minima=2, duration=7,4; verdict=repeats wheel=-36deg");
  assert.deepEqual({ ...read, change: undefined }, { ...asked, change: undefined });
  assert.ok(Math.abs((read as { change: { wheel: number } }).change.wheel - asked.change.wheel) < 1e-14);
  const plain = { patterns: 200, change: { wheel: -0.25, guide: 3 } };
  assert.deepEqual(EXPECTATION.read(EXPECTATION.shown(plain)), plain);
  assert.equal(COUNT.read("40"), 40);
  assert.equal(HORIZON.read("1e3"), 1000);
  for (const refused of [MOMENTS.read("soon"), MOMENTS.read("-1"), COUNT.read("2.5"), HORIZON.read("0"), EXPECTATION.read("minima"), EXPECTATION.read("minima=0"), EXPECTATION.read("minima=2 minima=3"), EXPECTATION.read("verdict=well")]) {
    assert.ok("wrong" in (refused as object));
  }
});
