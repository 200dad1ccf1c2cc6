// The bench that tools act on, bound to the page's state; and the tools themselves.

import { signal } from "@preact/signals";
import { setPoses } from "./core/commands";
import type { Point } from "./core/place";
import { actClosed, actJoined, actMarked, grab, operate, traces } from "./server";
import * as state from "./state";
import { EditTool } from "./tools/edit";
import { LinkTool } from "./tools/link";
import { DriveTool, GroundTool, JointTool, PanTool, TraceTool } from "./tools/pick";
import { SelectTool } from "./tools/select";
import type { Bench, Tool } from "./tools/tool";
import { gridStep, REACH, STILL } from "./view/camera";
import { bodyAt, near, partAt } from "./view/hit";

/** A link is painted this wide on either side of its middle line [px]. */
const BODY = 9;
/** Points snap to tenths of the grid that is shown. */
const GRID_PARTS = 10;

export const bench: Bench = {
  document: () => state.shown.value,
  poses: () => state.poses.value,
  near: (at) => near(state.model.value, state.poses.value, at, REACH / state.camera.value.scale),
  partAt: (at) => partAt(state.model.value, state.poses.value, state.outlines.value, at, REACH / state.camera.value.scale),
  bodyAt: (at) => bodyAt(state.model.value, state.poses.value, state.outlines.value, at, BODY / state.camera.value.scale),
  reach: () => REACH / state.camera.value.scale,
  still: () => STILL / state.camera.value.scale,
  stay: () => {
    const shown = state.live.value;
    if (shown) actMarked("Stay at this position", (document) => setPoses(document, shown));
  },
  snapped: (at) => (state.snapping.value ? onGrid(at) : at),
  extent: state.extent,
  selected: () => state.selected.value,
  select: (names, add = false) => {
    state.selected.value = new Set(add ? [...state.selected.value, ...names] : names);
    if (names.length) state.sheet.value = "selected";
  },
  act: state.act,
  operate,
  actMarked,
  actClosed,
  actJoined,
  preview: (document) => (state.preview.value = document),
  grab,
  pan: ([fx, fy], [tx, ty]) => {
    const { x, y, scale } = state.camera.value;
    state.camera.value = { x: x + fx - tx, y: y + fy - ty, scale };
  },
  say: (words) => (state.status.value = words),
  toggleTrace: (ref) => {
    const document = state.shown.value;
    const had = traces(document).includes(ref);
    state.act(had ? `No curve of ${ref}` : `Trace ${ref}`, (next) => {
      const others = traces(next).filter((other) => other !== ref);
      return { ...next, view: { ...next.view, traces: had ? others : [...others, ref] } };
    });
    if (!Object.keys(document.drives ?? {}).length) state.status.value = `${ref} will draw its curve once a joint is driven (D).`;
  },
};

function onGrid([x, y]: Point): Point {
  const step = gridStep(state.camera.value.scale) / GRID_PARTS;
  return [Math.round(x / step) * step, Math.round(y / step) * step].map((v) => Number(v.toPrecision(12))) as unknown as Point;
}

export const TOOLS = {
  select: new SelectTool(bench),
  link: new LinkTool(bench),
  edit: new EditTool(bench),
  ground: new GroundTool(bench),
  joint: new JointTool(bench),
  drive: new DriveTool(bench),
  trace: new TraceTool(bench),
  pan: new PanTool(bench),
} satisfies Record<string, Tool>;

export type ToolName = keyof typeof TOOLS;
export const tool = signal<ToolName>("select");

export function take(name: ToolName): void {
  TOOLS[tool.value].cancel();
  tool.value = name;
  state.ghost.value = {};
  state.status.value = TOOLS[name].hint;
}
