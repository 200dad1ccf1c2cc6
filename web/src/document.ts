// The model document. Written by tools/make_types.py from `detent schema`; do not edit.

/** A number, or text that gives one exactly. */
export type Exact = number | string;

/** A machine: its parts, shapes, joints, drives, and the questions put to it. */
export interface Mechanism {
  format: "detent/1";
  title?: string;
  note?: string;
  /** of lengths, also in velocities; everything else is SI */
  units?: "1" | "in" | "m" | "mm";
  /** 2: in the plane; 3: in space */
  dimension?: 2 | 3;
  /** [m/s²]; none unless said */
  gravity?: Exact[];
  materials?: Record<string, Material>;
  /** named shapes, reused with `use` */
  shapes?: Record<string, Shape>;
  parts?: Record<string, Part>;
  joints?: Record<string, Joint>;
  drives?: Record<string, Drive>;
  /** by joint; as drawn and at rest unless said */
  start?: Record<string, Start>;
  touching?: Touching;
  contacts?: GivenContact[];
  rows?: Rows;
  ask?: Ask;
  study?: Study;
  /** the editor's; means nothing to a method */
  view?: Record<string, unknown>;
}

export interface Material {
  /** [kg/m³] */
  density?: Exact;
  /** [Pa] */
  modulus?: Exact;
  /** [Pa] at the working strain */
  secant_modulus?: Exact;
  /** allowed once */
  strain_once?: Exact;
  /** allowed again and again */
  strain_repeated?: Exact;
}

/** A shape: exactly one kind, then edges, moves and repeat. */
export interface Shape {
  /** polygon, either way round */
  outline?: Exact[][];
  segment?: Exact[][];
  /** radius of a disc about the origin */
  circle?: Exact;
  /** outline raised from z = 0 */
  prism?: Prism;
  /** sides; corner at the origin */
  block?: Exact[];
  cylinder?: Cylinder;
  cone?: Cone;
  /** radius of a ball about the origin */
  sphere?: Exact;
  torus?: Torus;
  union?: Shape[];
  /** the first less all others */
  difference?: Shape[];
  intersection?: Shape[];
  /** name of a shape under [shapes] */
  use?: string;
  edges?: EdgeBreak[];
  moves?: Move[];
  repeat?: Repeat;
}

export interface Prism {
  outline: Exact[][];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  height: Exact;
}

/** Base at the origin, along +z; with `teeth`, a gear at its pitch radius. */
export interface Cylinder {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  radius: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  height: Exact;
  teeth?: number;
}

export interface Cone {
  /** radius at the base and at the top */
  radius: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  height: Exact;
}

export interface Torus {
  /** from the axis to the middle of the tube */
  radius: Exact;
  /** radius of the tube */
  tube: Exact;
}

/** A chamfer or a round along the edges of one face; negative flares it, as a hole's mouth. */
export interface EdgeBreak {
  face: "+x" | "+y" | "+z" | "-x" | "-y" | "-z";
  chamfer?: Exact;
  round?: Exact;
}

/** One step of placing a shape; exactly one of move, turn, along, mirror. */
export interface Move {
  /** shift by this vector */
  move?: Exact[];
  /** turn by this angle [rad] */
  turn?: Exact;
  /** turn by this angle [deg] */
  turn_deg?: Exact;
  /** turn so that +x points this way */
  along?: Exact[];
  /** mirror in the plane with this normal */
  mirror?: "x" | "y" | "z" | Exact[];
  /** axis of the turn; z unless said */
  about?: "x" | "y" | "z" | Exact[];
  /** a point on the axis, or in the mirror; the origin unless said */
  at?: Exact[];
}

/** Copies of a shape: `count` in a full circle, or `count` spaced by `turn` or `step`. */
export interface Repeat {
  /** how many copies, the first included */
  count: number;
  /** axis of the circle; z unless said */
  about?: "x" | "y" | "z" | Exact[];
  /** a point on the axis; the origin unless said */
  at?: Exact[];
  /** angle between copies [rad] */
  turn?: Exact;
  /** angle between copies [deg] */
  turn_deg?: Exact;
  /** shift between copies */
  step?: Exact[];
  /** copies left out, counted from 0 */
  without?: number[];
}

/** A rigid body. Left out, a pose means: drawn in place. */
export interface Part {
  /** does not move */
  fixed?: boolean;
  pose?: Pose;
  /** points of the part, by name */
  markers?: Record<string, Exact[] | Marker>;
  shape?: Shape;
  /** name of a material */
  material?: string;
  /** [kg/m³]; gives mass, centre and inertia from the shape */
  density?: Exact;
  /** [kg] */
  mass?: Exact;
  /** centre of mass, in the part's frame */
  center?: Exact[];
  /** [kg m²] about `center` when `mass` is given, else about its only joint to a fixed part */
  inertia?: Exact;
  /** [kg m²] about the axes x, y, z through `center` */
  principal?: Exact[];
  /** name of a library part */
  library?: string;
  /** parameters of the library part */
  set?: Record<string, unknown>;
}

/** Where a frame stands: in the world, or relative to the marker named by `on`. */
export interface Pose {
  /** its origin */
  at?: Exact[];
  /** turn [rad] */
  turn?: Exact;
  /** turn [deg] */
  turn_deg?: Exact;
  /** axis of the turn; z unless said */
  about?: "x" | "y" | "z" | Exact[];
  /** where its +x points */
  along?: Exact[];
  /** a marker, as part.marker */
  on?: string;
}

/** A point of a part, with a direction where one is needed.

    A direction is the joint's axis in space, the line of a slide in the plane. */
export interface Marker {
  /** two numbers in the plane, three in space */
  at: Exact[];
  /** its direction */
  along?: Exact[];
  /** its direction from +x [rad] */
  turn?: Exact;
  /** its direction from +x [deg] */
  turn_deg?: Exact;
  /** zero of a turn about `along`, in space; the frame's x unless said */
  across?: Exact[];
}

/** A pair. Its coordinate is the turn from the first marker's direction to the second's,

    counter-clockwise, or the travel along the first's; so it is zero as drawn without poses. */
export interface Joint {
  type: "angle" | "cylindrical" | "elastic" | "fixed" | "gear" | "in_line" | "infer" | "planar" | "prismatic" | "revolute" | "spherical";
  /** two markers (part.marker), or two parts with `at` */
  between: string[];
  /** a marker on each part at this point of the world */
  at?: Exact[];
  /** its axis, or the line of a slide */
  along?: "x" | "y" | "z" | Exact[];
  /** of a gear: turn of the second by the first's */
  ratio?: Exact;
  /** of an angle [rad] */
  value?: Exact;
  /** of an angle [deg] */
  value_deg?: Exact;
  spring?: Spring;
  /** [N m s/rad] or [N s/m]; of an elastic joint one a freedom */
  damping?: number | string | Exact[];
  limits?: Limits;
  /** of an elastic joint: one a freedom, or the matrix [N/m, N m/rad] */
  stiffness?: (number | string | Exact[])[];
  beam?: Beam;
  plate?: Plate;
}

/** Acts on the joint's coordinate: torque or force = -stiffness (coordinate - rest). */
export interface Spring {
  /** [N m/rad] or [N/m] */
  stiffness: Exact;
  /** relaxed coordinate; 0 unless said */
  rest?: Exact;
  /** relaxed coordinate [deg] */
  rest_deg?: Exact;
}

export interface Limits {
  min?: Exact;
  max?: Exact;
  min_deg?: Exact;
  max_deg?: Exact;
}

/** A cantilever in bending; two numbers for a height or a width that tapers, root first. */
export interface Beam {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  length: Exact;
  height: number | string | Exact[];
  width: number | string | Exact[];
  /** [Pa]; else the part's material */
  modulus?: Exact;
}

/** A rectangular plate in bending, clamped along the edges named. */
export interface Plate {
  /** length along x and y */
  sides: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  thickness: Exact;
  /** [Pa]; else the part's material */
  modulus?: Exact;
  poisson?: Exact;
  /** edges held */
  clamped?: ("x=0" | "x=1" | "y=0" | "y=1")[];
  /** where the part sits on it; its far corner unless said */
  at?: Exact[];
}

/** What is commanded: a joint's coordinate, a part in legs, or a marker. */
export interface Drive {
  joint?: string;
  part?: string;
  marker?: string;
  /** first coordinate */
  from?: Exact;
  /** last coordinate */
  to?: Exact;
  from_deg?: Exact;
  to_deg?: Exact;
  /** intervals between positions */
  steps?: number;
  /** coordinates, one a position */
  inputs?: Exact[];
  inputs_deg?: Exact[];
  /** per second */
  speed?: Exact;
  speed_deg?: Exact;
  /** [N m], or [N] on a slide */
  torque?: Exact;
  legs?: Leg[];
  /** points that a driven marker visits in turn */
  path?: Exact[][];
}

/** A straight stretch: lasts `for` a time or a `distance`; or goes back over the leg before. */
export interface Leg {
  /** [units/s] in the world's axes, or a driven marker's */
  velocity?: Exact[];
  /** how long [s] */
  for?: Exact;
  /** how far */
  distance?: Exact;
  /** acceleration at both ends [units/s²] */
  ramp?: Exact;
  /** retrace the leg before to its start, at the opposite velocity */
  back?: boolean;
}

/** A joint's coordinate and speed at the start; as drawn and at rest unless said. */
export interface Start {
  at?: Exact;
  at_deg?: Exact;
  speed?: Exact;
  speed_deg?: Exact;
}

export interface Touching {
  /** Coulomb's coefficient */
  friction?: Exact;
  /** 0: no rebound, 1: full */
  restitution?: Exact;
  /** pairs (part:part) that never touch */
  ignore?: string[];
  /** by pair (part:part) */
  pairs?: Record<string, Pair>;
}

export interface Pair {
  /** Coulomb's coefficient */
  friction?: Exact;
  /** 0: no rebound, 1: full */
  restitution?: Exact;
}

/** A contact given directly; its normal points from the first part to the second. */
export interface GivenContact {
  /** two parts */
  between: string[];
  /** two numbers in the plane, three in space */
  point: Exact[];
  /** any length */
  normal: Exact[];
  /** they divide sliding; else `planes` of them, evenly */
  tangents?: Exact[][];
  friction?: Exact;
  restitution?: Exact;
}

/** Contact rows given instead of parts, for any degrees of freedom. */
export interface Rows {
  /** positive when separating */
  normal: Exact[][];
  /** dividing planes, by contact */
  tangent?: Exact[][][];
  /** always zero */
  held?: Exact[][];
}

export interface Ask {
  explain?: AskExplain;
  move?: AskMove;
  mate?: AskMate;
  run?: AskRun;
  outlook?: AskOutlook;
  modes?: AskModes;
}

export interface AskExplain {
}

export interface AskMove {
  method?: "kinematic" | "newton_svd" | "penalty" | "quasistatic" | "rigid";
  /** what happens where the linkage cannot follow */
  breaking?: "limiting" | "searching" | "stretching";
  /** list every way the links go together */
  assemblies?: boolean;
  /** forces [N] by marker */
  loads?: Record<string, Exact[]>;
}

export interface AskMate {
  method?: "kinematic" | "newton_svd" | "penalty" | "quasistatic" | "rigid";
  /** decide every event in exact arithmetic */
  exact?: boolean;
  /** [s] */
  until?: Exact;
  /** travel that counts as apart */
  apart?: Exact;
  /** where the driven part counts as apart */
  goal?: Region;
  /** the family of directions tried for a diode */
  directions?: Range;
  /** of a force diode: out over in; 2 unless said */
  ratio?: Exact;
  uncertain?: Uncertain;
}

export interface Region {
  outline: Exact[][];
}

/** Equal steps from one value to another. */
export interface Range {
  from?: Exact;
  to?: Exact;
  from_deg?: Exact;
  to_deg?: Exact;
  /** intervals */
  steps?: number;
  values?: Exact[];
}

export interface Uncertain {
  /** where the driven part may begin */
  start?: Region;
}

export interface AskRun {
  method?: "kinematic" | "newton_svd" | "penalty" | "quasistatic" | "rigid";
  penalty?: Penalty;
  /** [s] */
  until?: Exact;
}

/** Contact force = overlap (stiffness + damping x its rate). */
export interface Penalty {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  stiffness: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  damping: Exact;
}

export interface AskOutlook {
  method?: "kinematic" | "newton_svd" | "penalty" | "quasistatic" | "rigid";
  penalty?: Penalty;
  /** [s] */
  until?: Exact;
}

export interface AskModes {
  planes?: number;
  /** which modes */
  kind?: "all" | "contacting_separating" | "sliding";
  /** sliding by planes, or zero and non-zero only */
  cone?: "nonlinear" | "planes";
  exact?: boolean;
}

export interface Study {
  /** the verb */
  ask: "mate" | "modes" | "move" | "outlook" | "run";
  /** by path in the document */
  vary?: Record<string, Vary>;
  samples?: number;
  seed?: number;
}

/** One varied quantity: a range, values, or a distribution. */
export interface Vary {
  from?: Exact;
  to?: Exact;
  /** intervals */
  steps?: number;
  values?: Exact[];
  /** mean and deviation */
  normal?: Exact[];
  /** from and to */
  uniform?: Exact[];
}
