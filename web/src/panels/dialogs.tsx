// Dialogs: examples with pictures and templates, open and recover, save as, export, keys.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ACTIONS, shown } from "../actions";
import { markers, parts } from "../core/model";
import { METRES } from "../core/numbers";
import type { Units } from "../core/operations";
import { distance } from "../core/place";
import { TEMPLATES } from "../core/templates";
import type { Mechanism } from "../document";
import * as files from "../files";
import { ask, attempt } from "../server";
import * as state from "../state";
import { dropBackground, hasBackground, setBackground } from "../view/background";
import { short } from "./number";

const close = (): void => void (state.dialog.value = null);

/** Do it, then close; what goes wrong is said in the status line. */
const then = (doing: Promise<unknown>): void => {
  close();
  attempt(doing);
};

export function Dialogs() {
  const which = state.dialog.value;
  if (which === "gallery") return <Gallery />;
  if (which === "open") return <Open />;
  if (which === "save") return <SaveAs />;
  if (which === "export") return <Export />;
  if (which === "units") return <UnitsOf />;
  if (which === "import") return <ImportUnits />;
  return which === "help" ? <Help /> : null;
}

function Dialog({ title, children }: { title: string; children: ComponentChildren }) {
  const own = useRef<HTMLDialogElement>(null);
  // Before the browser paints: a dialog that is seen has the keys.
  useLayoutEffect(() => {
    const dialog = own.current!;
    const before = window.document.activeElement as HTMLElement | null;
    dialog.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog
      ref={own}
      aria-label={title}
      onClose={() => own.current && close()}
      onClick={(event) => event.target === own.current && close()}
    >
      <div class="sheet">
        <h2>{title}</h2>
        <button type="button" class="close" aria-label="Close" onClick={close}>
          ×
        </button>
        {children}
      </div>
    </dialog>
  );
}

function Gallery() {
  useEffect(() => attempt(files.listExamples()), []);
  return (
    <Dialog title="Begin with a machine">
      <h3>Templates</h3>
      <div class="row wrap">
        {TEMPLATES.map((template) => (
          <button key={template.name} type="button" class="template" onClick={() => then(files.create(template.make()))}>
            <b>{template.name}</b>
            <span>{template.words}</span>
          </button>
        ))}
      </div>
      <h3>Examples</h3>
      <div class="gallery">
        {files.examples.value.map((example) => (
          <button key={example.name} type="button" data-example={example.name} onClick={() => then(files.openExample(example.name))}>
            <img src={example.picture} alt="" loading="lazy" />
            <span>{example.title}</span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}

function Open() {
  const [drafts, setDrafts] = useState<state.Draft[]>([]);
  const look = (): void => attempt(ask<{ drafts: state.Draft[] }>("drafts").then((made) => setDrafts(made?.drafts ?? [])));
  useEffect(() => {
    attempt(files.listFolder());
    look();
  }, []);
  // What is on this page now need not be recovered.
  const others = drafts.filter(({ draft }) => draft !== state.file.value.draft);
  const when = (modified: number): string => new Date(modified / 1000).toLocaleString();
  return (
    <Dialog title="Open">
      <label class="drop">
        <b>A file of yours</b>
        <span>{(state.hello.value?.imports ?? []).join(", ")}; or drop it on the drawing</span>
        <input type="file" onChange={(event) => event.currentTarget.files?.[0] && then(files.bring(event.currentTarget.files[0]))} />
      </label>
      {files.found.value.length > 0 && <h3>In this folder</h3>}
      <ul class="files">
        {files.found.value.map((file) => (
          <li key={file.path}>
            <button type="button" data-path={file.path} onClick={() => then(files.open(file.path))}>
              <b>{file.path}</b> <span>{when(file.modified)}</span>
            </button>
          </li>
        ))}
      </ul>
      {others.length > 0 && <h3>Kept but never saved</h3>}
      <ul class="files">
        {others.map(({ draft, title, path, modified }) => (
          <li key={draft} class="row">
            <button type="button" data-draft={draft} onClick={() => then(files.recover(draft))}>
              <b>{title || path || "Untitled"}</b> <span>{when(modified)}</span>
            </button>
            <button type="button" class="forget" aria-label={`Delete ${title || path || "Untitled"} of ${when(modified)}`} onClick={() => attempt(ask("discard", { draft }).then(look))}>
              Delete
            </button>
          </li>
        ))}
      </ul>
      <h3>A link that somebody sent</h3>
      <label class="field">
        <span>Its address</span>
        <input
          name="shared"
          placeholder="…#model=…"
          onChange={(event) => {
            const fragment = files.fragmentOf(event.currentTarget.value.trim());
            if (fragment) then(files.openShared(fragment));
            else state.status.value = "This address holds no model: it must contain #model=";
          }}
        />
      </label>
      <h3>A picture to trace</h3>
      <label class="drop">
        <span>It lies under the drawing, at half strength.</span>
        <input type="file" accept="image/*" onChange={(event) => event.currentTarget.files?.[0] && then(Promise.resolve(setBackground(event.currentTarget.files[0])))} />
      </label>
      {hasBackground.value && (
        <button type="button" onClick={dropBackground}>
          Take the picture away
        </button>
      )}
    </Dialog>
  );
}

function SaveAs() {
  const [there, setThere] = useState("");
  const [all, setAll] = useState<string[]>([]);
  useEffect(() => attempt(ask<{ files: { path: string }[] }>("list").then((made) => setAll((made?.files ?? []).map((file) => file.path)))), []);
  const start = state.file.value.path ?? `${(state.history.value.present.title || "machine").toLowerCase().replace(/[^a-z0-9_-]+/g, "-")}.json`;
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog title="Save as">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const typed = field.current!.value.trim();
          const name = /\.(json|toml)$/.test(typed) ? typed : `${typed}.json`;
          const replaces = all.includes(name) && !(name === state.file.value.path && state.file.value.modified !== null);
          if (replaces && there !== name) setThere(name);
          else then(files.save(name, replaces));
        }}
      >
        <label class="field">
          <span>Name</span>
          <input ref={field} name="path" defaultValue={start} autofocus onInput={() => setThere("")} />
        </label>
        <p class="note" role="alert">
          {there ? `${there} exists already. Save once more to replace it, or choose another name.` : `In ${state.hello.value?.workspace}`}
        </p>
        <button type="submit" class="primary">
          {there ? "Replace it" : "Save"}
        </button>
      </form>
    </Dialog>
  );
}

const UNITS: Record<Units, string> = { mm: "mm", m: "m", in: "in", "1": "" };
const NAMES: Record<Units, string> = { mm: "millimetres", m: "metres", in: "inches", "1": "any unit" };

/** Another unit: what of the drawing stays, its size or its numbers. */
function UnitsOf() {
  const document = state.history.value.present;
  const [from, to] = [document.units ?? "m", state.wantedUnits.value];
  const length = longest(document) || 1;
  const known = from !== "1" && to !== "1";
  const choose = (keep: "size" | "numbers"): void => {
    close();
    const said = `Lengths are in ${NAMES[to]} now; ${keep === "size" ? "everything has its size" : "the numbers are the same"}.`;
    const background = (made: Mechanism): Mechanism => (keep === "size" ? rescaled(made, METRES[from]! / METRES[to]!) : made);
    const change = async (before: Mechanism): Promise<Mechanism | null> => {
      const answer = await ask<{ document: Mechanism }>("operate", { document: before, operations: [{ do: "units", units: to, keep }] });
      return answer && background(answer.document);
    };
    state.change({ label: "Units", shown: (shown) => shown, done: change, said, after: () => keep === "size" && state.frameAll() });
  };
  return (
    <Dialog title={`Lengths in ${NAMES[to]}`}>
      <p>What stays as it is?</p>
      <div class="row wrap">
        {known && (
          <button type="button" class="template" data-keep="size" onClick={() => choose("size")}>
            <b>The size</b>
            <span>
              {short(length)} {UNITS[from]} becomes {short((length * METRES[from]!) / METRES[to]!)} {UNITS[to]}
            </span>
          </button>
        )}
        <button type="button" class="template" data-keep="numbers" onClick={() => choose("numbers")}>
          <b>The numbers</b>
          <span>
            {short(length)} {UNITS[from]} becomes {short(length)} {UNITS[to]}
          </span>
        </button>
      </div>
    </Dialog>
  );
}

const DRAWN: [string, string][] = [["mm", "millimetres"], ["cm", "centimetres"], ["m", "metres"], ["in", "inches"], ["ft", "feet"]];

/** A drawing whose file does not say its unit of length. */
function ImportUnits() {
  const file = state.unitless.value;
  return (
    <Dialog title={`What is one unit of ${file?.name ?? "the drawing"}?`}>
      <p>The file does not say in which unit its lengths are.</p>
      <div class="row wrap">
        {DRAWN.map(([unit, words]) => (
          <button key={unit} type="button" class="template" data-unit={unit} onClick={() => file && then(files.bring(file, unit))}>
            <b>{unit}</b>
            <span>{words}</span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}

/** The longest distance of two neighbouring points of a link. */
function longest(document: Mechanism): number {
  const all = parts(document).flatMap(([, part]) => {
    const points = markers(part).map(([, [x, y]]) => [x, y] as const);
    return part.fixed ? [] : points.slice(1).map((point, k) => distance(points[k]!, point));
  });
  return Math.max(0, ...all);
}

/** The picture under the drawing keeps its size, too. */
function rescaled(document: Mechanism, factor: number): Mechanism {
  const picture = document.view?.["background"] as { at?: [number, number]; width?: number } | undefined;
  if (!picture?.at || !picture.width) return document;
  const background = { ...picture, at: [picture.at[0] * factor, picture.at[1] * factor], width: picture.width * factor };
  return { ...document, view: { ...document.view, background } };
}

const EXPORTS: Record<string, string> = {
  svg: "picture that scales",
  png: "picture of pixels",
  dxf: "drawing for CAD and cutters",
  csv: "table of the motion",
  gif: "film of the motion",
  html: "player that needs nothing else",
  json: "the model itself",
  toml: "the model, for hands",
  stl: "solids for printing",
};

function Export() {
  const known = state.hello.value?.exports ?? [];
  return (
    <Dialog title="Export">
      <div class="row wrap">
        {Object.entries(EXPORTS)
          .filter(([kind]) => known.includes(kind))
          .map(([kind, words]) => (
            <button key={kind} type="button" class="template" data-kind={kind} onClick={() => then(files.send(kind))}>
              <b>{kind.toUpperCase()}</b>
              <span>{words}</span>
            </button>
          ))}
      </div>
    </Dialog>
  );
}

function Help() {
  const groups = [...new Set(ACTIONS.map((each) => each.group))];
  return (
    <Dialog title="Keys">
      <p>
        With the drawing in focus, arrows move a crosshair (with Shift further) and Enter clicks there; with Move and Edit points, Enter takes hold and lets go. Escape
        puts back. Tab goes through the page.
      </p>
      <div class="keys">
        {groups.map((group) => (
          <div key={group}>
            <h3>{group}</h3>
            <dl>
              {ACTIONS.filter((each) => each.group === group).map((each) => (
                <div key={each.name}>
                  <dt>{each.words}</dt>
                  <dd>{each.keys.map((key) => <kbd key={key}>{shown(key)}</kbd>)}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
    </Dialog>
  );
}
