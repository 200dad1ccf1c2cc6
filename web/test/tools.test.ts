import assert from "node:assert/strict";
import { test } from "node:test";
import { joints, parts, whereIs } from "../src/core/model";
import { EditTool } from "../src/tools/edit";
import { deleteAll, detach, renamePart } from "../src/tools/edits";
import { LinkTool } from "../src/tools/link";
import { DriveTool, GroundTool, JointTool, TraceTool } from "../src/tools/pick";
import { SelectTool } from "../src/tools/select";
import { click, drag, PaperBench } from "./bench";

function fourBar(): PaperBench {
  const bench = new PaperBench();
  const link = new LinkTool(bench);
  drag(link, [0, 0], [10, 20]);
  drag(link, [10, 20], [70, 50]);
  drag(link, [70, 50], [90, 0]);
  const ground = new GroundTool(bench);
  click(ground, [0, 0]);
  click(ground, [90, 0]);
  return bench;
}

test("a link is drawn by a pull from end to end, on the grid", () => {
  const bench = new PaperBench();
  drag(new LinkTool(bench), [0.2, 0.1], [30.3, 19.8]);
  assert.deepEqual(bench.document().parts, { link: { markers: { A: [0, 0], B: [30, 20] } } });
});

test("a link is drawn by two clicks as well", () => {
  const bench = new PaperBench();
  const tool = new LinkTool(bench);
  click(tool, [0, 0]);
  click(tool, [30, 20]);
  assert.equal(parts(bench.document()).length, 1);
});

test("with shift a link gets a third point, and enter ends it", () => {
  const bench = new PaperBench();
  const tool = new LinkTool(bench);
  click(tool, [0, 0]);
  click(tool, [30, 0], true);
  click(tool, [15, 20], true);
  tool.finish();
  assert.deepEqual(Object.keys(bench.document().parts!["link"]!.markers!), ["A", "B", "C"]);
});

test("escape forgets a link that was begun", () => {
  const bench = new PaperBench();
  const tool = new LinkTool(bench);
  click(tool, [0, 0]);
  tool.cancel();
  tool.finish();
  assert.equal(parts(bench.document()).length, 0);
});

test("an end that lands near a point is joined to it exactly", () => {
  const bench = new PaperBench();
  const tool = new LinkTool(bench);
  drag(tool, [0, 0], [30, 20]);
  drag(tool, [31, 21], [60, 0]);
  const [[, joint]] = joints(bench.document()) as [[string, { between: string[]; type: string }]];
  assert.deepEqual(joint, { type: "revolute", between: ["link.B", "link2.A"] });
  assert.deepEqual(whereIs(bench.document(), bench.poses(), "link2.A"), [30, 20]);
});

test("a four-bar drawn by hand has three links, four pins and a ground", () => {
  const document = fourBar().document();
  assert.deepEqual(Object.keys(document.parts!), ["link", "link2", "link3", "ground"]);
  assert.equal(joints(document).length, 4);
  assert.equal(document.parts!["ground"]!.fixed, true);
});

test("grounding a grounded point lets it go again", () => {
  const bench = fourBar();
  click(new GroundTool(bench), [90, 0]);
  assert.equal(joints(bench.document()).length, 3);
});

test("ground beside everything says what to do", () => {
  const bench = fourBar();
  click(new GroundTool(bench), [500, 500]);
  assert.match(bench.words[0]!, /no point here/);
});

test("drive prefers the ground's pin, and a second click takes it away", () => {
  const bench = fourBar();
  const tool = new DriveTool(bench);
  click(tool, [0, 0]);
  const [[, drive]] = Object.entries(bench.document().drives!) as [[string, { joint: string }]];
  assert.deepEqual(bench.document().joints![drive.joint]!.between, ["ground.A", "link.A"]);
  click(tool, [0, 0]);
  assert.deepEqual(bench.document().drives, {});
  assert.deepEqual(bench.operations.at(-1), { do: "remove", paths: ["drives.drive"] });
});

test("a pin becomes a pin in a slot along the ground's x, or along its own link, then a slide, then a pin", () => {
  const bench = fourBar();
  const tool = new JointTool(bench);
  bench.operations = [];
  click(tool, [90, 0]);
  const [name] = joints(bench.document()).find(([, each]) => each.type === "in_line")!;
  click(tool, [90, 0]);
  assert.equal(bench.document().joints![name]!.type, "prismatic");
  click(tool, [90, 0]);
  assert.equal(bench.document().joints![name]!.type, "revolute");
  click(tool, [70, 50]);
  assert.deepEqual(bench.operations, [
    { do: "toggle", joint: name, to: "in_line", along: [1, 0] },
    { do: "toggle", joint: name, to: "prismatic" },
    { do: "toggle", joint: name, to: "revolute" },
    { do: "toggle", joint: "B", to: "in_line", along: [-60, -30] },
  ]);
});

test("what a hand draws is asked of the server in names that it shows already", () => {
  const bench = fourBar();
  click(new DriveTool(bench), [0, 0]);
  click(new GroundTool(bench), [90, 0]);
  assert.deepEqual(bench.operations, [
    { do: "add_part", name: "link", part: { markers: { A: [0, 0], B: [10, 20] } } },
    { do: "add_part", name: "link2", part: { markers: { A: [10, 20], B: [70, 50] } } },
    { do: "join", first: "link.B", second: "link2.A" },
    { do: "add_part", name: "link3", part: { markers: { A: [70, 50], B: [90, 0] } } },
    { do: "join", first: "link2.B", second: "link3.A" },
    { do: "ground", marker: "link.A" },
    { do: "ground", marker: "link3.B" },
    { do: "drive", name: "drive", drive: { joint: "C", from_deg: 0, to_deg: 360, steps: 72 } },
    { do: "detach", joint: "D" },
  ]);
});

test("a name, a deletion and a joint taken apart are the server's to do", () => {
  const bench = fourBar();
  bench.operations = [];
  renamePart(bench, "link", "crank");
  deleteAll(bench, ["link2", "link.A", "joint:D", "drive:x"]);
  detach(bench, "A");
  assert.deepEqual(bench.operations, [
    { do: "rename", path: "parts.link", to: "crank" },
    { do: "remove", paths: ["parts.link2", "parts.link.markers.A", "joints.D", "drives.x"] },
    { do: "detach", joint: "A" },
  ]);
});

test("a loose link is moved as it is, and joined where its point lands", () => {
  const bench = new PaperBench();
  const link = new LinkTool(bench);
  drag(link, [0, 0], [30, 0]);
  drag(link, [50, 50], [80, 50]);
  drag(new SelectTool(bench), [50, 50], [40, 20], [31, 1]);
  const poses = bench.poses();
  assert.deepEqual(whereIs(bench.document(), poses, "link2.A"), [30, 0]);
  assert.deepEqual(whereIs(bench.document(), poses, "link2.B"), [60, 0]);
  assert.deepEqual(joints(bench.document()).map(([, joint]) => joint.between), [["link.B", "link2.A"]]);
});

test("a joined link is pulled: the poses are what the pull says", () => {
  const bench = fourBar();
  bench.pulled = { ...bench.poses(), link: [0, 0, 0.5] };
  drag(new SelectTool(bench), [5, 10], [9, 14]);
  assert.deepEqual(bench.document().parts!["link"]!.pose, { at: [0, 0], turn: 0.5 });
});

test("a box selects the links inside it, not the ground", () => {
  const bench = fourBar();
  drag(new SelectTool(bench), [-20, 80], [120, -20]);
  assert.deepEqual([...bench.chosen].sort(), ["link", "link2", "link3"]);
});

test("a point moved on its link takes along what is pinned to it", () => {
  const bench = fourBar();
  drag(new EditTool(bench), [10, 20], [12, 30]);
  assert.deepEqual(bench.document().parts!["link"]!.markers!["B"], [12, 30]);
  assert.deepEqual(bench.document().parts!["link2"]!.markers!["A"], [12, 30]);
});

test("a click on a link's body adds a point there, and trace names it", () => {
  const bench = fourBar();
  click(new EditTool(bench), [40, 35]);
  click(new TraceTool(bench), [40, 35]);
  assert.deepEqual(bench.traced, ["link2.C"]);
});

test("undo goes back to the empty page", () => {
  const bench = fourBar();
  for (let k = 0; k < 5; k++) bench.undo();
  assert.deepEqual(bench.document().parts, {});
});
