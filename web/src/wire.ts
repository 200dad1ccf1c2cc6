// Questions to the server over one WebSocket, as docs/rooms/app.md states them. Each question has a number;
// in a channel the latest wins, and an answer settles every earlier question of its channel.

export interface Problem {
  at: string;
  problem: string;
  remedy: string;
}

/** What a question that was replaced by a later one of its channel is settled with. */
export const SUPERSEDED = Symbol("superseded");

export class Refused extends Error {
  constructor(readonly problems: Problem[]) {
    super(problems.map((p) => [p.at, p.problem, p.remedy].filter(Boolean).join(": ")).join("\n"));
  }
}

interface Waiting {
  channel?: string;
  message: string;
  /** what the server is at with it, in words */
  tell?(words: string): void;
  settle(value: unknown): void;
  refuse(reason: Refused): void;
}

// A server that was started again is found within a second or two, without flooding it.
/** A wait longer than this is noticed [ms], and a sign says that it is one. */
const NOTICED_MS = 400;
const RECONNECT_MS = [100, 250, 500, 1000, 2000];

export class Wire {
  private socket: WebSocket | null = null;
  private seq = 0;
  private attempts = 0;
  private readonly waiting = new Map<number, Waiting>();

  private slow = 0;

  constructor(
    private readonly onConnected: (connected: boolean, shutOut: boolean) => void,
    /** whether a question waits longer than a hand does not notice */
    private readonly onSlow: (slow: boolean) => void,
  ) {
    this.connect();
  }

  /** Ask; a question in a channel replaces the waiting ones there; for a quiet one nobody waits. Questions are kept over a lost connection. */
  ask(what: string, fields: Record<string, unknown> = {}, channel?: string, quiet = false): Promise<unknown> {
    return this.put(++this.seq, what, fields, channel, quiet);
  }

  /** Ask something long: `tell` hears what the server is at, `stop` gives it up, and the answer is refused then. */
  begin(what: string, fields: Record<string, unknown>, tell: (words: string) => void): { answer: Promise<unknown>; stop(): void } {
    const seq = ++this.seq;
    const stop = (): void => void this.ask("stop", { of: seq }, undefined, true);
    return { answer: this.put(seq, what, fields, undefined, true, tell), stop };
  }

  private put(seq: number, what: string, fields: Record<string, unknown>, channel: string | undefined, quiet: boolean, tell?: (words: string) => void): Promise<unknown> {
    const message = JSON.stringify({ seq, do: what, ...(channel ? { channel } : {}), ...fields });
    return new Promise((settle, refuse) => {
      const late = { is: false };
      const timer = setTimeout(() => quiet || this.count(late, true), NOTICED_MS);
      const done = (): void => (clearTimeout(timer), this.count(late, false));
      const settled = (value: unknown): void => (done(), settle(value));
      const refused = (reason: Refused): void => (done(), refuse(reason));
      this.waiting.set(seq, { channel, message, tell, settle: settled, refuse: refused });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(message);
    });
  }

  private count(late: { is: boolean }, now: boolean): void {
    if (late.is === now) return;
    late.is = now;
    this.slow += now ? 1 : -1;
    this.onSlow(this.slow > 0);
  }

  private connect(): void {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => {
      this.attempts = 0;
      this.onConnected(true, false);
      for (const { message } of this.waiting.values()) socket.send(message);
    };
    socket.onmessage = (frame) => this.receive(JSON.parse(frame.data as string));
    socket.onclose = () => {
      this.onConnected(false, false);
      void this.isShutOut().then((shutOut) => shutOut && this.socket?.readyState !== WebSocket.OPEN && this.onConnected(false, true));
      const delay = RECONNECT_MS[Math.min(this.attempts++, RECONNECT_MS.length - 1)];
      setTimeout(() => this.connect(), delay);
    };
  }

  /** Whether a server is there that does not know this page: one that was started again asks for its own address. */
  private async isShutOut(): Promise<boolean> {
    return await fetch("/", { cache: "no-store" }).then((answer) => answer.status === 403, () => false);
  }

  private receive(said: { seq: number; ok?: boolean; answer?: unknown; problems?: Problem[]; event?: string; words?: string }): void {
    const asked = this.waiting.get(said.seq);
    if (!asked) return;
    if (said.event !== undefined) return asked.tell?.(said.words ?? "");
    this.waiting.delete(said.seq);
    if (asked.channel) this.supersede(asked.channel, said.seq);
    if (said.ok) asked.settle(said.answer);
    else asked.refuse(new Refused(said.problems ?? []));
  }

  private supersede(channel: string, seq: number): void {
    for (const [earlier, other] of this.waiting) {
      if (other.channel === channel && earlier < seq) {
        this.waiting.delete(earlier);
        other.settle(SUPERSEDED);
      }
    }
  }
}
