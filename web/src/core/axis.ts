// What a motion's numbers run over, and per what its rates are: the words of the record's columns, for a person.

/** The driven coordinates of a motion's record. */
export interface Driven {
  inputs: readonly (number | readonly number[])[];
  coordinates: readonly string[];
  coordinate_units: readonly string[];
  times: readonly number[] | null;
}

export interface Axis {
  /** One number per position. */
  at: number[];
  /** Of the axis: `drive °`, `position`. */
  label: string;
  /** Over what a plot runs: `the drive in degrees`. */
  over: string;
  /** What rates are by: `s`, `rad of the drive`, `the whole course`. */
  per: string;
}

/** Of one drive its coordinate, an angle in degrees; of several the number of the position. */
export function axisOf({ inputs, coordinates, coordinate_units, times }: Driven): Axis {
  const unit = coordinate_units[0] || "length";
  const turns = unit === "rad";
  if (coordinates.length > 1) return { at: inputs.map((_, k) => k), label: "position", over: "the positions", per: times ? "s" : "the whole course" };
  const at = inputs.map((value) => (Array.isArray(value) ? value[0] : value) * (turns ? 180 / Math.PI : 1));
  return { at, label: turns ? "drive °" : `drive ${unit}`, over: `the drive in ${turns ? "degrees" : unit}`, per: times ? "s" : `${unit} of the drive` };
}

/** Where a motion is: its first coordinate, by name where there are several. */
export function inputWords({ coordinates, coordinate_units }: Driven, value: number): string {
  const unit = coordinate_units[0] ?? "";
  const words = unit === "rad" ? `${((value * 180) / Math.PI).toFixed(1)}°` : `${Number(value.toPrecision(4))} ${unit}`.trim();
  return coordinates.length > 1 ? `${words} of ${coordinates[0]}` : words;
}
