// What an outlook is asked for beside the machine, as a person types it: moments, patterns, what is expected.

import type { AskOutlook, ExpectAsk } from "../document";
import { read } from "./numbers";

const VERDICTS = ["repeats", "ends", "at_rest", "undecided"] as const;
const EXPECTED = "minima=2, duration=7.4, patterns=200, verdict=repeats, or a joint's change such as wheel=-36deg";

/** A field of the question: its text in the document, and the entry that a text stands for, or what is wrong with it. */
export interface Entry<Value> {
  shown(value: Value | undefined): string;
  read(text: string): Value | { wrong: string };
}

/** Moments [s]; a comma with a blank behind it parts them, one without is a decimal one. */
export const MOMENTS: Entry<NonNullable<AskOutlook["at"]>> = {
  shown: (at) => (at ?? []).join("; "),
  read: (text) => {
    const moments = text.split(/[;\s]+|,\s+/).filter(Boolean).map((each) => read(each.replace(/,$/, ""), "s"));
    if (moments.some((each) => each === null || each < 0)) return { wrong: `${text} is not a list of moments: write 500; 1000.` };
    return moments as number[];
  },
};

const isCount = (value: number | null): value is number => value !== null && Number.isInteger(value) && value > 0;

export const COUNT: Entry<number> = {
  shown: (count) => (count === undefined ? "" : String(count)),
  read: (text) => {
    const count = read(text, "");
    return isCount(count) ? count : { wrong: `${text} is not a number of patterns: write 50.` };
  },
};

export const HORIZON: Entry<NonNullable<AskOutlook["until"]>> = {
  shown: (until) => (until === undefined ? "" : String(until)),
  read: (text) => {
    const until = read(text, "s");
    return until !== null && until > 0 ? until : { wrong: `${text} is not a horizon: write 1000.` };
  },
};

/** As the command line's `--expect`: key=value, several of them. */
export const EXPECTATION: Entry<ExpectAsk> = {
  shown: ({ change, ...plain } = {}) => [...Object.entries(plain), ...Object.entries(change ?? {})].map(([key, value]) => `${key}=${value}`).join(", "),
  read: (text) => {
    const expected: ExpectAsk = {};
    const changes: Record<string, number> = {};
    const given = new Set<string>();
    for (const each of text.split(/[,;]?\s+|;/).filter(Boolean)) {
      const [key, value] = [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)];
      const number = read(value, "rad"); // which takes 36deg, too
      if (!key || given.has(key)) return { wrong: `${each} ${key ? "is there twice" : "says nothing that can be expected"}: write ${EXPECTED}.` };
      given.add(key);
      const verdict = VERDICTS.find((known) => known === value);
      if (key === "verdict" && verdict) expected.verdict = verdict;
      else if ((key === "minima" || key === "patterns") && isCount(number)) expected[key] = number;
      else if ((key === "duration" || key === "within") && number !== null && number > 0) expected[key] = number;
      else if (!["verdict", "minima", "patterns", "duration", "within"].includes(key) && number !== null) changes[key] = number;
      else return { wrong: `${each} says nothing that can be expected: write ${EXPECTED}.` };
    }
    return Object.keys(changes).length ? { ...expected, change: changes } : expected;
  },
};
