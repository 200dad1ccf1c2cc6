// What can be asked of a document that is not a linkage, as commands to be typed, where the page has no answer itself.

import type { Mechanism } from "../document";
import { drives } from "./model";

export interface Questions {
  /** verbs of the command line that the page does not answer itself, the fitting ones first */
  verbs: string[];
  /** what the document asks for and no verb answers yet */
  planned: string[];
}

/** Verbs that the page answers itself. */
const HERE = ["run", "outlook"];

/** By what the document asks, else by what is in it; `known`: the verbs that there are. */
export function questionsOf(document: Mechanism, known: readonly string[]): Questions {
  const asked = Object.keys(document.ask ?? {});
  const fits = [
    ...asked.filter((verb) => known.includes(verb)),
    ...(drives(document).some(([, drive]) => drive.part !== undefined) ? ["mate"] : []),
    ...(document.contacts?.length || document.rows ? ["modes"] : []),
    "explain",
  ];
  return { verbs: [...new Set(fits)].filter((verb) => known.includes(verb) && !HERE.includes(verb)), planned: asked.filter((verb) => !known.includes(verb)) };
}

/** A command line; a name that a shell would take apart is quoted. */
export function commandLine(verb: string, file: string): string {
  return `detent ${verb} ${/^[\w./-]+$/.test(file) ? file : `"${file.replace(/["$`\\]/g, "\\$&")}"`}`;
}
