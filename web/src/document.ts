// The model document. Written by tools/make_types.py from `detent schema`; do not edit.

/** A number, or text that gives one exactly. */
export type Exact = number | string;

/** A machine: its parts, shapes, joints, drives, and the questions put to it.

    Frozen: `with_` gives another one. `words` says what it is, as `detent explain` does. */
export interface Mechanism {
  format: "detent/1";
  title?: string;
  note?: string;
  /** of lengths, also in velocities; everything else is SI */
  units?: "1" | "in" | "m" | "mm";
  /** 2: in the plane; 3: in space */
  dimension?: 2 | 3;
  /** two numbers in the plane, three in space */
  gravity?: Exact[];
  materials?: Record<string, Material>;
  /** named shapes, reused with `use` */
  shapes?: Record<string, Shape>;
  parts?: Record<string, Part>;
  joints?: Record<string, Joint>;
  /** how joints are found from shapes */
  infer?: Inferring;
  drives?: Record<string, Drive>;
  /** by joint, part:part, or part.x, .y, .angle of a free part; as drawn and at rest unless said */
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
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  density?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  modulus?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  secant_modulus?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  strain_once?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  strain_repeated?: Exact;
  /** name of a shipped material, which gives what is left out */
  library?: string;
}

/** A shape: exactly one kind, then edges, moves and repeat. */
export interface Shape {
  /** polygon, in either direction */
  outline?: Exact[][];
  /** two points */
  segment?: Exact[][];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  circle?: Exact;
  /** outline raised from z = 0 */
  prism?: Prism;
  /** two numbers in the plane, three in space */
  block?: Exact[];
  cylinder?: Cylinder;
  cone?: Cone;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
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

/** Base at the origin, along +z; with `teeth`, or `gear`, a gear at its pitch radius. */
export interface Cylinder {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  radius: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  height: Exact;
  /** number of teeth */
  teeth?: number;
  /** a gear whose teeth are not counted: its ratio goes by diameters */
  gear?: boolean;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  depth?: Exact;
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
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  chamfer?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  round?: Exact;
}

/** One step of placing a shape; exactly one of move, turn, along, mirror. */
export interface Move {
  /** two numbers in the plane, three in space */
  move?: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  turn?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  turn_deg?: Exact;
  /** two numbers in the plane, three in space */
  along?: Exact[];
  /** mirror in the plane with this normal */
  mirror?: "x" | "y" | "z" | Exact[];
  /** axis of the rotation; z unless said */
  about?: "x" | "y" | "z" | Exact[];
  /** two numbers in the plane, three in space */
  at?: Exact[];
}

/** Copies of a shape: `count` in a full circle, or `count` spaced by `turn` or `step`. */
export interface Repeat {
  /** how many copies, the first included */
  count: number;
  /** axis of the circle; z unless said */
  about?: "x" | "y" | "z" | Exact[];
  /** two numbers in the plane, three in space */
  at?: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  turn?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  turn_deg?: Exact;
  /** two numbers in the plane, three in space */
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
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  thickness?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  density?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  mass?: Exact;
  /** two numbers in the plane, three in space */
  center?: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  inertia?: Exact;
  /** three numbers */
  principal?: Exact[];
  /** name of a library part */
  library?: string;
  /** parameters of the library part, in a table of its own */
  set?: Record<string, unknown>;
}

/** The position of a frame: in the world, or relative to the marker named by `on`. */
export interface Pose {
  /** two numbers in the plane, three in space */
  at?: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  turn?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  turn_deg?: Exact;
  /** axis of the rotation; z unless said */
  about?: "x" | "y" | "z" | Exact[];
  /** two numbers in the plane, three in space */
  along?: Exact[];
  /** a marker, as part.marker */
  on?: string;
}

/** A point of a part, with a direction where one is needed.

    A direction is the joint's axis in space, the line of a slide in the plane. */
export interface Marker {
  /** two numbers in the plane, three in space */
  at: Exact[];
  /** two numbers in the plane, three in space */
  along?: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  turn?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  turn_deg?: Exact;
  /** two numbers in the plane, three in space */
  across?: Exact[];
}

/** A pair. Its coordinate is the angle from the first marker's direction to the second's,

    counter-clockwise, or the travel along the first's; so it is zero as drawn without poses. */
export interface Joint {
  type: "angle" | "cylindrical" | "elastic" | "fixed" | "gear" | "in_line" | "infer" | "planar" | "prismatic" | "revolute" | "spherical";
  /** two markers (part.marker), or two parts with `at` */
  between: string[];
  /** two numbers in the plane, three in space */
  at?: Exact[];
  /** its axis, or the line of a slide */
  along?: "x" | "y" | "z" | Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  ratio?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  value?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  value_deg?: Exact;
  spring?: Spring;
  /** [N m s/rad] or [N s/m]; of an elastic joint one per degree of freedom */
  damping?: number | string | Exact[];
  limits?: Limits;
  /** of a pin or a slide: dry friction, by the force that it carries */
  friction?: JointFriction;
  /** of an elastic joint: one per degree of freedom, or the matrix [N/m, N m/rad] */
  stiffness?: (number | string | Exact[])[];
  /** of an elastic joint: the directions of its stiffness, where the others are rigid */
  free?: ("turn_x" | "turn_y" | "turn_z" | "x" | "y" | "z")[];
  beam?: Beam;
  plate?: Plate;
}

/** Acts on the joint's coordinate: torque or force = -stiffness (coordinate - rest), or by a table. */
export interface Spring {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  stiffness?: Exact;
  /** of a fastener's pawl, instead: rows of angle from rest [rad] and torque back [N m], with 0, 0 */
  torque?: Exact[][];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  rest?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  rest_deg?: Exact;
}

export interface Limits {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  min?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  max?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  min_deg?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  max_deg?: Exact;
}

/** Coulomb's, in a pin or a slide: coefficient times what the joint carries, against its motion. */
export interface JointFriction {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  coefficient: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  radius?: Exact;
}

/** A cantilever that comes along the joint's x and bends across it: in y in the plane, in z in space.

    Two numbers for a height or a width that tapers, root first; the height is the one that bends. */
export interface Beam {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  length: Exact;
  height: number | string | Exact[];
  /** unless given, the thickness of the part that it carries */
  width?: number | string | Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  modulus?: Exact;
}

/** A rectangular plate in the joint's x-y, in bending, clamped along the edges named. */
export interface Plate {
  /** length along x and y */
  sides: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  thickness: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  modulus?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  poisson?: Exact;
  /** edges held: 0 the near one, 1 the far one */
  clamped?: ("x=0" | "x=1" | "y=0" | "y=1")[];
  /** two numbers */
  at?: Exact[];
  /** weight of the twist in its energy, 2 (1 - poisson) or half of that */
  twist?: "full" | "half";
  /** two numbers */
  footprint?: Exact[];
  /** two lists of numbers */
  knots?: Exact[][];
}

/** How joints are found from shapes. */
export interface Inferring {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  clearance?: Exact;
}

/** What is commanded: a joint's coordinate, a part in legs, or a marker. */
export interface Drive {
  joint?: string;
  part?: string;
  marker?: string;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  from?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  to?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  from_deg?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  to_deg?: Exact;
  /** how many */
  steps?: number;
  /** coordinates, one per position */
  inputs?: Exact[];
  inputs_deg?: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  speed?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  speed_deg?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  torque?: Exact;
  legs?: Leg[];
  /** points that a driven marker visits in order */
  path?: Exact[][];
}

/** A straight piece: lasts `for` a time or a `distance`; or goes back over the leg before. */
export interface Leg {
  /** two numbers in the plane, three in space */
  velocity?: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  for?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  distance?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  ramp?: Exact;
  /** retrace the leg before to its start, at the opposite velocity */
  back?: boolean;
}

/** A coordinate and its speed at the start; as drawn and at rest unless said. */
export interface Start {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  at?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  at_deg?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  speed?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  speed_deg?: Exact;
}

export interface Touching {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  friction?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  restitution?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  smooth?: Exact;
  /** pairs (part:part) that never touch */
  ignore?: string[];
  /** by pair (part:part) */
  pairs?: Record<string, Pair>;
}

export interface Pair {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  friction?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  restitution?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  stiffness?: Exact;
}

/** A contact given directly; its normal points from the first part to the second. */
export interface GivenContact {
  /** two parts */
  between: string[];
  /** two numbers in the plane, three in space */
  point: Exact[];
  /** any length */
  normal: Exact[];
  /** they divide sliding; else as many as [ask.modes] says, evenly */
  tangents?: Exact[][];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  friction?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
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
  method?: "combined" | "compliant" | "kinematic" | "newton_svd" | "penalty" | "quasistatic" | "rigid";
  /** what happens where the linkage cannot follow */
  breaking?: "limiting" | "searching" | "stretching";
  /** list every assembly of the links */
  assemblies?: boolean;
  /** follow contact: what moves stops where it touches, or pushes on */
  contact?: boolean;
  /** forces [N] by marker */
  loads?: Record<string, Exact[]>;
}

export interface AskMate {
  method?: "combined" | "compliant" | "kinematic" | "newton_svd" | "penalty" | "quasistatic" | "rigid";
  /** decide every event in exact arithmetic, as unless said; false: only what a float filter doubts */
  exact?: boolean;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  until?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  depth?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  apart?: Exact;
  /** displacements of the driven part that count as apart */
  goal?: Region;
  /** the family of directions tried for a diode */
  directions?: Range;
  /** from which friction on it holds, and up to which it goes in */
  holding_friction?: boolean;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  holds_below?: Exact;
  /** the smallest change of one number that alters the order of events, or the verdict */
  margin?: boolean;
  /** how many */
  margin_steps?: number;
  /** how many */
  force_digits?: number;
  /** of directions out: every one between two, not a sample */
  fan?: Between;
  /** of hooks on beams: followed as they bend, as unless said, or decided exactly on hinges */
  beams?: "bent" | "hinged";
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  ratio?: Exact;
  uncertain?: Uncertain;
  /** of a robot that leads the part: about its working point, as unless said, or in full */
  dynamics?: "full" | "linear";
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  step?: Exact;
}

export interface Region {
  outline: Exact[][];
}

/** Equal steps from one value to another. */
export interface Range {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  from?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  to?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  from_deg?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  to_deg?: Exact;
  /** how many */
  steps?: number;
  values?: Exact[];
}

/** All angles from one to another, counter-clockwise. */
export interface Between {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  from?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  to?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  from_deg?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  to_deg?: Exact;
  /** how many */
  most_steps?: number;
}

export interface Uncertain {
  /** displacements of the driven part with which it may begin */
  start?: Region;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  cylinder?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  direction?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  direction_deg?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  angle?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  angle_deg?: Exact;
  /** how many */
  most_steps?: number;
}

export interface AskRun {
  /** rigid, as unless said, or penalty */
  method?: "combined" | "compliant" | "kinematic" | "newton_svd" | "penalty" | "quasistatic" | "rigid";
  penalty?: PenaltyAsk;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  until?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  every?: Exact;
  /** [s] of the rows, instead of `every` */
  times?: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  accuracy?: Exact;
}

/** Contact force = overlap (stiffness + damping x its rate). */
export interface PenaltyAsk {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  stiffness: Exact;
  /** the product D M of Gelsey */
  damping: Exact;
  /** what touches: each part's outline, as unless said, or its single primitives, as Gelsey has them */
  features?: "outline" | "primitives";
}

export interface AskOutlook {
  method?: "combined" | "compliant" | "kinematic" | "newton_svd" | "penalty" | "quasistatic" | "rigid";
  penalty?: PenaltyAsk;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  until?: Exact;
  /** [s] moments whose states are asked for */
  at?: Exact[];
  /** how many */
  patterns?: number;
  search?: SearchAsk;
  expect?: ExpectAsk;
}

/** Parameters of the search for a pattern (Gelsey's Algorithm 12). */
export interface SearchAsk {
  /** how many */
  confirm?: number;
  /** minima of the start that do not count; 4 unless said */
  ignore?: number;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  energy?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  time?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  state?: Exact;
  /** how many */
  steps?: number;
}

/** A pattern that is expected; what is not written is not asked. */
export interface ExpectAsk {
  verdict?: "at_rest" | "ends" | "repeats" | "undecided";
  /** how many */
  minima?: number;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  duration?: Exact;
  /** by joint, per pattern: rad, or units */
  change?: Record<string, Exact>;
  /** how many */
  patterns?: number;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  within?: Exact;
}

export interface AskModes {
  /** tangent planes that divide sliding at each contact */
  planes?: number;
  /** which modes */
  kind?: "all" | "contacting_separating";
  /** sliding by planes, or zero and non-zero only */
  cone?: "nonlinear" | "planes";
  exact?: boolean;
  /** which modes follow? by part, beside gravity: force [N], then moment about the origin [N units] */
  load?: Record<string, Exact[]>;
  /** for `load`, at rest unless said; by part: of its point at the origin, then its rotation */
  velocity?: Record<string, Exact[]>;
}

export interface Study {
  /** the verb */
  ask: "mate" | "modes" | "move" | "outlook" | "run";
  /** by path in the document */
  vary?: Record<string, Vary>;
  /** how many */
  samples?: number;
  seed?: number;
}

/** One varied quantity: a range, values, or a distribution. */
export interface Vary {
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  from?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  to?: Exact;
  /** how many */
  steps?: number;
  values?: Exact[];
  /** two numbers */
  normal?: Exact[];
  /** two numbers */
  uniform?: Exact[];
}

/** An O-ring on its groove. */
export interface OringSettings {
  /** diameter of the section */
  section: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  inner_diameter?: Exact;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  groove_radius?: Exact;
  /** two numbers */
  pressure?: Exact[];
  /** instead: squeeze and line load [N/m], rows to which c1 a + c2 a² is fitted */
  pressure_table?: Exact[][];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  groove_friction?: Exact;
}

/** A PUMA 560 with elastic gears in joints 1 to 3 and position control, at a working point.

    Angles are the controller's (VAL). Stiffnesses and gains count per radian of the joint. */
export interface Puma560Settings {
  /** carried beside parts fixed to the flange */
  payload?: PayloadSettings;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  gripper?: Exact;
  /** six numbers */
  working_point?: Exact[];
  /** six numbers */
  working_point_deg?: Exact[];
  /** three numbers */
  wrist?: Exact[];
  /** three numbers */
  tool_axis?: Exact[];
  /** three numbers */
  across?: Exact[];
  /** with `wrist`: which shoulder */
  shoulder?: "lefty" | "righty";
  /** with `wrist`: which elbow */
  elbow?: "above" | "below";
  /** with `wrist`: which sign joint 5 has */
  hand?: "flip" | "noflip";
  /** three numbers */
  gear_stiffness?: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  gear_damping_ratio?: Exact;
  /** six numbers */
  position_gain?: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  gain_damping_ratio?: Exact;
  /** six numbers */
  torque_limit?: Exact[];
}

/** What a robot carries beside the parts of the document that are fixed to its flange. */
export interface PayloadSettings {
  /** [kg] */
  mass: Exact;
  /** centre of mass, in the flange's frame */
  center: Exact[];
  /** [kg m²] about the flange's axes x, y, z through `center` */
  principal: Exact[];
}

/** An arm of a URDF file under position control, its first joints with elastic gears. */
export interface UrdfSettings {
  /** carried beside parts fixed to the flange */
  payload?: PayloadSettings;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  gripper?: Exact;
  /** path of the URDF file, from the folder in which detent runs */
  file: string;
  /** link that carries the flange; the file's last unless said */
  tip?: string;
  /** angles of the joints [rad] */
  working_point?: Exact[];
  /** angles of the joints [deg] */
  working_point_deg?: Exact[];
  /** of elastic gears in the first joints [N m/rad]; none: all are rigid */
  gear_stiffness?: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  gear_damping_ratio?: Exact;
  /** of each motor, per radian of its joint [kg m²] */
  motor_inertia?: Exact[];
  /** of motors of elastic gears and of the other joints [N m/rad] */
  position_gain: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  gain_damping_ratio?: Exact;
  /** of the motors [N m]; passing it is told */
  torque_limit?: Exact[];
}

/** A mass on springs and dampers, the simplest robot: six directions, in its own frame. */
export interface CarrierSettings {
  /** carried beside parts fixed to the flange */
  payload?: PayloadSettings;
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  gripper?: Exact;
  /** along x, y, z [N/m], about x, y, z [N m/rad] */
  stiffness: Exact[];
  /** [kg], its centre at the origin */
  mass: Exact;
  /** [kg m²] about x, y, z */
  principal: Exact[];
  /** six numbers */
  damping?: Exact[];
  /** a number, or text that gives one exactly: a decimal, or a fraction such as 1/3 */
  damping_ratio?: Exact;
}
