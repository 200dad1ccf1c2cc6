// The machine in words: can it move, in how many ways, and if not, why and what to do. Facts come from the
// server's explanation; here they become sentences for somebody who has never heard of Gruebler.

import type { Drive, Exact, Mechanism } from "../document";
import { drawnPoses, drives, joints, jointsAt, jointsOf, markers, num, parts, split } from "./model";
import { AT_HOME, distance, extentOf, hull, onBody, toWorld } from "./place";

export interface Explanation {
  joints?: { name: string; type: string; inferred: boolean; why: string; acts_as: string }[];
  mobility: { gruebler: number | null; actual: number | null; why: string };
  redundant: { joints?: string[]; why?: string }[];
  plan: { step: string; parts: string[]; unknowns: number }[];
  plan_summary?: { dyads: number; unknowns_left: number; equations_left: number } | null;
  words: string;
  /** its words by their labels */
  told?: [label: string, value: string][];
}

export interface Problem {
  at: string;
  problem: string;
  remedy: string;
}

export interface Report {
  problems: Problem[];
  gaps: { joint: string; distance: number }[];
  explanation?: Explanation;
  /** Why not even the first position of the drives can be reached, as `move` says it. */
  out_of_reach?: string;
  /** Where the drives stop short of their last position, in words; empty where they do not, missing while that is not known. */
  stops_short?: string;
  unanswered?: Record<string, Problem[]>;
}

export interface Verdict {
  tone: "idle" | "good" | "warn" | "bad";
  headline: string;
  detail: string;
  remedy: string;
}

const say = (tone: Verdict["tone"], headline: string, detail = "", remedy = ""): Verdict => ({ tone, headline, detail, remedy });

export function list(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

export function verdict(document: Mechanism, report: Report | null): Verdict {
  const moving = parts(document).filter(([, part]) => !part.fixed);
  if (!parts(document).length) return say("idle", "An empty page", "Nothing is drawn yet.", "Press L and draw a link: press at one end, release at the other.");
  if (!report) return say("idle", "Looking at it …");
  const [problem] = report.problems;
  if (problem) return say("bad", "Something is wrong", `${problem.at}: ${problem.problem}.`, upper(problem.remedy));
  if (!isLinkage(document)) return elsewhere(document, (report.explanation?.plan.length ?? 0) > 0);
  const alone = moving.filter(([name]) => !jointsOf(document, name).length).map(([name]) => name);
  const grounded = joints(document).some(([, joint]) => joint.between.some((ref) => document.parts?.[split(ref)[0]]?.fixed));
  if (!grounded)
    return say("warn", "Nothing is grounded", `${list(moving.map(([name]) => name))} ${moving.length > 1 ? "float" : "floats"} free on the page.${lapWords(document)}`, "Press G and click the points that should stay in place.");
  if (alone.length)
    return say("warn", `${list(alone)} ${alone.length > 1 ? "are" : "is"} joined to nothing`, `A link that no joint holds does not move with the machine.${missWords(document)}`, `Pull one of its ends onto a point of the machine (V), or delete it.`);
  const open = report.unanswered?.explanation?.[0];
  if (!report.explanation) return say("warn", "Not a plane linkage", open ? `${upper(open.problem)}.` : "", open ? upper(open.remedy) : "");
  return moves(document, report.explanation, report);
}

/** Whether joints alone decide how it moves: in the plane, no shape that is joined to nothing, nothing pushed in legs. */
export function isLinkage(document: Mechanism): boolean {
  const shaped = parts(document).some(([name, part]) => !part.fixed && (part.library || (part.shape && !jointsOf(document, name).length)));
  const pushed = drives(document).some(([, drive]) => drive.part !== undefined);
  const bent = joints(document).some(([, joint]) => joint.type === "elastic" || joint.type === "infer");
  // A coefficient of friction alone lets nothing touch: that takes shapes. Pairs to be ignored are pairs that do not.
  const { ignore: _, ...rubs } = document.touching ?? {};
  const touches = document.contacts?.length || document.rows || (Object.keys(rubs).length && parts(document).some(([, part]) => part.shape));
  return (document.dimension ?? 2) === 2 && !shaped && !pushed && !bent && !touches;
}

/** Whether it is a machine that runs over time: it asks for that, or only a run moves it, or it moves by shapes and joints and asks for nothing else. */
export function runsOverTime(document: Mechanism): boolean {
  if (document.ask?.run || (isLinkage(document) && isOnlyRun(document))) return true;
  const asked = Object.keys(document.ask ?? {}).filter((verb) => verb !== "explain");
  const slow = drives(document).some(([, drive]) => drive.part !== undefined || (givesPositions(drive) && drive.speed === undefined && drive.speed_deg === undefined));
  return parts(document).length > 0 && !isLinkage(document) && !asked.length && !slow && !document.contacts?.length && !document.rows;
}

/** Whether its drives give `move` nothing to go through: torques alone, or a speed without positions. */
export function isOnlyRun(document: Mechanism): boolean {
  const without = drives(document).filter(([, drive]) => drive.part === undefined && !drive.path && !givesPositions(drive));
  const turned = ({ speed, speed_deg, torque }: Drive): boolean => torque === undefined && (speed !== undefined || speed_deg !== undefined);
  const pushed = without.length > 0 && without.length === drives(document).length && without.every(([, drive]) => drive.torque !== undefined);
  return pushed || without.some(([, drive]) => turned(drive));
}

/** Whether joints are driven through positions, and nothing else moves it. */
function isPlayed(document: Mechanism): boolean {
  const ways = drives(document).map(([, drive]) => drive);
  return ways.length > 0 && ways.every((drive) => drive.part === undefined && (drive.path !== undefined || givesPositions(drive)));
}

function elsewhere(document: Mechanism, planned: boolean): Verdict {
  const words = (document.dimension ?? 2) === 3 ? "It is a machine in space" : "Its parts move by touching each other, not by joints alone";
  if (runsOverTime(document)) return say("idle", "A machine to run", `${words}. Pulling is for linkages in the plane; this one is run over time.`, RUN);
  if ((document.dimension ?? 2) === 3 && planned && isPlayed(document))
    return say("idle", "A linkage in space", `${words}. Pulling is for linkages in the plane; this one is played, seen along the axis that its joints share.`, "Press Space to play.");
  return say("idle", "Not a plane linkage", `${words}. This page shows and keeps it; pulling and playing are for linkages in the plane.`, "What can be asked of it on the command line is listed under Machine.");
}

function moves(document: Mechanism, { mobility, redundant }: Explanation, { out_of_reach: outOfReach, stops_short: stopsShort }: Report): Verdict {
  const ways = mobility.actual ?? mobility.gruebler;
  const driven = freedomsDriven(document);
  const repeated = redundant[0]?.why ? ` ${upper(redundant[0].why)}.` : "";
  if (ways === null) return say("idle", "Its mobility is not counted", upper(mobility.why));
  if (ways <= 0)
    return say("bad", "It cannot move", `Its joints hold every link in place: ${firstClause(mobility.why)}.${repeated}`, `Take one joint away, let a grounded point go (G), ${joints(document).some(([, joint]) => joint.type === "prismatic") ? "let a slide turn too: make it a pin in a slot (J)," : ""} or put one more link between.`.replace("  ", " "));
  if (driven > ways)
    return say("bad", "The drives fight each other", `It moves in ${many(ways, "way")}, and its drives want ${driven}.`, `Keep ${many(ways, "drive")}: click a driven joint with D to take its drive away.`);
  const freely = `It moves in ${many(ways, "way")}.`;
  const miss = ways > 1 ? nearMiss(document) : null;
  if (driven === 0)
    return say(ways === 1 ? "good" : "idle", ways === 1 ? "It moves" : `It moves in ${ways} ways`, `${freely}${repeated}${missWords(document, miss)}`, miss ? JOIN : runsOverTime(document) ? "Pull any link, or press Space to run it." : "Pull any link. To let it run, press D and click the joint that should turn.");
  if (driven < ways && isOnlyRun(document))
    return say("idle", `It moves in ${ways} ways`, `${driven === 1 ? "One is" : `${driven} are`} driven: in a run the rest moves as forces let it.${missWords(document, miss)}`, miss ? JOIN : RUN);
  if (driven < ways)
    return say("warn", "Some of it is loose", `It moves in ${many(ways, "way")}, and ${driven === 1 ? "one is" : `${driven} are`} driven: the rest follows by least motion.${missWords(document, miss)}`, miss ? JOIN : "Join a free end, ground a point (G), or drive another joint (D).");
  if (outOfReach) return say("warn", "Its drive cannot begin", `${upper(outOfReach)}.`, "Let the drive begin where the links reach, or draw them so that they do.");
  const all = `${freely} ${driven === 1 ? "That one is" : "All are"} driven`;
  if (stopsShort) return say("warn", "Its drive stops short", `${all}, and not to its end: ${stopsShort}.`, "End the drive before that, or change the lengths of the links.");
  // Of a run nothing is known before it is run, of a drive nothing before it was followed to its end.
  const known = stopsShort !== undefined && !runsOverTime(document);
  return say("good", known ? "It works" : "It moves", `${all}.${repeated}`, runsOverTime(document) ? RUN : "Press Space to play.");
}

/** Whether it is worth asking how far its drives come: they have positions, and decide how it moves. */
export function hasCourse(document: Mechanism): boolean {
  return isLinkage(document) && isPlayed(document);
}

/** A driven joint takes one freedom, a marker on its path two, a torque none. */
function freedomsDriven(document: Mechanism): number {
  return drives(document).reduce((sum, [, drive]) => sum + (drive.path ? 2 : drive.torque === undefined || givesPositions(drive) ? 1 : 0), 0);
}

const givesPositions = (drive: Drive): boolean => [drive.from, drive.from_deg, drive.inputs, drive.inputs_deg].some((given) => given !== undefined);

const RUN = "Press Space to run it.";
const JOIN = "Press V and pull one onto the other until it says: join here.";

/** Ends that were surely meant to meet: of the machine's extent, this far apart at most. */
const NEAR = 0.12;

/** Whether some joint ties two parts. */
function tiedParts(document: Mechanism): (one: string, other: string) => boolean {
  const key = (names: (string | undefined)[]): string => names.sort().join(" ");
  const pairs = new Set(joints(document).map(([, joint]) => key(joint.between.map((ref) => split(ref)[0]))));
  return (one, other) => pairs.has(key([one, other]));
}

/** A free point of a link, and the nearest point of another link that no joint ties to it. */
export interface Miss {
  free: string;
  other: string;
  apart: number;
}

export function nearMiss(document: Mechanism): Miss | null {
  const poses = drawnPoses(document);
  const all = parts(document).flatMap(([name, part]) =>
    part.fixed ? [] : markers(part).map(([marker, [x, y]]) => ({ part: name, ref: `${name}.${marker}`, at: toWorld(poses[name] ?? AT_HOME, [x, y]) })),
  );
  const tied = tiedParts(document);
  const within = NEAR * extentOf(all.map(({ at }) => at));
  let nearest: Miss | null = null;
  for (const one of all.filter(({ ref }) => !jointsAt(document, ref).length))
    for (const other of all) {
      if (other.part === one.part || tied(one.part, other.part)) continue;
      const apart = distance(one.at, other.at);
      if (apart <= (nearest?.apart ?? within)) nearest = { free: one.ref, other: other.ref, apart };
    }
  return nearest;
}

/** An end of a link that lies on the body of another one, of the machine's extent so near, without a joint. */
const LIES_ON = 0.02;

export function lapsOver(document: Mechanism): { free: string; over: string } | null {
  const poses = drawnPoses(document);
  const bodies = parts(document)
    .filter(([, part]) => !part.fixed && !part.shape && !part.library)
    .map(([name, part]) => ({ name, points: markers(part).map(([marker, [x, y]]) => ({ ref: `${name}.${marker}`, at: toWorld(poses[name] ?? AT_HOME, [x, y]) })) }));
  const within = LIES_ON * extentOf(bodies.flatMap(({ points }) => points.map(({ at }) => at)));
  const tied = tiedParts(document);
  for (const { name, points } of bodies)
    for (const { ref, at } of points.filter(({ ref }) => !jointsAt(document, ref).length))
      for (const other of bodies) {
        if (other.name === name || tied(name, other.name)) continue;
        if (distance(at, onBody(at, hull(other.points.map((point) => point.at)))) <= within) return { free: ref, over: other.name };
      }
  return null;
}

function lapWords(document: Mechanism): string {
  const lap = lapsOver(document);
  if (!lap) return "";
  return ` ${split(lap.free)[0]} lies over ${lap.over} but is not joined to it: press E and click ${lap.over} under ${lap.free}, then V and pull ${lap.free} onto the new point.`;
}

function missWords(document: Mechanism, miss: Miss | null = nearMiss(document)): string {
  if (!miss) return lapWords(document);
  return ` The ends ${miss.free} and ${miss.other} are not joined: ${lengthWords(document, miss.apart)} lie between them.`;
}

/** A length in the document's unit, to three digits. */
export function lengthWords(document: Mechanism, length: number): string {
  const unit = document.units ?? "m";
  return `${Number(length.toPrecision(3))}${unit === "1" ? "" : ` ${unit}`}`;
}

/** What the document says of a moving part's mass, as it is written; of ground nothing, which does not move. */
export function massWords(document: Mechanism, name: string): string {
  const part = document.parts?.[name];
  if (!part || part.fixed) return "";
  const bare = document.units === "1";
  const said = (value: Exact, unit: string): string => `${Number(num(value).toPrecision(6))}${bare ? "" : ` ${unit}`}`;
  const words: string[] = [];
  if (part.mass !== undefined) words.push(said(part.mass, "kg"));
  if (part.mass !== undefined && part.center) words.push(`centre at ${part.center.map((at) => Number(num(at).toPrecision(6))).join(", ")}`);
  if (part.inertia !== undefined) words.push(`inertia ${said(part.inertia, "kg m²")}${part.mass === undefined ? " about its fixed pin (on a slide: its mass)" : " about its centre"}`);
  if (part.principal) words.push(`principal inertia ${part.principal.map((each) => Number(num(each).toPrecision(6))).join(", ")}${bare ? "" : " kg m²"}`);
  const own = part.density ?? document.materials?.[part.material ?? ""]?.density;
  if (part.mass === undefined && own !== undefined) words.push(`by its shape and a density of ${said(own, "kg/m³")}`);
  return words.length ? `Mass: ${words.join("; ")}.` : "Mass: not given.";
}

/** Why Play would show nothing, or null where it would. */
export function whyStill(document: Mechanism, { tone, headline, remedy }: Verdict): string | null {
  if (!parts(document).length || tone === "bad") return `${headline}. ${remedy}`;
  if (drives(document).length) return null;
  if (tone === "warn") return `${headline}, and nothing is driven. ${remedy}`;
  return "Nothing is driven yet. Press D and click the joint that should turn.";
}

function firstClause(why: string): string {
  return why.split(";")[0]!;
}

function upper(words: string): string {
  return words ? words[0]!.toUpperCase() + words.slice(1) : "";
}

/** Why a plot of forces has none: nothing acts, or what stands in the words of the answer. */
export function whyNoForces(document: Mechanism, told: readonly [label: string, value: string][], one: string): string {
  const isLoaded = Object.keys(document.ask?.move?.loads ?? {}).length > 0;
  const isLeftOut = told.some(([label, value]) => (label === "left out" ? value.includes("forces from") : label === "note" && /^(no forces|forces are not)/.test(value)));
  if (isLoaded || isLeftOut) return "No forces were computed: what is said below tells why.";
  return `Forces need a load to carry: choose a point, and it is pushed down with ${one}.`;
}

/** What is on the canvas, for whoever cannot see it. */
export function describe(document: Mechanism, said: Verdict): string {
  const sentences = [document.title || "An untitled machine", `${said.headline}. ${said.detail}`.trim()];
  for (const [name, part] of parts(document)) {
    const held = jointsOf(document, name).map(([joint, { type, between }]) => {
      const other = between.map((ref) => split(ref)[0]).find((each) => each !== name);
      return `${other} by the ${type} joint ${joint}`;
    });
    const points = markers(part).length;
    const what = part.fixed ? "is held fast" : part.shape ? "is a shaped part" : `is a link of ${many(points, "point")}`;
    sentences.push(`${name} ${what}${held.length ? `, joined to ${list(held)}` : part.fixed ? "" : ", joined to nothing"}`);
  }
  for (const [name, drive] of drives(document)) sentences.push(`${name} drives ${drive.joint ?? drive.part ?? drive.marker}`);
  return sentences.map((s) => s.replace(/\.?$/, ".")).join(" ");
}
