// The colours of detent.draw.scene.palette (Okabe and Ito's hues, distinguished by all eyes), on light and on dark.

const HUES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800"];

export interface Colours {
  fill: string;
  line: string;
}

export interface Theme {
  dark: boolean;
  paper: string;
  grid: string;
  axis: string;
  ink: string;
  quiet: string;
  drive: string;
  accent: string;
  select: string;
  frame: Colours;
  hues: Colours[];
}

export function mix(colour: string, other: string, share: number): string {
  const channels = (c: string) => [1, 3, 5].map((k) => parseInt(c.slice(k, k + 2), 16));
  const [a, b] = [channels(colour), channels(other)];
  return "#" + a.map((v, k) => Math.round(v + (b[k]! - v) * share).toString(16).padStart(2, "0")).join("");
}

export const LIGHT: Theme = {
  dark: false,
  paper: "#fcfcfb",
  grid: "#eceeef",
  axis: "#d5d9dc",
  ink: "#222222",
  quiet: "#5f6368",
  drive: "#b3261e",
  accent: "#00588a",
  select: "#c2185b",
  frame: { fill: "#eef0f2", line: "#6b7177" },
  hues: HUES.map((hue) => ({ fill: mix(hue, "#ffffff", 0.58), line: mix(hue, "#000000", 0.35) })),
};

export const DARK: Theme = {
  dark: true,
  paper: "#16181b",
  grid: "#22262a",
  axis: "#33383d",
  ink: "#eceff1",
  quiet: "#a6adb4",
  drive: "#ff8a80",
  accent: "#7cc4f5",
  select: "#ff80ab",
  frame: { fill: "#2b3036", line: "#98a0a8" },
  hues: HUES.map((hue) => ({ fill: mix(hue, "#16181b", 0.5), line: mix(hue, "#ffffff", 0.3) })),
};

/** Colours by part: moving parts take the hues in order. */
export function coloursOf(theme: Theme, parts: readonly [string, { fixed?: boolean }][]): Map<string, Colours> {
  let k = 0;
  return new Map(
    parts.map(([name, part]) => [name, part.fixed ? theme.frame : theme.hues[k++ % theme.hues.length]!]),
  );
}
