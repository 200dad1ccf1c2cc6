// What a motion's numbers run over, and per what its rates are: the words of the record's columns, for a person.

/** The driven coordinates of a motion's record. */
export interface Driven {
  inputs: readonly (number | readonly number[])[];
  coordinates: readonly string[];
  coordinate_units: readonly string[];
  times: readonly number[] | null;
}

export interface Axis {
  /** One number per position, rising. */
  at: number[];
  /** Of which position each is. */
  order: number[];
  /** Of the axis: `drive °`, `position`. */
  label: string;
  /** Over what a plot runs: `the drive in degrees`. */
  over: string;
  /** What rates are per: `s`, `rad of the drive`, `the whole course`. */
  per: string;
}

/** Of one drive its coordinate, an angle in degrees; of several, and of one that goes there and back, the number of the position. */
export function axisOf({ inputs, coordinates, coordinate_units, times }: Driven): Axis {
  const unit = coordinate_units[0] || "length";
  const turns = unit === "rad";
  const order = inputs.map((_, k) => k);
  const alone = coordinates.length === 1;
  const per = times ? "s" : alone ? `${unit} of the drive` : "the whole course";
  const at = inputs.map((value) => (typeof value === "number" ? value : value[0]!) * (turns ? 180 / Math.PI : 1));
  const rises = (values: number[]): boolean => values.every((value, k) => k === 0 || value >= values[k - 1]!);
  const over = turns ? "the drive in degrees" : `the drive [${unit}]`;
  const label = turns ? "drive °" : `drive ${unit}`;
  if (alone && rises(at)) return { at, order, label, over, per };
  const back = [...at].reverse();
  if (alone && rises(back)) return { at: back, order: [...order].reverse(), label, over, per };
  return { at: order, order, label: "position", over: "the positions", per };
}

/** Where a motion is: its first coordinate, by name where there are several. */
export function inputWords({ coordinates, coordinate_units }: Driven, value: number): string {
  const unit = coordinate_units[0] ?? "";
  const words = unit === "rad" ? `${((value * 180) / Math.PI).toFixed(1)}°` : `${Number(value.toPrecision(4))} ${unit}`.trim();
  return coordinates.length > 1 ? `${words} of ${coordinates[0]}` : words;
}

/** Which number of a rising row is nearest. */
export function nearestIn(row: readonly number[], value: number): number {
  let [low, high] = [0, row.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low > 0 && value - row[low - 1]! < row[low]! - value ? low - 1 : low;
}
