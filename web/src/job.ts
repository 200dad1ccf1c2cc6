// A long question about the document: what the server is at with it, given up by hand or by a change of the document.

import { computed, effect, signal } from "@preact/signals";
import type { Mechanism } from "./document";
import { wire, words } from "./server";
import * as state from "./state";
import { Refused, type Problem } from "./wire";

export interface Job {
  of: Mechanism;
  words: string;
  /** when it began [ms] */
  since: number;
  stop(): void;
}

const present = computed(() => state.history.value.present);

/** One kind of long question: at most one of it is asked at a time, and what it was refused for is kept. */
export class Work<Answer> {
  readonly job = signal<Job | null>(null);
  private readonly refused = signal<{ of: Mechanism; problems: Problem[] } | null>(null);
  readonly trouble = computed(() => (this.refused.value?.of === present.value ? this.refused.value.problems : []));

  constructor(private readonly what: string) {
    // What is being changed is not worth computing to its end.
    effect(() => void (this.job.value && this.job.value.of !== present.value && this.cancel()));
  }

  /** The answer; null where it was given up, and the words of a refusal where there is none. */
  async ask(of: Mechanism, fields: Record<string, unknown> = {}): Promise<Answer | string | null> {
    this.refused.value = null;
    // One that was given up still ends later, when the next may be under way.
    const isMine = (): boolean => this.job.value?.stop === stop;
    const tell = (said: string): void => void (isMine() && (this.job.value = { ...this.job.value!, words: said }));
    const { answer, stop } = wire.begin(this.what, { document: of, ...fields }, tell);
    this.job.value = { of, words: "", since: Date.now(), stop };
    try {
      const made = (await answer) as Answer;
      return of === present.value ? made : null;
    } catch (error) {
      if (of !== present.value || !isMine()) return null;
      this.refused.value = { of, problems: error instanceof Refused ? error.problems : [{ at: "", problem: words(error), remedy: "" }] };
      return words(error);
    } finally {
      if (isMine()) this.job.value = null;
    }
  }

  cancel(): void {
    this.job.value?.stop();
    this.job.value = null;
  }
}
