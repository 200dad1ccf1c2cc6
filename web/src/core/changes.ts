// Changes in the order in which the person made them. One that needs the server waits for its answer, and
// whatever is done meanwhile waits behind it; each is shown at once as it will look. Undo takes back what
// still waits before it takes back what is done.

import type { Mechanism } from "../document";

export interface Change {
  label: string;
  /** how a document looks with it; without `done`, the change itself */
  shown(document: Mechanism): Mechanism;
  /** the document after it, by the server; null: not done, and it has said why */
  done?(document: Mechanism): Promise<Mechanism | null>;
  /** a step that joins the last one of the same label */
  merge?: boolean;
  /** what is said when it is done; its label unless given */
  said?: string;
  after?(before: Mechanism, document: Mechanism): void;
}

/** Where documents are kept and things are said. */
export interface Keeper {
  present(): Mechanism;
  keep(change: Change, document: Mechanism): void;
  refused(change: Change, error: unknown): void;
  /** what waits now, and how many that waited were taken back */
  waiting(changes: readonly Change[], withdrawn: number): void;
  /** several of these as one */
  together(doing: () => void): void;
}

export class Changes {
  private line: readonly Change[] = [];
  private withdrawn: readonly Change[] = [];
  private running = false;
  private onIdle: ((done: boolean) => void)[] = [];

  constructor(private readonly keeper: Keeper) {}

  add(change: Change): void {
    this.withdrawn = [];
    this.keeper.waiting(this.line, 0);
    this.put(change);
  }

  /** Take back the last change that still waits; its label, or null where none does. */
  undo(): string | null {
    const last = this.line[this.line.length - 1];
    if (!last) return null;
    this.withdrawn = [...this.withdrawn, last];
    this.wait(this.line.slice(0, -1));
    return last.label;
  }

  /** Make the change again that `undo` took back; its label, or null where there is nothing to redo. */
  redo(): string | null {
    const last = this.withdrawn[this.withdrawn.length - 1];
    if (!last) return null;
    this.withdrawn = this.withdrawn.slice(0, -1);
    this.keeper.waiting(this.line, this.withdrawn.length);
    this.put(last);
    return last.label;
  }

  /** Another document begins: what waits for the old one is dropped. */
  clear(): void {
    this.withdrawn = [];
    this.wait([], false);
  }

  /** When nothing waits any more: true where all of it was done, false where another document has begun. */
  idle(): Promise<boolean> {
    return this.line.length ? new Promise((settle) => this.onIdle.push(settle)) : Promise.resolve(true);
  }

  private put(change: Change): void {
    if (!this.line.length && !change.done) return this.keeper.keep(change, change.shown(this.keeper.present()));
    this.wait([...this.line, change]);
    if (!this.running) void this.run();
  }

  private async run(): Promise<void> {
    this.running = true;
    for (let change = this.line[0]; change; change = this.line[0]) {
      const before = this.keeper.present();
      let document: Mechanism | null = null;
      let error: unknown = null;
      try {
        document = change.done ? await change.done(before) : change.shown(before);
      } catch (problem) {
        error = problem;
      }
      if (this.line[0] === change && before === this.keeper.present()) this.finish(change, before, document, error);
    }
    this.running = false;
  }

  private finish(change: Change, before: Mechanism, document: Mechanism | null, error: unknown): void {
    this.keeper.together(() => {
      this.wait(this.line.slice(1));
      if (document) this.keeper.keep(change, document);
      else if (error !== null) this.keeper.refused(change, error);
      if (document) change.after?.(before, document);
    });
  }

  private wait(line: readonly Change[], done = true): void {
    this.line = line;
    this.keeper.waiting(line, this.withdrawn.length);
    if (!line.length) for (const settle of this.onIdle.splice(0)) settle(done);
  }
}
