// Machines to begin with, made by the same commands that a hand uses.

import type { Mechanism } from "../document";
import { addDrive, addLink, addPoint, directSlide, empty, ground, otherForm, setDrive } from "./commands";
import { joints } from "./model";
import type { Point } from "./place";

export interface Template {
  name: string;
  words: string;
  make(): Mechanism;
}

const titled = (title: string, document: Mechanism): Mechanism => ({ ...document, title });

/** Links one after another through points, the last joined to the first where it is closed. */
function chain(points: readonly Point[]): Mechanism {
  let made = empty();
  for (let k = 1; k < points.length; k++) {
    const before = k > 1 ? `${k === 2 ? "link" : `link${k - 1}`}.B` : null;
    made = addLink(made, [points[k - 1]!, points[k]!], [before, null]);
  }
  return made;
}

function fourBar(points: readonly Point[], title: string): Mechanism {
  let made = ground(ground(chain(points), "link.A"), "link3.B");
  const pivot = joints(made).find(([, joint]) => joint.between.includes("link.A"))![0];
  made = addDrive(made, pivot, 1);
  return titled(title, made);
}

export const TEMPLATES: readonly Template[] = [
  {
    name: "Crank-rocker",
    words: "A full turn makes an arm rock.",
    make: () => fourBar([[0, 0], [15, 26], [95, 75], [120, 0]], "Crank-rocker"),
  },
  {
    name: "Slider-crank",
    words: "A rotation becomes a stroke.",
    make: () => {
      const base = ground(addLink(chain([[0, 0], [20, 35], [120, 0]]), [[120, 0], [140, 0]], ["link2.B", null]), "link.A");
      const held = ground(base, "link3.B");
      const slide = joints(held).find(([, joint]) => joint.between.includes("link3.B"))![0];
      const pivot = joints(held).find(([, joint]) => joint.between.includes("link.A"))![0];
      return titled("Slider-crank", addDrive(directSlide(otherForm(held, slide, "prismatic"), slide, 0), pivot, 1));
    },
  },
  {
    name: "Coupler point",
    words: "A third point on the coupler draws a curve.",
    make: () => {
      const made = addPoint(fourBar([[0, 0], [15, 26], [95, 75], [120, 0]], "Coupler curve"), "link2", [40, 95]);
      return { ...made, view: { ...made.view, traces: ["link2.C"] } };
    },
  },
  {
    name: "Double rocker",
    words: "It stops at its limits, and says why.",
    make: () => {
      const made = fourBar([[0, 0], [30, 90], [80, 100], [120, 0]], "Double rocker");
      return setDrive(made, Object.keys(made.drives!)[0]!, { to_deg: 90, steps: 72 });
    },
  },
];
