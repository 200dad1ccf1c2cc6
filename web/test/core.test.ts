import assert from "node:assert/strict";
import { test } from "node:test";
import { addLink, copy, empty, ground, join, movePoint, paste, remove, renamePart, setLength, setPoses, toggleJoint, turnPart } from "../src/core/commands";
import { begin, record, redo, undo } from "../src/core/history";
import { coordinate, drawnPoses, joints, num, whereIs } from "../src/core/model";
import { fresh, letter, wrongName } from "../src/core/names";
import { compose, distance, hull, toPart, toWorld } from "../src/core/place";
import { read } from "../src/core/numbers";
import { pack, unpack } from "../src/core/share";
import type { Mechanism } from "../src/document";
import { TEMPLATES } from "../src/core/templates";
import { describe, nearMiss, verdict, whyStill, type Report } from "../src/core/words";
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
  toggleJoint(ground(document, "link.A"), "A");
  remove(document, ["link"]);
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

test("a joint's coordinate is the turn since drawn", () => {
  const made = setPoses(two(), { link2: [0, 0, 0.25] });
  assert.equal(coordinate(made, drawnPoses(made), made.joints!["A"]!), 0.25);
});

test("deleting a link takes its joints, drives and loose ground points along", () => {
  const made = remove(ground(two(), "link.A"), ["link"]);
  assert.deepEqual([Object.keys(made.parts!), joints(made).length], [["link2"], 0]);
});

test("joining a link to itself does nothing", () => {
  const document = two();
  assert.equal(join(document, "link.A", "link.B"), document);
});

test("copies keep their joints under new names", () => {
  const document = two();
  const [made, names] = paste(document, copy(document, ["link", "link2"]), [5, -5]);
  assert.deepEqual(names, ["link3", "link4"]);
  assert.deepEqual(made.joints!["B"]!.between, ["link3.B", "link4.A"]);
  assert.deepEqual(whereIs(made, drawnPoses(made), "link3.A"), [5, -5]);
});

test("a new name reaches the joints", () => {
  assert.deepEqual(renamePart(two(), "link", "crank").joints!["A"]!.between, ["crank.B", "link2.A"]);
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
  assert.equal(verdict(shaped, report(3)).headline, "A machine of contacts");
  assert.match(verdict(shaped, report(3)).remedy, /detent mate/);
});

test("too many drives fight, too few leave it loose", () => {
  const driven = TEMPLATES[0]!.make();
  assert.equal(verdict(driven, report(1)).headline, "It works");
  assert.equal(verdict(driven, report(2)).headline, "Some of it is loose");
  const more = { ...driven, drives: { ...driven.drives, other: { joint: "B" } } };
  assert.equal(verdict(more, report(1)).headline, "The drives fight each other");
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
