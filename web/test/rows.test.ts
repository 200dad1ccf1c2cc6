import assert from "node:assert/strict";
import { test } from "node:test";
import { notDrawn, type Row } from "../src/core/rows";

const across = { at: [0, 10, 46.3984], order: [0, 1, 2], label: "drive °" };
const told = (rows: Row[], count: number, axis = across): string => notDrawn(axis, rows, count, String);
const unbounded = { unbounded: true };

test("a plot says where its curves end without a number, and where a force has no bound", () => {
  assert.equal(told([[0, 1], [2, 3], [4, 5]], 2), "");
  assert.equal(told([[0, 1], [2, 3], null], 2), "no number at drive 46.3984°");
  assert.equal(told([[1], [2], [unbounded]], 1), "without bound at drive 46.3984°");
  assert.equal(told([1, null, unbounded], 1), "without bound at drive 46.3984°; no number at drive 10°");
  // The axis rises where the drive goes down: its places are in another order than the rows.
  const down = { at: [-20, -10, 0], order: [2, 1, 0], label: "drive mm" };
  assert.equal(told([1, 2, unbounded], 1, down), "without bound at drive -20 mm");
  const many = { at: [0, 1, 2, 3], order: [0, 1, 2, 3], label: "time s" };
  assert.equal(told([null, null, null, null], 1, many), "no number at 4 places");
});
